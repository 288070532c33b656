#!/usr/bin/env python3
"""Measures quality against speed: several models, each with several precisions, beams and with a shortlist.

    tradeoff.py --model teacher=run/averaged --model student=student/averaged --source val.en --reference val.de \\
        --lexicon run/lexicon.bin -o tradeoff.json
    ventris-plot tradeoff tradeoff.json -o tradeoff.svg

Each model translates the source on one core, in every precision of --precisions and with every beam of --beams; with
--lexicon (of ventris-vocab lexicon, for models that share their tokenizer), a shortlist is tried, too. All models are
packed. The programs take turns, --rounds times. The seconds are processor time, without those of a run with one
line, so other work on the machine matters little. Prints BLEU (--reference), sentences per second (median), and how
many times as fast each was as the first model with the first precision and the largest beam: median, smallest and
largest value. The source should be so long that a run takes a second: --repeat reads it several times. Needs Python
only.
"""
import argparse
import json
import pathlib
import re
import statistics
import sys
import tempfile

import measure

HERE = pathlib.Path(__file__).resolve().parent


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", action="append", required=True, metavar="NAME=BUNDLE",
                        help="repeatable; the first one is what the others are compared with")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--reference", type=pathlib.Path, required=True)
    parser.add_argument("--lexicon", type=pathlib.Path, help="for shortlists")
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 2, 5])
    parser.add_argument("--precisions", nargs="+", choices=["f32", "bf16", "int8"], default=["f32", "int8"])
    parser.add_argument("--batch", type=int, default=64, help="sentences per batch")
    parser.add_argument("--repeat", type=int, default=4, help="how many times the source is translated in a run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--programs", type=pathlib.Path, default=HERE.parent / "build" / "release" / "bin")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("tradeoff.json"),
                        help="file for ventris-plot tradeoff")
    return parser.parse_args()


class Contestant:
    """A model with the settings of its search."""

    def __init__(self, name, folder, precision, beam, lexicon):
        self.name = f"{name}, {precision}" + (", shortlist" if lexicon else "")
        self.beam = beam
        self.flags = ["-m", folder, "--beam-size", beam, "--threads", 1,
                      *(["--shortlist", lexicon] if lexicon else [])]
        self.seconds = []


def contestants(options, folder):
    found = []
    for number, entry in enumerate(options.model):
        name, _, bundle = entry.partition("=")
        if not bundle:
            raise SystemExit(f"--model: expected NAME=BUNDLE, got {entry}")
        for precision in options.precisions:
            model = measure.export_packed(options.programs, bundle, precision, folder / f"{number}-{precision}")
            for lexicon in [None] + ([options.lexicon] if options.lexicon else []):
                found += [Contestant(name, model, precision, beam, lexicon) for beam in options.beams]
    return found


def translate(options, contestant, source, output):
    return measure.run([options.programs / "ventris-translate", "--quiet", *contestant.flags, "-i", source, "-o",
                        output, "--mini-batch", options.batch], measure.core_list(1)).cpu_seconds


def bleu(options, output):
    found = measure.run([options.programs / "ventris-evaluate", options.reference, "-i", output, "-m", "bleu",
                         "--format", "text", "-w", "2"], measure.core_list(1)).out
    return float(re.search(r"BLEU.*? = ([\d.]+)", found).group(1))


def measure_all(options, folder):
    """The contestants, with the seconds of their rounds and BLEU."""
    text = options.source.read_text(encoding="utf-8")
    line, long = folder / "line", folder / "long"
    line.write_text(text.splitlines()[0] + "\n", encoding="utf-8")
    long.write_text(text * options.repeat, encoding="utf-8")
    found = contestants(options, folder)
    for number in range(options.rounds):
        for contestant in found:
            whole = translate(options, contestant, long, folder / "out")
            contestant.seconds.append(measure.beyond_start(
                whole, translate(options, contestant, line, folder / "out"), "set --repeat higher"))
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
    for contestant in found:
        translate(options, contestant, options.source, folder / "out")
        contestant.bleu = bleu(options, folder / "out")
    return found, len(long.read_text(encoding="utf-8").splitlines())


def main():
    options = parse()
    with tempfile.TemporaryDirectory() as folder:
        found, lines = measure_all(options, pathlib.Path(folder))
    first = next(one for one in found if one.beam == max(options.beams))
    points = []
    print(f"{measure.processor()}; batches of {options.batch}, {options.rounds} rounds\n")
    print(f"| model | beam | BLEU | sentences/s | times as fast as {first.name}, beam {first.beam} |")
    print("|-" * 5 + "|")
    for one in found:
        speed = lines / statistics.median(one.seconds)
        ratios = [theirs / mine for theirs, mine in zip(first.seconds, one.seconds)]
        points.append({"model": one.name, "beam": one.beam, "sentences_per_second": round(speed, 1), "bleu": one.bleu})
        print(f"| {one.name} | {one.beam} | {one.bleu:.2f} | {speed:,.0f} | {measure.spread(ratios, digits=2)} |")
    result = {"machine": measure.processor(), "points": points}
    options.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
