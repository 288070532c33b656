#!/usr/bin/env python3
"""Compares ventris-align with eflomal and, if it is installed, with fast_align as packaged by systran-align: alignment
error rate, precision and recall, seconds of processor time, and peak memory.

    align.py --text test.ro test.en --gold test.gold --gold-base 1 --programs build/release/bin
    align.py --text train.en train.de      # without a gold alignment: only time and memory

The text is tokenized, one sentence per line, plain. All programs align the same lines, one after another in each round,
and learn from these lines and those of --extra. The links of both directions of eflomal are combined here, in the way
that --symmetrize names, with the same rule as in ventris-align; fast_align combines its own with grow-diag-final-and.
Needs Python packages: eflomal, and perhaps systran-align. Prints a table in Markdown: medians over the rounds.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

NEIGHBOURS = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]

FAST_ALIGN = """
import sys, systran_align
pairs, source, target, out, folder = sys.argv[1:]
forward, backward = folder + "/forward", folder + "/backward"
systran_align.generate_alignment_probabilities(pairs, forward, backward, False, 5, True, -4, 4, True, True)
aligner = systran_align.Aligner(forward, backward)
lines = lambda path: [line.split() for line in open(path, encoding="utf-8")]
with open(out, "w") as links:
    for source_line, target_line in zip(lines(source), lines(target)):
        found = aligner.align(source_line, target_line)["alignments"] if source_line and target_line else []
        links.write(" ".join(f"{i}-{j}" for i, j in found) + "\\n")
"""


def measured(command):
    """Runs a command; returns its seconds of processor time and its peak memory in MiB, with those of its children."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed: {errors.decode()[-500:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def links_of(line):
    return {tuple(int(number) for number in link.split("-")) for link in line.split()}


def symmetrized(forward, backward, how):
    simple = {"forward": forward, "backward": backward, "union": forward | backward,
              "intersection": forward & backward}
    if how in simple:
        return simple[how]
    links, union = set(forward & backward), forward | backward
    sources, targets = {i for i, _ in links}, {j for _, j in links}

    def add(link):
        links.add(link)
        sources.add(link[0])
        targets.add(link[1])

    grown = True
    while grown:
        grown = False
        for i, j in sorted(links):
            for di, dj in NEIGHBOURS:
                link = (i + di, j + dj)
                if link in union and link not in links and not (link[0] in sources and link[1] in targets):
                    add(link)
                    grown = True
    if how == "grow-diag-final-and":
        for link in [*sorted(forward), *sorted(backward)]:
            if link[0] not in sources and link[1] not in targets:
                add(link)
    return links


def run_ventris(arguments, text, out, folder):
    return measured([arguments.programs / "ventris-align", "--quiet", "--tokenized", "--threads", arguments.threads,
                     "--symmetrize", arguments.symmetrize, "--train", *text, "-o", out])


def run_eflomal(arguments, text, out, folder):
    forward, backward = folder / "forward", folder / "backward"
    program = pathlib.Path(sys.executable).parent / "eflomal-align"
    used = measured([program, "-s", text[0], "-t", text[1], "-f", forward, "-r", backward, "--overwrite"])
    with open(out, "w", encoding="ascii") as links:
        for a, b in zip(open(forward), open(backward)):
            both = symmetrized(links_of(a), links_of(b), arguments.symmetrize)
            links.write(" ".join(f"{i}-{j}" for i, j in sorted(both)) + "\n")
    return used


def run_fast_align(arguments, text, out, folder):
    pairs = folder / "pairs"
    with open(pairs, "w", encoding="utf-8") as lines:
        for source, target in zip(open(text[0], encoding="utf-8"), open(text[1], encoding="utf-8")):
            if source.split() and target.split():
                lines.write(f"{source.strip()} ||| {target.strip()}\n")
    return measured([sys.executable, "-c", FAST_ALIGN, pairs, text[0], text[1], out, folder])


def scores(arguments, out):
    """AER, precision, recall of the lines of --text; nothing without a gold alignment."""
    if not arguments.gold:
        return None
    count = sum(1 for _ in open(arguments.gold, "rb"))
    cut = out.with_suffix(".cut")
    cut.write_text("".join(open(out).readlines()[:count]))
    command = [arguments.programs / "ventris-evaluate", "--aer", arguments.gold, "--gold-base",
               str(arguments.gold_base), "-i", cut]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found["score"], found["precision"], found["recall"]


def joined(files, folder, name):
    """One file with the lines of all of them."""
    path = folder / name
    path.write_bytes(b"".join(pathlib.Path(file).read_bytes() for file in files))
    return path


def has_fast_align():
    return subprocess.run([sys.executable, "-c", "import systran_align"], capture_output=True).returncode == 0


def measure(arguments, folder):
    text = [joined([arguments.text[side], *arguments.extra[side::2]], folder, f"text.{side}") for side in (0, 1)]
    programs = {"ventris-align": run_ventris, "eflomal": run_eflomal}
    if has_fast_align():
        programs["fast_align"] = run_fast_align
    results = {name: [] for name in programs}
    for number in range(arguments.rounds):
        for name, program in programs.items():
            out = folder / f"{name}.{number}"
            results[name].append((program(arguments, text, out, folder), scores(arguments, out)))
    return results


def median(values):
    return statistics.median(values)


def report(results):
    print("| program | AER | precision | recall | processor seconds | peak MiB |\n|---|---|---|---|---|---|")
    for name, rounds in results.items():
        quality = ["", "", ""]
        if rounds[0][1]:
            quality = [f"{median(found[i] for _, found in rounds):.1f}" for i in range(3)]
        seconds, memory = (median(used[i] for used, _ in rounds) for i in (0, 1))
        print(f"| {name} | {' | '.join(quality)} | {seconds:.1f} | {memory:.0f} |")
    ratios = [other[0][0] / own[0][0] for own, other in zip(results["ventris-align"], results["eflomal"])]
    print(f"\nventris-align is {median(ratios):.2f} times as fast as eflomal ({min(ratios):.2f} to {max(ratios):.2f} "
          f"in {len(ratios)} rounds, processor time)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", nargs=2, required=True, metavar=("SRC", "TGT"))
    parser.add_argument("--extra", nargs=2, action="extend", default=[], metavar=("SRC", "TGT"),
                        help="more text to learn from (repeatable)")
    parser.add_argument("--gold", help="gold alignment of --text")
    parser.add_argument("--gold-base", type=int, default=0)
    parser.add_argument("--symmetrize", default="grow-diag-final-and")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("build/release/bin"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report(measure(arguments, pathlib.Path(folder)))


if __name__ == "__main__":
    main()
