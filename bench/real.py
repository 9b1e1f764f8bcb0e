"""Real programs, from their Debian source packages, built unmodified, once for each mode.

The sources are fetched once and kept (test/e2e/real/fetch.sh). What cannot be fetched or built is a row
that says so. Where a program is a library, a driver of ours (bench/real) is compiled together with it.
"""
import inspect
import os
import random
import shlex
import shutil
import subprocess
import sys

import build
import modes
import programs

FETCH = os.path.join(programs.HERE, "..", "test", "e2e", "real", "fetch.sh")
DRIVERS = os.path.join(programs.HERE, "real")


def source(builder, package):
    """The directory with a package's source. It is kept, also for the tests that use it."""
    directory = os.path.join(os.path.dirname(builder.out), "real", package)
    os.makedirs(directory, exist_ok=True)
    if not os.path.isdir(os.path.join(directory, "src")):
        print(f"fetching the source of {package}", file=sys.stderr)
        done = subprocess.run([FETCH, package, directory], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            raise build.Failed(done.stdout.strip().splitlines()[-1] if done.stdout.strip() else "cannot be fetched")
    return os.path.join(directory, "src")


def version(builder, package):
    with open(os.path.join(source(builder, package), "debian", "changelog"), encoding="utf-8") as file:
        return file.readline().split("(")[1].split(")")[0]


def corpus(builder, megabytes):
    """A text of random words, the same every time."""
    path = builder.path("real", f"corpus{megabytes}")
    if not os.path.exists(path):
        numbers = random.Random(1)
        words = ["".join(numbers.choice("etaoinshrdlu") for _ in range(numbers.randrange(2, 9))) for _ in range(4000)]
        with open(path + ".new", "w", encoding="ascii") as file:
            while file.tell() < megabytes << 20:
                file.write(" ".join(words[int(4000 * numbers.random() ** 3)] for _ in range(1000)) + "\n")
            file.truncate(megabytes << 20)
        os.replace(path + ".new", path)
    return path


class Program:
    """A subclass says which packages it is made of, how it is built and how it is run."""
    name = ""
    packages = []
    outputs = ["program"]  # below the tree: what must be there when it is built

    def make(self, builder, tree, compiler, flags, link, log):
        """Returns the processor time of compiling. Configuring is not a part of that."""
        raise NotImplementedError

    def arguments(self, builder, threads):
        raise NotImplementedError

    def own_sources(self):
        """What of ours is compiled into it."""
        return []

    def build(self, builder, mode, extra=(), link=(), suffix=""):
        """The tree of a mode's build. `extra` and `link` are further flags, for a build of another kind."""
        tree = builder.path("real", self.name, mode.name + suffix)
        versions = [version(builder, p) for p in self.packages]
        key = builder.key(mode, versions, inspect.getsource(type(self)), extra, *self.own_sources())
        stamp = build.read_json(tree + ".stamp")
        if stamp and stamp["key"] == key:
            return tree, stamp
        print(f"building {self.name} {versions[0]}, {mode.label}{suffix}", file=sys.stderr)
        log = tree + ".log"
        for path in (log, tree + ".stamp"):
            if os.path.exists(path):
                os.remove(path)
        shutil.rmtree(tree, ignore_errors=True)
        os.makedirs(tree)
        compiler = [*mode.compiler, *mode.flags, *extra]
        seconds = self.make(builder, tree, compiler, modes.FLAGS, [*link], log)
        for output in self.outputs:
            if not os.path.exists(os.path.join(tree, output)):
                raise build.Failed(f"the build leaves no {output}, see {log}")
        stamp = {"key": key, "seconds": seconds, "version": versions[0],
                 "static": build.statistics_of(build.content(log).decode(errors="replace"))}
        build.write_json(tree + ".stamp", stamp)
        return tree, stamp

    def command(self, builder, mode, threads, tree=None):
        tree = tree or self.build(builder, builder.mode(mode.build))[0]
        return [*mode.under, os.path.join(tree, self.outputs[0]), *self.arguments(builder, threads)]


def copy(builder, package, tree):
    """The source, for a build inside it. With its times, or make would run the autotools."""
    shutil.copytree(source(builder, package), tree, symlinks=True, dirs_exist_ok=True)


def clean_environment():
    return {k: v for k, v in modes.environment().items() if k not in ("MAKEFLAGS", "MFLAGS", "CFLAGS", "LDFLAGS")}


def run(command, log, directory):
    """Returns its processor time."""
    return build.seconds_of(lambda: build.call(command, log, cwd=directory, env=clean_environment(), timeout=1200))


# Debian's patches may make autotools' files look older than what they are made from; they still fit.
AS_IT_IS = ["AUTOMAKE=:", "ACLOCAL=:", "AUTOCONF=:", "AUTOHEADER=:"]


def configure(tree, log, compiler, flags, link, *options):
    run(["./configure", "--disable-dependency-tracking", *options, "CC=" + shlex.join(compiler),
         "CFLAGS=" + shlex.join(flags), "LDFLAGS=" + shlex.join(link)], log, tree)


class Zstd(Program):
    name, packages, outputs = "zstd", ["zstd"], ["programs/zstd"]

    def make(self, builder, tree, compiler, flags, link, log):
        copy(builder, "zstd", tree)
        # Optional formats would make it depend on what else is installed.
        return run(["make", "-C", "programs", "-j2", "HAVE_THREAD=1", "HAVE_ZLIB=0", "HAVE_LZMA=0", "HAVE_LZ4=0",
                    "ZSTD_LEGACY_SUPPORT=0", "CC=" + shlex.join(compiler), "CFLAGS=" + shlex.join(flags),
                    "LDFLAGS=" + shlex.join(link), "zstd"], log, tree)

    def arguments(self, builder, threads):
        return ["-q", "-c", "-3", f"-T{threads}", "-B1M", corpus(builder, 8)]


class Xz(Program):
    name, packages, outputs = "xz", ["xz-utils"], ["src/xz/xz"]

    def make(self, builder, tree, compiler, flags, link, log):
        copy(builder, "xz-utils", tree)
        configure(tree, log, compiler, flags, link, "--disable-shared", "--enable-static", "--disable-nls",
                  "--disable-doc", "--disable-scripts", "--disable-xzdec", "--disable-lzmadec", "--disable-lzmainfo")
        return run(["make", "-j2", *AS_IT_IS], log, tree)

    def arguments(self, builder, threads):
        return ["-q", "-c", "-1", f"-T{threads}", "--block-size=256KiB", corpus(builder, 2)]


class Library(Program):
    """A library and a driver of ours, compiled together: DRIVER THREADS SIZE DIRECTORY."""
    driver = ""
    size = 0

    def own_sources(self):
        return [build.content(os.path.join(DRIVERS, file)) for file in (self.driver, "driver.h")]

    def sources(self, builder, log):
        """The C files, and where their headers are."""
        raise NotImplementedError

    def make(self, builder, tree, compiler, flags, link, log):
        files, include = self.sources(builder, log)
        flags = [*flags, "-w", "-pthread", "-I", include]
        objects, seconds = [], 0.0
        for file in [*files, os.path.join(DRIVERS, self.driver)]:
            objects.append(os.path.join(tree, os.path.basename(file) + ".o"))
            seconds += run([*compiler, *flags, "-c", file, "-o", objects[-1]], log, tree)
        return seconds + run([*compiler, *objects, *link, "-pthread", "-ldl", "-lm", "-o", "program"], log, tree)

    def arguments(self, builder, threads):
        scratch = builder.path("real", self.name, "scratch", "")
        return [str(threads), str(self.size), scratch]


class Lmdb(Library):
    name, packages, driver, size = "lmdb", ["lmdb"], "lmdb_driver.c", 10000

    def sources(self, builder, log):
        directory = os.path.join(source(builder, "lmdb"), "libraries", "liblmdb")
        return [os.path.join(directory, f) for f in ("mdb.c", "midl.c")], directory


class Sqlite(Library):
    name, packages, driver, size = "sqlite3", ["sqlite3"], "sqlite_driver.c", 3000

    def sources(self, builder, log):
        """One large file, which sqlite's own makefile puts together (with tclsh)."""
        directory = builder.path("real", "sqlite3", "amalgamation")
        if not os.path.exists(os.path.join(directory, "sqlite3.c")):
            shutil.rmtree(directory, ignore_errors=True)
            copy(builder, "sqlite3", directory)
            run(["./configure", "--disable-tcl", "--disable-readline"], log, directory)
            run(["make", "sqlite3.c"], log, directory)
        return [os.path.join(directory, "sqlite3.c")], directory


class Memcached(Program):
    name, packages, outputs = "memcached", ["memcached", "libevent"], ["memcached"]
    requests = 4000

    def make(self, builder, tree, compiler, flags, link, log):
        event = os.path.join(tree, "event")
        copy(builder, "libevent", event)
        configure(event, log, compiler, flags, [], "--disable-shared", "--disable-openssl", "--disable-samples",
                  "--disable-libevent-regress", "--disable-debug-mode", f"--prefix={event}/installed")
        seconds = run(["make", "-j2", *AS_IT_IS, "install"], log, event)
        copy(builder, "memcached", tree)
        configure(tree, log, compiler, flags, link, f"--with-libevent={event}/installed", "--disable-docs")
        return seconds + run(["make", "-j2", *AS_IT_IS, "memcached"], log, tree)

    def command(self, builder, mode, threads, tree=None):
        tree = tree or self.build(builder, builder.mode(mode.build))[0]
        driver = builder.tool("real/memcached_driver.c")
        user = ["-u", "root"] if os.getuid() == 0 else []
        return [driver, str(threads), str(self.requests), builder.out, *mode.under, os.path.join(tree, "memcached"),
                *user, "-A", "-l", "127.0.0.1", "-U", "0", "-m", "16", "-t", str(threads)]


PROGRAMS = [Zstd(), Xz(), Lmdb(), Sqlite(), Memcached()]
