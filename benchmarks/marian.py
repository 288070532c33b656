#!/usr/bin/env python3
"""Compares translating and scoring with Marian: the same weights, text, search and precision, on one core.

    marian.py --model run/best --input val.en --reference val.de --marian PYTHON [--repeat 3] [--rounds 3]

The model must be one that Marian can compute (`ventris-export --format marian`; configs/multi30k-marian.json makes
such models). PYTHON has pymarian 1.12.42. The programs take turns; the table has the medians of the ratios of each
round, with the smallest and the largest. The speed is the number of target tokens (with eos) of a program's own
translations per second of processor time, or of wall time with --wall, without the time of a run with one line. A text
that takes hardly longer than the start of a program is refused; --repeat makes it longer. Both read raw text and write
raw text. Marian gets its fastest settings that give the same search: sorted batches, no scores in greedy search, and
for 8 bits the faster one of its two formats. Marian's 16 bits (packed16: floats of 16 bits) stand beside our bf16.
"""
import argparse
import collections
import pathlib
import statistics
import sys
import tempfile

import measure
import sentencepiece

HERE = pathlib.Path(__file__).resolve().parent
FORMATS = {"f32": ["float32"], "bf16": ["packed16"], "int8": ["intgemm8", "packed8avx512"]}  # of Marian
Case = collections.namedtuple("Case", "task precision beam batch")
SEARCHES = [(4, 32), (1, 32), (1, 1)]  # beam, batch
CASES = [Case("translate", precision, beam, batch) for precision in FORMATS for beam, batch in SEARCHES]
CASES += [Case("score", "f32", 1, 32)]


class Task:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.core = measure.core_list(1)
        self.marian = folder / "marian"
        self.export("marian", self.marian)
        pieces = sorted(arguments.model.glob("*.spm"))
        self.target = sentencepiece.SentencePieceProcessor(model_file=str(pieces[-1]))
        for name, path in (("source", arguments.input), ("reference", arguments.reference)):
            lines = path.read_text(encoding="utf-8").splitlines()
            for size, chosen in (("one", lines[:1]), ("all", lines * arguments.repeat)):
                (folder / f"{name}-{size}.txt").write_text("".join(line + "\n" for line in chosen), encoding="utf-8")

    def export(self, kind, output, *options):
        measure.run([self.arguments.programs / "ventris-export", "--quiet", "-m", self.arguments.model, "--format",
                     kind, "-o", output, *options], self.core)
        return output

    def packed(self, precision):
        output = self.folder / f"packed-{precision}"
        return output if output.exists() else self.export("packed", output, "--precision", precision)

    def converted(self, kind):
        """The model of Marian in one of its formats."""
        if kind == "float32":
            return self.marian / "model.npz"
        output = self.folder / f"{kind}.bin"
        if not output.exists():
            measure.run([self.arguments.marian, "-m", "pymarian", "convert", "-f", self.marian / "model.npz", "-t",
                         output, "--gemm-type", kind], self.core)
        return output

    def ours(self, case, size, output):
        model = self.packed(case.precision)
        source, reference = (self.folder / f"{name}-{size}.txt" for name in ("source", "reference"))
        if case.task == "score":
            return [self.arguments.programs / "ventris-score", "--quiet", "-m", model, "-o", "/dev/null", source,
                    reference]
        return [self.arguments.programs / "ventris-translate", "--quiet", "-m", model, "-i", source, "-o", output, "-b",
                case.beam, "-n", 1, "--mini-batch", case.batch, "--threads", 1, "--precision", case.precision,
                "--allow-unk", *(["--max-length-factor", 0.33] if self.arguments.random else [])]

    def theirs(self, case, kind, size, output):
        vocabularies = sorted(self.marian.glob("*.spm"))
        vocabularies = [vocabularies[0], vocabularies[-1]]
        source, reference = (self.folder / f"{name}-{size}.txt" for name in ("source", "reference"))
        command = "decode" if case.task == "translate" else "score"
        common = [self.arguments.marian, "-m", "pymarian", command, "--vocabs", *vocabularies,
                  "--cpu-threads", 1, "--mini-batch", case.batch, "--maxi-batch",
                  100 if case.batch > 1 else 1, "--workspace", 1000, "--quiet"]
        if case.task == "score":
            return [*common, "--model", self.converted(kind), "--train-sets", source, reference]
        return [*common, "--models", self.converted(kind), "--input", source, "--output", output, "--beam-size",
                case.beam, "--normalize", 1, "--maxi-batch-sort", "src" if case.batch > 1 else "none",
                "--quiet-translation", *(["--skip-cost"] if case.beam == 1 else []),
                *(["--max-length-factor", 1] if self.arguments.random else [])]

    def seconds(self, run):
        return run.seconds if self.arguments.wall else run.cpu_seconds

    def measure(self, case, command):
        """(target tokens per second, output lines) of command(size, output)."""
        output = self.folder / "output.txt"
        start = self.seconds(measure.run(command("one", output), self.core))
        seconds = measure.beyond_start(self.seconds(measure.run(command("all", output), self.core)), start,
                                       "give a larger --repeat")
        written = output if case.task == "translate" else self.folder / "reference-all.txt"
        lines = written.read_text(encoding="utf-8").splitlines()
        return sum(len(ids) + 1 for ids in self.target.encode(lines)) / seconds, lines


def compare(task, case, rounds):
    """The row of a case."""
    speeds, same = collections.defaultdict(list), {}
    for number in range(rounds):
        speed, ours = task.measure(case, lambda size, output: task.ours(case, size, output))
        speeds["ours"].append(speed)
        for kind in FORMATS[case.precision]:
            speed, lines = task.measure(case, lambda size, output: task.theirs(case, kind, size, output))
            speeds[kind].append(speed)
            same[kind] = sum(mine == line for mine, line in zip(ours, lines, strict=True))
        newest = ", ".join(f"{name} {values[-1]:,.0f}" for name, values in speeds.items())
        print(f"{case}: round {number + 1}: {newest}", file=sys.stderr)
    best = max(FORMATS[case.precision], key=lambda kind: statistics.median(speeds[kind]))
    ratios = [mine / theirs for mine, theirs in zip(speeds["ours"], speeds[best])]
    search = "pairs" if case.task == "score" else "greedy" if case.beam == 1 else f"beam {case.beam}"
    agreement = "-" if case.task == "score" else f"{same[best]:,} of {len(ours):,}"
    return (f"| {case.task}, {search}, batch {case.batch} | {case.precision} | {best} "
            f"| {statistics.median(speeds['ours']):,.0f} | {statistics.median(speeds[best]):,.0f} "
            f"| {measure.spread(ratios, digits=2)} | {agreement} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=pathlib.Path, required=True, help="bundle of Ventris that Marian can compute")
    parser.add_argument("--input", type=pathlib.Path, required=True, help="text to translate")
    parser.add_argument("--reference", type=pathlib.Path, required=True, help="its translations, for scoring")
    parser.add_argument("--marian", required=True, metavar="PYTHON", help="a Python that has pymarian")
    parser.add_argument("--programs", type=pathlib.Path, default=HERE.parent / "build" / "release" / "bin")
    parser.add_argument("--only", default="", help="only cases whose text (such as \"translate int8 4\") begins so")
    parser.add_argument("--repeat", type=int, default=1, help="times that the text is taken")
    parser.add_argument("--random", action="store_true",
                        help="the weights are random: a translation is about as long as its source (Marian: 1 x its "
                             "tokens; Ventris: 0.33 x its tokens + 10), because it does not end before")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--wall", action="store_true", help="wall time instead of processor time")
    arguments = parser.parse_args()
    print(f"{measure.processor()}; {arguments.rounds} rounds\n\n| what | Ventris | Marian | Ventris, target tokens/s "
          "| Marian | times as fast | same lines |\n|-|-|-|-|-|-|-|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        task = Task(arguments, pathlib.Path(folder))
        for case in CASES:
            if " ".join(map(str, case)).startswith(arguments.only):
                print(compare(task, case, arguments.rounds), flush=True)


if __name__ == "__main__":
    main()
