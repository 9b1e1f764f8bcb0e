"""The programs that are measured: the kernels and their sizes, and what each tool must say about them.

A kernel is bench/kernels/NAME.c, run as NAME THREADS SIZE [ROUNDS] (kernel.h). Its racy variant is the
same source with -DRACY; the lines of the planted race are marked there.
"""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
KERNEL_SOURCES = os.path.join(HERE, "kernels")


class Kernel:
    """`full` takes a native run a twentieth to a tenth of a second on two processors that have nothing
    else to do, `quick` about a third of that; `tiny` is for tests, for runs where the verdict matters and not the time, and for valgrind's
    tools on racy variants. `growth` is the first of four sizes for the cost over input, each with twice
    the work of the one before; `grow` makes the next of it. `each`: the size is one thread's work."""

    def __init__(self, name, full, quick, tiny, growth, grow=lambda size: 2 * size, each=False):
        self.name, self.each = name, each
        self.full, self.quick, self.tiny = full, quick, tiny
        self.growth, self.grow = growth, grow

    @property
    def source(self):
        return os.path.join(KERNEL_SOURCES, self.name + ".c")

    def planted(self):
        """The numbers of the source lines with the planted race."""
        lines = set()
        with open(self.source, encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                if re.search(r"/\* planted: the next line \*/", text):
                    lines.add(number + 1)
                elif re.search(r"/\* planted", text):
                    lines.add(number)
        return lines

    def sizes(self):
        size, *rest = self.growth
        for _ in range(4):
            yield [size, *rest]
            size = self.grow(size)


def square(size):
    return size * 14 // 10


def cube(size):
    return (size * 5 + 3) // 4


# The first eight are those of the JavaGrande benchmarks, in the order of BigFoot's Table 1.
KERNELS = [
    Kernel("crypt", [800000], [250000], [500], [25000]),
    Kernel("series", [3000], [1000], [20, 50], [100]),
    Kernel("lufact", [700], [500], [40], [150], cube),
    Kernel("moldyn", [14], [11], [5, 2], [6, 10], lambda size: size + 1),
    Kernel("montecarlo", [30000], [10000], [50, 20], [500]),
    Kernel("sparse", [50000, 300], [50000, 100], [500, 2], [10000, 100]),
    Kernel("sor", [1000, 60], [1000, 20], [40, 4], [250, 50], square),
    Kernel("raytracer", [700], [400], [20], [80], square),
    Kernel("hashtable", [600000], [200000], [2000], [30000], each=True),
    Kernel("btree", [60000], [20000], [1000], [3000], each=True),
    Kernel("mpmc", [600000], [200000], [1000], [15000]),
    Kernel("pool", [9, 300], [9, 100], [6, 2], [8, 10], lambda size: size + 1),
    Kernel("strsearch", [1000, 5], [1000, 2], [8, 1], [100, 1]),
    Kernel("lru", [500000], [170000], [3000], [25000], each=True),
    Kernel("bfs", [600000], [200000], [2000], [15000]),
    Kernel("allocator", [600000], [200000], [3000], [30000], each=True),
]

# sor and sparse, as they have always been measured: the first table of bench-quick.
FIRST = [("sor", [1000, 200]), ("sparse", [50000, 300])]


def kernel(name):
    for k in KERNELS:
        if k.name == name:
            return k
    raise KeyError(name)
