"""The benchmark's runner: runner_test.py DEADHEAT DIRECTORY

The figures that it computes, the journal that it resumes from, and the counts of executed checks, which for
a kernel as regular as sparse are known."""
import os
import shutil
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
import build  # noqa: E402
import compile as compiling  # noqa: E402
import count  # noqa: E402
import goals  # noqa: E402
import measure  # noqa: E402
import modes  # noqa: E402
import plots  # noqa: E402
import profiling  # noqa: E402
import programs  # noqa: E402
import repeat  # noqa: E402
import tables  # noqa: E402

DEADHEAT, DIRECTORY = sys.argv[1:3]


def result(wall, peak=1000, reports=0, right=True):
    return {"wall": wall, "cpu": wall, "peak": peak, "between": (wall, wall), "rounds": 5, "reports": reports,
            "right": right}


def document():
    """Two programs, two detectors of ours, TSan, and a tool that is not there."""
    def mode(name, label, ours=False, missing=None):
        return {"name": name, "label": label, "ours": ours, "missing": missing, "default": label == "fasttrack"}
    planted = {"found": 5, "runs": 5, "failed": None}
    return {
        "modes": [mode("native", "native"), mode("deadheat-fasttrack", "fasttrack", True),
                  mode("deadheat-other", "other", True), mode("tsan", "TSan"), mode("drd", "DRD", missing="not here")],
        "programs": [
            {"name": "one", "kind": "kernel", "failed": {}, "compile": {"native": 1.0, "deadheat-other": 1.5},
             "static": {"deadheat-other": {"functions": 10}},
             "dynamic": {"deadheat-fasttrack": {"checks": 1000, "runtime": {}},
                         "deadheat-other": {"checks": 10, "runtime": {"slow_accesses": 5}}},
             "runs": {"native": result(1.0), "deadheat-fasttrack": result(3.0, 2000),
                      "deadheat-other": result(1.001, 4000), "tsan": result(5.0, 8000, reports=1)}},
            {"name": "two", "kind": "kernel", "failed": {"tsan": "killed after 300 s"},
             "dynamic": {"deadheat-fasttrack": {"checks": 7, "runtime": {}}},
             "runs": {"native": result(2.0), "deadheat-fasttrack": result(18.0, right=False)}},
        ],
        "planted": {"one": {"deadheat-fasttrack": planted, "tsan": {"found": 3, "runs": 5, "failed": None}}},
    }


class Tables(unittest.TestCase):
    def setUp(self):
        self.report = tables.Report(document())
        self.one, self.two = self.report.rows

    def test_overhead(self):
        self.assertAlmostEqual(tables.overhead(self.one, "deadheat-fasttrack"), 2.0)
        self.assertEqual(tables.overhead(self.one, "deadheat-other"), 0.01)  # below 1% counts as 1%
        self.assertIsNone(tables.overhead(self.two, "tsan"))

    def test_means(self):
        self.assertAlmostEqual(tables.geometric([2.0, 8.0, None]), 4.0)
        self.assertIsNone(tables.geometric([None]))
        mean = [cell.strip() for cell in self.report.time_table().splitlines()[-1].split("|")]
        self.assertIn("4.00", mean)    # fasttrack: the mean of 2 and 8
        self.assertIn("(0.50)", mean)  # fasttrack / TSan: the one program that has both

    def test_check_ratio(self):
        self.assertAlmostEqual(tables.check_ratio(self.one, "deadheat-other"), 0.01)
        self.assertIsNone(tables.check_ratio(self.two, "deadheat-other"))

    def test_entries(self):
        for name, entry in (("__dh_read8_slow", "slow path"), ("__dh_write4_unaligned_slow", "slow path"),
                            ("__dh_gather8_slow", "slow path"), ("__dh_called_write4", "called checks"),
                            ("__dh_called_read8_unaligned", "called checks"), ("__dh_write_many_slow", "range"),
                            ("__dh_read_run_slow", "range"), ("__dh_check_read_runs", "range"), ("memcpy", "range"),
                            ("__dh_foot_read", "footprint"), ("pthread_mutex_lock", "sync"), ("dh_quick", None)):
            self.assertEqual(profiling.category(name), entry, name)

    def test_verdicts(self):
        ours, _, tsan = self.report.verdict_table().splitlines()[2:]
        self.assertIn("1 of 1", ours)
        self.assertRegex(ours, r"two +\| +none \|$")  # a wrong output
        self.assertIn("3 of 5", tsan)
        self.assertIn("| one", " ".join(tsan.split()))  # missed once, and a report on a correct program

    def test_goals(self):
        text = goals.table(self.report)
        self.assertRegex(text, r"kernels: fasttrack / ThreadSanitizer +\| +0.15 \| +0.50 \| +no \|")
        self.assertNotIn("zstd", text)    # was not measured
        self.assertNotIn("shadow", text)  # neither was that
        self.assertNotIn("compile", text)
        rounds = [{"native": 2.0, "deadheat-fasttrack": seconds} for seconds in (2.8, 2.9, 9.0)]
        text = goals.table(tables.Report({**document(), "compiling": rounds}))
        self.assertRegex(text, r"compile zstd's library / clang's +\| +1.50 \| +1.45 \| +yes \|")
        sweeps = {"native": 100, "deadheat-fasttrack": 1100, "deadheat-other": 150}
        report = tables.Report({**document(), "sweeps": {"one, large": sweeps}})
        self.assertAlmostEqual(goals.shadow_ratio(report, "deadheat-other", "deadheat-fasttrack"), 0.05)

    def test_repeated(self):
        before, after = document(), document()
        self.assertTrue(all(same for _, _, _, same in repeat.pairs(before, after, "deadheat-fasttrack")))
        after["programs"][0]["runs"]["deadheat-fasttrack"] = result(3.6)  # 20% more
        self.assertIn("one 3.00 -> 3.60", repeat.table(before, after))
        before["programs"][0]["runs"]["native"]["between"] = 0.8, 1.2  # which allows for as much
        self.assertNotIn("->", repeat.table(before, after))
        after["programs"].pop()  # a program that one run does not have
        self.assertIn("1 of 1", repeat.table(before, after))

    def test_spread(self):
        self.one["runs"]["tsan"]["between"] = 4.0, 6.0
        self.one["runs"]["native"]["between"] = 0.8, 1.25
        self.assertEqual(tables.slowdown_between(self.one, "tsan"), (3.2, 7.5))
        self.assertIsNone(tables.slowdown_between(self.two, "tsan"))
        self.assertIn("3.20-7.50", self.report.spread_table())

    def test_notes(self):
        self.assertIn("DRD was not measured: not here", self.report.notes())
        self.assertIn("two, TSan: killed after 300 s", self.report.notes())

    def test_pictures(self):
        directory = os.path.join(DIRECTORY, "pictures")
        if shutil.which("gnuplot"):
            self.assertEqual(plots.all_pictures(self.report, directory), [])
            for name in ("time", "memory", "checks"):
                for suffix in ("svg", "png"):
                    self.assertGreater(os.path.getsize(os.path.join(directory, f"{name}.{suffix}")), 1000)
            lines = [("us", [(1, 2.0), (2, 3.0)]), ("them", [(1, 4.0), (2, 9.0)])]
            self.assertIsNone(plots.lines_plot(os.path.join(directory, "lines"), "title", "x", "y", lines))


class Running(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.builder = build.Builder(DEADHEAT, DIRECTORY)

    def test_detectors(self):
        detectors = modes.detectors(DEADHEAT)
        self.assertIn("fasttrack", [name for name, _ in detectors])
        self.assertEqual(sum(default for _, default in detectors), 1)

    def test_journal(self):
        path = os.path.join(DIRECTORY, "journal")
        if os.path.exists(path):
            os.remove(path)
        mode = self.builder.mode("native")
        runner = measure.Runner(self.builder, measure.Journal(path))
        jobs = [measure.Job("true", mode, ["true"], "k", 3)]
        runner.run_all(jobs)
        with open(path, "a", encoding="utf-8") as file:
            file.write('{"key": "k", "wa')  # as if it had been interrupted here
        again = measure.Journal(path)
        self.assertEqual(jobs[0].wanted(again), 0)
        self.assertEqual(len(jobs[0].counted(again)), 3)

    def test_interval(self):
        """The ranks are those that tables of the sign test have, for 5%."""
        for values, ranks in ((1, (1, 1)), (5, (1, 5)), (8, (1, 8)), (9, (2, 8)), (11, (2, 10)), (21, (6, 16)), (25, (8, 18))):
            self.assertEqual(measure.interval(range(values, 0, -1)), ranks)
        self.assertEqual(measure.doubt([1, 2, 3]), 0.5)

    def test_rounds(self):
        """Runs of a job that has few are spread over the rounds of one that has many, and doubt asks for more."""
        journal = measure.Journal(os.path.join(DIRECTORY, "rounds-not-kept"))
        runner, order = measure.Runner(self.builder, journal), []

        def step(job):
            order.append(job.key)
            wall = 1.0 + (len(order) % 5 / 10 if job.key == "unsure" else 0)
            journal.runs.setdefault(job.key, []).append({"wall": wall, "warm": False})
        mode = self.builder.mode("native")
        with mock.patch.object(runner, "step", step):
            runner.run_all([measure.Job("", mode, [], "few", 2), measure.Job("", mode, [], "many", 6, 9)])
            self.assertEqual(order, ["few", "many", "many", "many", "few", "many", "many", "many"])
            runner.run_all([measure.Job("", mode, [], "unsure", 6, 9)])
        self.assertEqual(len(journal.of("unsure")), 9)

    def test_failure(self):
        runner = measure.Runner(self.builder, measure.Journal(os.path.join(DIRECTORY, "failures")))
        job = measure.Job("false", self.builder.mode("native"), ["false"], "none", 3)
        runner.run_all([job])
        self.assertIn("exit status 1", job.failed)
        self.assertEqual(runner.run(["sleep", "60"], self.builder.mode("native"), limit=1)["error"],
                         "killed after 1 s")

    def test_compile_rounds(self):
        path = os.path.join(DIRECTORY, "compiling")
        if os.path.exists(path):
            os.remove(path)
        source = os.path.join(DIRECTORY, "small.c")
        with open(source, "w", encoding="ascii") as file:
            file.write("int x;\nint f(void) { return x; }\n")
        with mock.patch.object(compiling, "files_of", lambda builder: [source]), \
             mock.patch.object(compiling.real, "version", lambda builder, package: "1"):
            first = compiling.kept(self.builder, measure.Journal(path), 2)
            again = compiling.kept(self.builder, measure.Journal(path), 2)  # not measured a second time
        self.assertEqual((len(first), first), (2, again))
        default = next(m.name for m in self.builder.modes if m.default)
        self.assertTrue(all(ratio > 0 for ratio in compiling.ratios(first, default)))

    def test_counts(self):
        """sparse: four reads of arrays that only are read, and a read and a write of y, for each triple."""
        kernel, mode = programs.kernel("sparse"), self.builder.mode("deadheat-fasttrack")
        program = count.kernel(self.builder, kernel, mode)
        few = count.run(self.builder, [program, "2", "100", "10"])["checks"]
        many = count.run(self.builder, [program, "2", "100", "20"])["checks"]
        self.assertAlmostEqual(many - few, 10 * 100 * 5 * 6, delta=10 * 100)

    def test_planted(self):
        for kernel in programs.KERNELS:
            self.assertTrue(kernel.planted(), kernel.name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
