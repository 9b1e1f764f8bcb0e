"""Data races, by definition.

An event *happens before* a later one if the order of their thread or the edges below say so, directly or
through others. It is kept literally: for each thread the set of all events that happen before its next one,
as the bits of a number. There are no clocks, no epochs, and nothing is ever forgotten. The edges are those of
docs/happens-before.md:

    create, join             creator -> thread; thread -> joiner
    mutex, spin lock         every unlock -> every later lock
    reader-writer lock       a writer's unlock -> every later lock; a reader's -> every later writer's lock
    semaphore                every post -> every later wait
    deadheat_release         -> every later deadheat_acquire of that address
    barrier                  all of a round -> all of it
    atomics                  each head of a release sequence that a value is part of -> who acquires it

Since the interpreter runs one event at a time, "later" is the order of the trace, which is also the order of
modification of each atomic: a load reads what was last stored.

Two accesses to one byte by different threads *race* if their kinds conflict and neither happens before the
other. An atomic operation belongs after what it acquires, and before what it releases. malloc makes bytes
new, and writes them; free writes all bytes of its block.
"""
from traces import ACQ_REL, ACQUIRE, CONSUME, RELEASE, SEQ_CST, threads_of, watched

READ, WRITE, ATOMIC_READ, ATOMIC_WRITE = "read", "write", "atomic read", "atomic write"
CONFLICTS = {
    READ: {WRITE, ATOMIC_WRITE},
    WRITE: {READ, WRITE, ATOMIC_READ, ATOMIC_WRITE},
    ATOMIC_READ: {WRITE},
    ATOMIC_WRITE: {READ, WRITE},
}
ATOMICS = ("load", "store", "add", "swap", "compare")


def acquires(event):
    return event.operation != "store" and event.order in (CONSUME, ACQUIRE, ACQ_REL, SEQ_CST)


def releases(event):
    return event.operation not in ("load", "compare") and event.order in (RELEASE, ACQ_REL, SEQ_CST)


class Execution:
    """A trace as it happens. `before[t]` is the set of events that happen before the next one of thread t."""

    def __init__(self, cxx20):
        self.cxx20 = cxx20  # a store ends the release sequences of its own thread, too
        self.before = {0: 0}
        self.released = {}  # by object: what happens before an acquire of it
        self.writing = set()  # reader-writer locks that a writer holds
        self.heads = {}  # by atomic object: by thread, what its heads of release sequences publish
        self.seen = {}  # by thread: what an acquire fence would acquire
        self.fenced = {}  # by thread: what a relaxed store publishes
        self.accesses = {}  # by byte: events and kinds
        self.sizes = {}
        self.count = 0

    def acquire(self, thread, *names):
        for name in names:
            self.before[thread] |= self.released.get(name, 0)

    def release(self, thread, name):
        self.released[name] = self.released.get(name, 0) | self.before[thread]

    def access(self, thread, block, start, size, kind):
        """The racy bytes, each with the events that it races with."""
        races = {}
        for offset in range(start, start + size):
            earlier = self.accesses.setdefault((block, offset), [])
            racers = {number for number, other in earlier
                      if other in CONFLICTS[kind] and not self.before[thread] >> number & 1}
            if racers:
                races[block, offset] = racers
            earlier.append((self.count, kind))
        return races

    def happen(self, e):
        """The races of the next event, as access returns them."""
        races, this = {}, 1 << self.count
        if e.operation in ("lock", "spinlock", "wait", "acquire"):
            self.acquire(e.thread, (e.operation, e.offset))
        elif e.operation == "rdlock":
            self.acquire(e.thread, ("writers", e.offset))
        elif e.operation == "wrlock":
            self.acquire(e.thread, ("writers", e.offset), ("readers", e.offset))
            self.writing.add(e.offset)
        elif e.operation == "join":
            self.before[e.thread] |= self.before[e.offset]
        elif e.operation in ("read", "write"):
            races = self.access(e.thread, e.block, e.offset, e.size, e.operation)
        elif e.operation in ("malloc", "free"):
            races = self.memory(e)
        elif e.operation in ATOMICS:
            races = self.atomic(e, this)
        elif e.operation == "fence" and acquires(e):
            self.before[e.thread] |= self.seen.get(e.thread, 0)

        for thread in threads_of(e):
            self.before[thread] |= this

        if e.operation in ("unlock", "spinunlock"):
            self.release(e.thread, (e.operation.replace("un", ""), e.offset))
        elif e.operation == "rwunlock":
            self.release(e.thread, ("writers" if e.offset in self.writing else "readers", e.offset))
            self.writing.discard(e.offset)
        elif e.operation == "post":
            self.release(e.thread, ("wait", e.offset))
        elif e.operation == "release":
            self.release(e.thread, ("acquire", e.offset))
        elif e.operation == "create":
            self.before[e.offset] = self.before[e.thread]
        elif e.operation == "barrier":
            everything = 0
            for thread in threads_of(e):
                everything |= self.before[thread]
            for thread in threads_of(e):
                self.before[thread] = everything
        elif e.operation == "fence" and releases(e):
            self.fenced[e.thread] = self.before[e.thread]
        self.count += 1
        return races

    def memory(self, e):
        if e.operation == "malloc":
            self.sizes[e.block] = e.size
            for name in [name for name in self.heads if name[0] == e.block]:
                del self.heads[name]
        races = {}
        for start, size in watched(self.sizes[e.block]):
            if e.operation == "malloc":
                for offset in range(start, start + size):
                    self.accesses[e.block, offset] = []
            races |= self.access(e.thread, e.block, start, size, WRITE)
        return races

    def atomic(self, e, this):
        """C11 5.1.2.4: a release sequence goes on with read-modify-writes by anybody and, unless this is
        C++20, stores by the thread of its head."""
        heads = self.heads.setdefault((e.block, e.offset), {})
        if e.operation != "store":
            for published in heads.values():
                self.seen[e.thread] = self.seen.get(e.thread, 0) | published
                if acquires(e):
                    self.before[e.thread] |= published
        writes = e.operation not in ("load", "compare")
        races = self.access(e.thread, e.block, e.offset, e.size, ATOMIC_WRITE if writes else ATOMIC_READ)
        if e.operation == "store":
            for thread in [thread for thread in heads if self.cxx20 or thread != e.thread]:
                del heads[thread]
        if writes and releases(e):
            heads[e.thread] = heads.get(e.thread, 0) | self.before[e.thread] | this
        elif writes and e.thread in self.fenced:
            heads[e.thread] = heads.get(e.thread, 0) | self.fenced[e.thread]
        return races


def races_of(trace, cxx20):
    """For each event its racy bytes (block, offset), each with the earlier events that it races with."""
    execution = Execution(cxx20)
    return [execution.happen(event) for event in trace]
