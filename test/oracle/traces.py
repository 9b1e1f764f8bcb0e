"""Traces: what one is, which are possible, and random ones.

A trace is a list of events in the order in which they happen. As text, an event is a line

    THREAD OPERATION BLOCK OFFSET SIZE ORDER

with 0 for what an operation does not use:

    read, write              SIZE plain bytes at OFFSET of BLOCK; sizes 1, 2, 4, 8 by one instruction
    load, store, add,        atomics of ORDER, a number of the C ABI (0 relaxed ... 5 seq_cst). A swap is a
    swap, compare            compare-exchange that succeeds, a compare one that fails
    fence                    a thread fence of ORDER
    malloc, free             BLOCK, with SIZE bytes
    create, join             thread OFFSET; a thread ends after its last event
    lock, unlock             mutex OFFSET
    wrlock, rdlock, rwunlock   reader-writer lock OFFSET
    spinlock, spinunlock     the spin lock at OFFSET of the area
    post, wait               semaphore OFFSET
    release, acquire         deadheat_release and deadheat_acquire of OFFSET of the area
    barrier                  of the threads in the mask OFFSET, THREAD among them: one event for all

Block 0 is the area, static memory that all threads share; the others are malloc's.
"""
from typing import NamedTuple

RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST = range(6)
MAX_EVENTS = 256  # EVENTS in interpreter.c
THREADS = 6
AREA = 0
AREA_SIZE = 112
BLOCKS = (1, 2, 3, 4)
LARGE = 200_000  # more than three of the runtime's coarse units, wherever it begins
BROAD = 3000  # a whole one of the runtime's blocks, wherever it begins, and parts of two others

ORDERS = {
    "load": (RELAXED, CONSUME, ACQUIRE, SEQ_CST),
    "store": (RELAXED, RELEASE, SEQ_CST),
    "add": (RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
    "swap": (RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
    "compare": (RELAXED, CONSUME, ACQUIRE, SEQ_CST),
    "fence": (ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
}

# What lies in the area, as offset and width. An atomic object has one width, as C has it; neighbours in one
# 8-byte cell of the shadow are objects of their own. Bytes that are not here are plain, and plain accesses
# also stray onto atomics.
ATOMICS = (
    (32, 4), (36, 4),
    *((offset, 1) for offset in range(40, 48)),
    (48, 1), (49, 1), (50, 2), (52, 4),
    (56, 8),
    (64, 16),
    (92, 4),
    (98, 1), (100, 2),
)
SPIN_LOCKS = ((80, 4), (84, 4), (88, 4))
KEYS = (96, 97, 99, 104, 111)
BLOCK_ATOMICS = ((0, 4), (4, 4))  # of every block of malloc's


class Event(NamedTuple):
    thread: int
    operation: str
    block: int = 0
    offset: int = 0
    size: int = 0
    order: int = 0

    def __str__(self):
        return " ".join(map(str, self))


def parse(text):
    fields = (line.split("#")[0].split() for line in text.splitlines())
    return [Event(int(f[0]), f[1], *map(int, f[2:])) for f in fields if f]


def threads_of(event):
    if event.operation != "barrier":
        return {event.thread}
    return {thread for thread in range(THREADS) if event.offset >> thread & 1}


def overlaps_spin_lock(event):
    return event.block == AREA and any(event.offset < offset + width and offset < event.offset + event.size
                                       for offset, width in SPIN_LOCKS)


class World:
    """What has to be known to tell which events can come next without blocking or undefined behaviour other
    than a race."""

    def __init__(self):
        self.running = {0}
        self.created = {0}
        self.blocks = {AREA: AREA_SIZE}
        self.owners = {}  # of mutexes and spin locks
        self.readers = {}
        self.writers = {}
        self.posts = {}

    def holds_locks(self, thread):
        return (thread in self.owners.values() or thread in self.writers.values()
                or any(thread in readers for readers in self.readers.values()))

    def allows(self, e):
        if not threads_of(e) <= self.running or e.thread not in threads_of(e):
            return False
        match e.operation:
            case "read" | "load":
                return e.offset + e.size <= self.blocks.get(e.block, -1)
            case "write" | "store" | "add" | "swap" | "compare":
                return e.offset + e.size <= self.blocks.get(e.block, -1) and not overlaps_spin_lock(e)
            case "malloc":
                return e.block not in self.blocks
            case "free":
                return e.block in self.blocks
            case "create":
                return e.offset not in self.created
            case "join":
                return e.offset in self.running - {0, e.thread} and not self.holds_locks(e.offset)
            case "lock" | "spinlock":
                return (e.operation, e.offset) not in self.owners
            case "unlock" | "spinunlock":
                return self.owners.get((e.operation.replace("un", ""), e.offset)) == e.thread
            case "wrlock":
                return e.offset not in self.writers and not self.readers.get(e.offset)
            case "rdlock":
                return e.offset not in self.writers and e.thread not in self.readers.get(e.offset, ())
            case "rwunlock":
                return (self.writers.get(e.offset) == e.thread
                        or e.thread in self.readers.get(e.offset, ()))
            case "wait":
                return self.posts.get(e.offset, 0) > 0
            case "barrier":
                return len(threads_of(e)) > 1
        return True

    def happens(self, e):
        match e.operation:
            case "malloc":
                self.blocks[e.block] = e.size
            case "free":
                del self.blocks[e.block]
            case "create":
                self.created.add(e.offset)
                self.running.add(e.offset)
            case "join":
                self.running.remove(e.offset)
            case "lock" | "spinlock":
                self.owners[e.operation, e.offset] = e.thread
            case "unlock" | "spinunlock":
                del self.owners[e.operation.replace("un", ""), e.offset]
            case "wrlock":
                self.writers[e.offset] = e.thread
            case "rdlock":
                self.readers.setdefault(e.offset, set()).add(e.thread)
            case "rwunlock":
                if e.offset in self.writers:
                    del self.writers[e.offset]
                else:
                    self.readers[e.offset].remove(e.thread)
            case "post":
                self.posts[e.offset] = self.posts.get(e.offset, 0) + 1
            case "wait":
                self.posts[e.offset] -= 1


def possible(events):
    """The trace without the events that cannot happen."""
    world, trace = World(), []
    for event in events:
        if world.allows(event):
            world.happens(event)
            trace.append(event)
    return trace


class Generator:
    """Random traces. Each has its own taste, from all kinds of events to a few on a handful of bytes: where
    everything is likely, long chains of one kind of synchronisation are not."""

    def __init__(self, random):
        self.random = random
        self.world = World()
        self.threads = random.randint(2, THREADS)
        self.length = random.choice((6, 12, 30, 80, 80, 200))
        # Plain accesses keep to some of the plain bytes, most of the time.
        self.span = random.choice((4, 8, 16, 32))
        self.stray = random.choice((0, 0, 0.05, 0.2))
        self.atomics = random.sample(ATOMICS, random.choice((1, 2, 4, len(ATOMICS))))
        if random.random() < 0.3:  # neighbours only
            self.atomics = [(o, w) for o, w in ATOMICS if o // 8 == self.atomics[0][0] // 8]
        self.keys = random.sample(KEYS, random.randint(1, len(KEYS)))
        most = {"access": 6, "atomic": 5, "fence": 3, "lock": 4, "rwlock": 2, "spinlock": 2, "semaphore": 2,
                "key": 2, "barrier": 1, "memory": 2}
        self.weights = {kind: random.choice((0, random.randint(1, top))) for kind, top in most.items()}
        self.weights |= {"access": random.randint(2, 6), "thread": 2}
        # Ranges over large parts of a block, beside short accesses. By the byte they take long to judge.
        self.broad = random.random() < 0.12
        if self.broad:
            self.length = min(self.length, 80)
            self.weights |= {"access": 8, "memory": 1}

    def access(self, thread):
        r, block, start, room = self.random, AREA, 0, self.span
        heap = sorted(set(self.world.blocks) - {AREA})
        if heap and r.random() < (0.8 if self.broad else 0.3):
            block = r.choice(heap)
            start, room = r.choice(watched(self.world.blocks[block]))
        elif r.random() < self.stray:
            room = AREA_SIZE
        sizes = (1, 1, 2, 2, 4, 4, 8, 8, 3, 5, 12, 16, 24, 33)
        if self.broad and r.random() < 0.7:
            sizes = (room, room, room - 8, room // 2, 1500, 1024, 600, 333, 160)
        size = max(1, min(room, r.choice(sizes)))
        offset = start + r.randint(0, room - size)
        if size in (1, 2, 4, 8) and r.random() < 0.6:
            offset = max(start, offset - offset % size)
        return Event(thread, r.choice(("read", "read", "write")), block, offset, size)

    def atomic(self, thread):
        r, block = self.random, AREA
        offset, width = r.choice(self.atomics)
        heap = sorted(set(self.world.blocks) - {AREA})
        if heap and r.random() < 0.2:
            block, (offset, width) = r.choice(heap), r.choice(BLOCK_ATOMICS)
        operation = r.choice(("load", "load", "store", "store", "add", "swap", "compare"))
        return Event(thread, operation, block, offset, width, r.choice(ORDERS[operation]))

    def fence(self, thread):
        return Event(thread, "fence", order=self.random.choice(ORDERS["fence"]))

    def lock(self, thread):
        return Event(thread, self.random.choice(("lock", "unlock")), offset=self.random.randrange(3))

    def rwlock(self, thread):
        operation = self.random.choice(("wrlock", "rdlock", "rwunlock", "rwunlock"))
        return Event(thread, operation, offset=self.random.randrange(2))

    def spinlock(self, thread):
        operation = self.random.choice(("spinlock", "spinunlock"))
        return Event(thread, operation, offset=self.random.choice(SPIN_LOCKS)[0])

    def semaphore(self, thread):
        return Event(thread, self.random.choice(("post", "wait")), offset=self.random.randrange(2))

    def key(self, thread):
        return Event(thread, self.random.choice(("release", "acquire")), offset=self.random.choice(self.keys))

    def barrier(self, thread):
        count = self.random.randint(1, len(self.world.running))
        chosen = {thread, *self.random.sample(sorted(self.world.running), count)}
        return Event(thread, "barrier", offset=sum(1 << each for each in chosen))

    def memory(self, thread):
        block = self.random.choice(BLOCKS)
        if block in self.world.blocks:
            return Event(thread, "free", block)
        sizes = (BROAD,) if self.broad and block <= 2 else (8, 16, 24, 40, 100, LARGE)
        return Event(thread, "malloc", block, size=self.random.choice(sizes))

    def thread(self, thread):
        new = len(self.world.created)
        if new < self.threads and self.random.random() < 0.8:
            return Event(thread, "create", offset=new)
        return Event(thread, "join", offset=self.random.randrange(THREADS))

    def trace(self):
        trace = []
        kinds, weights = zip(*self.weights.items())
        while len(trace) < self.length:
            thread = self.random.choice(sorted(self.world.running))
            kind = self.random.choices(kinds, weights)[0]
            event = getattr(self, kind)(thread)
            if self.world.allows(event):
                self.world.happens(event)
                trace.append(event)
        return trace


def watched(size):
    """Where the bytes of a block are that traces access and the judge looks at, as starts and lengths: all of
    a small block; the ends and the middle of a large one, which would take too long."""
    if size < LARGE:
        return ((0, size),)
    return ((0, 40), (size // 2, 40), (size - 40, 40))
