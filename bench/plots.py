"""Pictures of the results, as SVG and PNG, by gnuplot."""
import math
import os
import shutil
import subprocess

import tables

COLOURS = ["#c0392b", "#e67e22", "#f1c40f", "#16a085", "#2980b9", "#7f8c8d", "#34495e", "#8e44ad", "#2ecc71"]


def gnuplot(script):
    """Why there is no picture, or None."""
    if not shutil.which("gnuplot"):
        return "gnuplot is not installed: no pictures"
    done = subprocess.run(["gnuplot"], input=script, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    return None if done.returncode == 0 else "gnuplot fails: " + done.stdout.strip()


def quoted(text):
    return '"' + text.replace('"', "'") + '"'


def picture(path, width, height, body):
    """The same picture in both formats."""
    script = []
    for suffix, terminal in (("svg", f"svg size {width},{height} font 'sans,13' background rgb 'white'"),
                             ("png", f"pngcairo size {width},{height} font 'sans,11'")):
        script += [f"set terminal {terminal}", f"set output {quoted(path + '.' + suffix)}", body, "unset output"]
    return gnuplot("\n".join(script) + "\n")


WIDTH = 1400  # of a row of bars


def bars(path, title, axis, names, series, logarithmic=False):
    """Clusters of bars, in as many rows as a page is wide: series is a list of (label, values), a value for each
    name; None is left out."""
    cluster = 13 * len(series) + 22
    rows = math.ceil(len(names) * cluster / WIDTH)
    each = math.ceil(len(names) / rows)
    lines = []
    for row in range(rows):
        lines.append(f"$row{row} << EOD")
        for i in range(row * each, min((row + 1) * each, len(names))):
            values = [values[i] for _, values in series]
            lines.append(" ".join([quoted(names[i])] + ["NaN" if v is None else f"{v:.6g}" for v in values]))
        lines.append("EOD")
    known = [v for _, values in series for v in values if v]
    lines += [f"set ylabel {quoted(axis)}", "set style data histogram",
              "set style histogram clustered gap 1.5", "set style fill solid 0.9 noborder",
              "set boxwidth 0.9 relative", "set grid ytics lc rgb '#cccccc'", "set xtics nomirror",
              "set key outside top center horizontal", "set border 3", "set ytics nomirror", "set datafile missing 'NaN'",
              "set logscale y" if logarithmic else "unset logscale",
              f"set yrange [{min(0.9, min(known + [1.0]) * 0.8) if logarithmic else 0:.4g}:{max(known + [1.0]) * 1.2:.4g}]",
              f"set multiplot layout {rows},1 title {quoted(title)}"]
    for row in range(rows):
        plots = [f"$row{row} using {i + 2}:xtic(1) title {quoted(label)} lc rgb '{COLOURS[i % len(COLOURS)]}'"
                 for i, (label, _) in enumerate(series)]
        lines += ["plot " + ", ".join(plots), "unset key"]
    lines += ["unset multiplot", "unset title"]
    return picture(path, 90 + each * cluster, 60 + 330 * rows, "\n".join(lines))


def lines_plot(path, title, x_axis, y_axis, series):
    """Lines over doubly logarithmic axes: series is a list of (label, [(x, y)])."""
    script = []
    for i, (_, points) in enumerate(series):
        script += [f"$line{i} << EOD", *(f"{x:.6g} {y:.6g}" for x, y in points), "EOD"]
    script += [f"set title {quoted(title)}", f"set xlabel {quoted(x_axis)}", f"set ylabel {quoted(y_axis)}",
               "set logscale xy", "set logscale x 2", "set grid lc rgb '#cccccc'", "set key outside right top",
               "set border 3", "set tics nomirror"]
    script.append("plot " + ", ".join(
        f"$line{i} using 1:2 with linespoints lw 2 pt 7 ps 0.6 lc rgb '{COLOURS[i % len(COLOURS)]}' title {quoted(label)}"
        for i, (label, _) in enumerate(series)))
    return picture(path, 900, 480, "\n".join(script))


def all_pictures(report, directory):
    """Time, memory, check ratio. Returns the messages of what did not work."""
    os.makedirs(directory, exist_ok=True)
    names = [p["name"] for p in report.rows] + ["geo mean"]

    def column(of):
        values = [of(p) for p in report.rows]
        return values + [tables.geometric(values)]

    def slowdown(name):
        return column(lambda p: tables.slowdown(p, name))

    problems = [
        bars(os.path.join(directory, "time"), "Time: how many times slower than native (lower is better)",
             "x native, logarithmic", names, [(m["label"], slowdown(m["name"])) for m in report.tools], True),
        bars(os.path.join(directory, "memory"), "Peak memory: how many times the native program's (lower is better)",
             "x native, logarithmic", names,
             [(m["label"], column(lambda p, m=m: tables.memory(p, m["name"]))) for m in report.tools], True),
    ]
    counted = [p for p in report.rows if p.get("dynamic")]
    if counted:
        series = [(m["label"], [tables.check_ratio(p, m["name"]) for p in counted]) for m in report.ours]
        problems.append(bars(os.path.join(directory, "checks"), "Checks executed for each access", "checks / accesses",
                             [p["name"] for p in counted], series))
    return sorted({p for p in problems if p})
