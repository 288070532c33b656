#!/usr/bin/env python3
"""Compares ventris-translate with and without a shortlist: the same model, precision and search.

    shortlist.py --model run/best --lexicon lexicon.bin --input test.en [--reference test.de] [--first N] [--best K]

The two take turns on one core. The speed is the number of target tokens (including eos) per second of processor time,
without the time of a run that translates only the first line. With --longest, every
translation has as many tokens as its source and 10 more: for models with random weights, which do not end.
"""
import argparse
import json
import pathlib
import statistics
import tempfile

import measure

HERE = pathlib.Path(__file__).resolve().parent


def command(arguments, short, source, output):
    words = [arguments.programs / "ventris-translate", "-m", arguments.model, "-i", source, "-o", output, "-b",
             arguments.beam_size, "--mini-batch", arguments.batch, "--precision", arguments.precision, "--threads", 1]
    if arguments.longest:
        words += ["-n", 0, "--min-length", 1000, "--max-length-factor", 1]
    if short:
        words += ["--shortlist", arguments.lexicon]
        words += ["--shortlist-first", arguments.first] if arguments.first is not None else []
        words += ["--shortlist-best", arguments.best] if arguments.best is not None else []
    return words


def run(arguments, folder, short):
    """Returns (target tokens per second, seconds of the first line, peak MiB, lines)."""
    first, output = folder / "first.txt", folder / "output.txt"
    core = measure.core_list(1)
    start = measure.run(command(arguments, short, first, output), core)
    whole = measure.run(command(arguments, short, arguments.input, output), core)
    lines = output.read_text(encoding="utf-8").splitlines()
    encoded = measure.run([arguments.programs / "ventris-vocab", "encode", "-m", arguments.tokenizer, "-i", output], core)
    tokens = len(encoded.out.split()) + len(lines)  # with eos
    return tokens / measure.beyond_start(whole.cpu_seconds, start.cpu_seconds), start.cpu_seconds, whole.peak_mib, lines


def bleu(arguments, folder, lines):
    if arguments.reference is None:
        return "-"
    output = folder / "output.txt"
    output.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    program = arguments.programs / "ventris-evaluate"
    report = measure.run([program, arguments.reference, "-i", output, "-m", "bleu", "--format", "json", "--width", 2], "0").out
    return f"{json.loads(report)['score']:.2f}"


def report(arguments, folder, rounds):
    print(f"{measure.processor()}\n\n| shortlist | target tokens/s | one line, s | peak MiB | BLEU |\n|-|-|-|-|-|")
    for i, name in enumerate(("no", "yes")):
        speeds, starts, peaks, lines = zip(*(both[i] for both in rounds))
        print(f"| {name} | {measure.spread(speeds)} | {statistics.median(starts):.2f} "
              f"| {statistics.median(peaks):,.0f} | {bleu(arguments, folder, lines[0])} |")
    plain, short = rounds[0][0][3], rounds[0][1][3]
    same = sum(a == b for a, b in zip(plain, short, strict=True))
    print(f"\nThe shortlist is {measure.spread([both[1][0] / both[0][0] for both in rounds], digits=2)} times as fast; "
          f"{same} of {len(plain)} lines are the same.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=pathlib.Path, required=True, help="bundle of Ventris")
    parser.add_argument("--lexicon", type=pathlib.Path, required=True, help="file of ventris-vocab lexicon")
    parser.add_argument("--input", type=pathlib.Path, required=True, help="text to translate")
    parser.add_argument("--reference", type=pathlib.Path, help="reference translations, for BLEU")
    parser.add_argument("--programs", type=pathlib.Path, default=HERE.parent / "build" / "release" / "bin")
    parser.add_argument("--first", type=int, help="--shortlist-first")
    parser.add_argument("--best", type=int, help="--shortlist-best")
    parser.add_argument("--beam-size", type=int, default=5)
    parser.add_argument("--batch", type=int, default=32, help="sentences per batch")
    parser.add_argument("--precision", choices=["f32", "bf16", "int8"], default="f32", help="of the matrix products")
    parser.add_argument("--longest", action="store_true", help="no translation ends before source tokens + 10")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    files = [arguments.model / name for name in ("target.spm", "source.spm")]
    arguments.tokenizer = next(file for file in files if file.exists())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with open(arguments.input, encoding="utf-8") as file:
            (folder / "first.txt").write_text(file.readline())
        rounds = [[run(arguments, folder, short) for short in (False, True)]
                  for _ in range(arguments.rounds)]
        report(arguments, folder, rounds)


if __name__ == "__main__":
    main()
