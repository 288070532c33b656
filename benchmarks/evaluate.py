#!/usr/bin/env python3
"""Compares the speed of ventris-evaluate with that of sacreBLEU: BLEU, chrF, chrF++ and TER of the same lines.

    evaluate.py --reference train.de.gz [--lines 100000]

The programs take turns on one core. The hypotheses are copies of the references in which random words are deleted,
doubled, replaced or moved. The CPU time of the whole program is measured, including start and reading. The scores must
be equal to 9 digits after the decimal point. Run it with a Python that has sacrebleu.
"""
import argparse
import gzip
import itertools
import pathlib
import random
import statistics
import sys
import tempfile

import measure

HERE = pathlib.Path(__file__).resolve().parent
METRICS = {"BLEU": ["-m", "bleu"], "chrF": ["-m", "chrf"], "chrF++": ["-m", "chrf", "-cw", "2"], "TER": ["-m", "ter"],
           "interval": ["-m", "bleu", "--confidence"]}  # sacreBLEU takes 48 bytes per line and resample for it


def read_lines(path, count):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="\n") as file:
        lines = [line.rstrip() for line in itertools.islice(file, count)]
    if not lines:
        raise SystemExit(f"{path} is empty")
    return list(itertools.islice(itertools.cycle(lines), count))


def worsened(line, dice):
    words = []
    for word in line.split():
        draw = dice.random()
        if draw < 0.05:
            continue
        words += [word, word] if draw < 0.08 else ["etwas"] if draw < 0.15 else [word]
    if len(words) > 3 and dice.random() < 0.5:
        start = dice.randrange(len(words) - 2)
        moved = [words.pop(start) for _ in range(dice.randint(1, 2))]
        target = dice.randint(0, len(words))
        words[target:target] = moved
    return " ".join(words)


def compare(name, flags, files, arguments):
    """Prints one row of the table. Raises RuntimeError if the scores differ."""
    common = [files["ref"], "-i", files["hyp"], *flags, "-b", "-w", "9"]
    ours = [arguments.programs / "ventris-evaluate", *common, "--threads", "1", "--quiet"]
    theirs = [sys.executable, "-m", "sacrebleu", *common, "--quiet"]
    core = measure.core_list(1)
    runs = [(measure.run(ours, core), measure.run(theirs, core)) for _ in range(arguments.rounds)]
    if runs[0][0].out != runs[0][1].out:
        raise RuntimeError(f"{name}: ours is {runs[0][0].out.strip()}, theirs {runs[0][1].out.strip()}")
    ratios = [theirs.cpu_seconds / ours.cpu_seconds for ours, theirs in runs]
    seconds = [statistics.median(run.cpu_seconds for run in side) for side in zip(*runs)]
    memory = [max(run.peak_mib for run in side) for side in zip(*runs)]
    print(f"| {name} | {seconds[0]:.2f} | {seconds[1]:.1f} | {measure.spread(ratios, 1)} | "
          f"{memory[0]:,.0f} | {memory[1]:,.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", type=pathlib.Path, required=True, help="reference text, one sentence per line")
    parser.add_argument("--lines", type=int, default=100_000, help="lines to score; a shorter text is repeated")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--metrics", nargs="+", choices=METRICS, default=["BLEU", "chrF", "chrF++", "TER"],
                        help="interval: BLEU with a confidence interval; sacreBLEU takes 5 GB for 100,000 lines")
    parser.add_argument("--programs", type=pathlib.Path, default=HERE.parent / "build/release/bin")
    arguments = parser.parse_args()

    dice = random.Random(1)
    references = read_lines(arguments.reference, arguments.lines)
    with tempfile.TemporaryDirectory() as folder:
        files = {name: pathlib.Path(folder) / name for name in ("ref", "hyp")}
        files["ref"].write_text("".join(line + "\n" for line in references), encoding="utf-8")
        files["hyp"].write_text("".join(worsened(line, dice) + "\n" for line in references), encoding="utf-8")
        print(f"{measure.processor()}; {len(references):,} lines, {arguments.rounds} rounds\n")
        print("| metric | ventris-evaluate, s | sacreBLEU, s | times as fast | MiB | sacreBLEU, MiB |\n" + "|---" * 6 + "|")
        for name in arguments.metrics:
            compare(name, METRICS[name], files, arguments)


if __name__ == "__main__":
    main()
