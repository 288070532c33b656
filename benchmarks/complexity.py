#!/usr/bin/env python3
"""Measures what one layer of each kind costs, by the length n of a sequence and the width d of a position.

    cmake --build build/release --target time_layer
    complexity.py -o complexity.json             # --quick: less than a minute
    ventris-plot complexity complexity.json -o complexity.svg

Times lib/modules/nn's recurrent layer (GRU), a convolution, and attention of each kind, forward and backward, on one core and
one sequence, in CPU seconds. Prints a table: the exponents of n and d that fit the times, beside the order that
textbooks give. Sizes that exceed the limits of memory or time are left out. Needs Python only.
"""
import argparse
import collections
import json
import math
import pathlib
import resource
import statistics
import subprocess
import sys

import measure

Order = collections.namedtuple("Order", "time path n d")  # the textbook's: texts, and exponents of n and d
ORDERS = {
    "recurrent": Order("O(n d^2)", "O(n)", 1, 2),
    "convolution": Order("O(k n d^2)", "O(n / k)", 1, 2),
    "full": Order("O(n^2 d)", "O(1)", 2, 1),
    "window": Order("O(n w d)", "O(n / w)", 1, 1),
    "linear": Order("O(n d^2 / heads)", "O(1)", 1, 1),  # the width of a head is fixed
    "low_rank": Order("O(n k d)", "O(1)", 1, 1),
    "segment": Order("O(n (s + m) d)", "O(n / m)", 1, 1),
}
LARGE = 4  # exponents are fitted to this many of the largest sizes


def time_layer(arguments, kind, n, d):
    """What the program measured, or None if it exceeded a limit."""
    limit = int(arguments.memory * 2**20)
    command = ["taskset", "-c", measure.core_list(1), arguments.program, kind, str(n), str(d),
               "--kernel", str(arguments.kernel), "--window", str(arguments.window),
               "--low-rank-size", str(arguments.low_rank_size), "--segment", str(arguments.segment),
               "--memory", str(arguments.segment_memory), "--seconds", str(arguments.seconds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=arguments.longest,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
    except subprocess.TimeoutExpired:
        return None
    if done.returncode == 5:
        return None
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return json.loads(done.stdout)


def measure_all(arguments):
    points = []
    for kind in ORDERS:
        for d in arguments.d:
            for n in arguments.n:
                point = time_layer(arguments, kind, n, d)
                if point is None:
                    print(f"{kind}, d = {d}: n = {n} and more are over the limits", file=sys.stderr)
                    break
                points.append(point)
        print(f"{kind}: measured", file=sys.stderr)
    return points


def exponent(points, variable, value):
    """The slope of log(value) over log(variable) for the largest sizes; None for fewer than two."""
    points = sorted(points, key=lambda point: point[variable])[-LARGE:]
    points = [point for point in points if value(point) > 0]
    if len(points) < 2:
        return None
    return statistics.linear_regression([math.log(point[variable]) for point in points],
                                        [math.log(value(point)) for point in points]).slope


def seconds(point):
    return point["forward"] + point["backward"]


def fit(points, kind):
    """The exponents of a kind: of n for the smallest and the largest d, of d for the largest n, and of n in memory."""
    mine = [point for point in points if point["kind"] == kind]
    widths, lengths = [point["d"] for point in mine], [point["n"] for point in mine]
    with_d = {d: [point for point in mine if point["d"] == d] for d in (min(widths), max(widths))}
    longest = max(n for n in lengths if lengths.count(n) == max(map(lengths.count, lengths)))
    at_longest = [point for point in mine if point["n"] == longest]
    return {
        "n_at_smallest_d": exponent(with_d[min(widths)], "n", seconds),
        "n_at_largest_d": exponent(with_d[max(widths)], "n", seconds),
        "d": exponent(at_longest, "d", seconds),
        "memory_n": exponent(with_d[max(widths)], "n", lambda point: point["mib"]),
        "longest": longest,
        "seconds": max(seconds(point) for point in at_longest),
        "mib": max(point["mib"] for point in at_longest),
    }


def shown(value):
    return "-" if value is None else f"{value:.2f}"


def table(fits, points):
    widths = [point["d"] for point in points]
    small, large = min(widths), max(widths)
    lines = ["Exponents that fit the times, with the textbook's in brackets:", "",
             f"| layer | textbook | path | of n, d = {small} | of n, d = {large} | of d, longest n | of n in memory | "
             f"longest n: seconds, MiB |", "|---|---|---|---|---|---|---|---|"]
    for kind, found in fits.items():
        order = ORDERS[kind]
        lines.append(f"| {kind} | {order.time} | {order.path} | {shown(found['n_at_smallest_d'])} ({order.n}) | "
                     f"{shown(found['n_at_largest_d'])} ({order.n}) | {shown(found['d'])} ({order.d}) | "
                     f"{shown(found['memory_n'])} | {found['longest']}: {found['seconds']:.3g}, {found['mib']:.0f} |")
    return "\n".join(lines)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = pathlib.Path(__file__).resolve().parent.parent / "build/release/bin/time_layer"
    parser.add_argument("--program", default=str(default), help="time_layer (default: that of build/release)")
    parser.add_argument("-o", "--output", default="complexity.json", help="file for ventris-plot complexity")
    parser.add_argument("--n", type=int, nargs="+", default=[2**i for i in range(6, 14)], help="lengths")
    parser.add_argument("--d", type=int, nargs="+", default=[64, 128, 256, 512], help="widths, multiples of 64")
    parser.add_argument("--kernel", type=int, default=3, help="width k of the convolution")
    parser.add_argument("--window", type=int, default=64, help="positions to each side in windowed attention")
    parser.add_argument("--low-rank-size", type=int, default=128, help="mixtures k of low-rank attention")
    parser.add_argument("--segment", type=int, default=64, help="positions s of a segment")
    parser.add_argument("--segment-memory", type=int, default=64, help="positions m before a segment that it sees")
    parser.add_argument("--seconds", type=float, default=0.2, help="repeat each measurement for at least this long")
    parser.add_argument("--longest", type=float, default=60, help="seconds after which a size is given up")
    parser.add_argument("--memory", type=float, default=4096, help="MiB after which a size is given up")
    parser.add_argument("--quick", action="store_true", help="a trial: n up to 1024, d = 64 and 128")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.n, arguments.d, arguments.seconds = [64, 256, 1024], [64, 128], 0.02
    if not pathlib.Path(arguments.program).is_file():
        parser.error(f"{arguments.program} is missing; build it: cmake --build build/release --target time_layer")
    return arguments


def main():
    arguments = parse()
    points = measure_all(arguments)
    fits = {kind: fit(points, kind) for kind in ORDERS if any(point["kind"] == kind for point in points)}
    result = {"machine": measure.processor(), "threads": 1, "kernel": arguments.kernel, "window": arguments.window,
              "low_rank_size": arguments.low_rank_size, "segment": arguments.segment,
              "segment_memory": arguments.segment_memory, "points": points, "exponents": fits}
    pathlib.Path(arguments.output).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(table(fits, points))


if __name__ == "__main__":
    main()
