#!/usr/bin/env python3
"""Compares ventris-score with CTranslate2's score_batch: the same weights, pairs and precision, on one core.

    score.py --train train.en train.de --pairs val.en val.de [--models DIR] [--rounds 3] [--wall]

It makes the two models of engine.py with random weights (--models keeps them), or takes a bundle (--bundle). The programs
take turns. The speed is the number of target tokens (with eos) per second of processor time, or of wall time with
--wall, without the start: the time of a run with one pair is subtracted. First, the scores in f32 are compared.
CTranslate2 gets its best settings: pairs sorted by length, batches of 2,048 tokens. Run it with a Python that has
ctranslate2 and sentencepiece.
"""
import argparse
import contextlib
import json
import pathlib
import statistics
import sys
import tempfile

import engine
import measure

HERE = pathlib.Path(__file__).resolve().parent
COMPUTE_TYPES = {"f32": "float32", "int8": "int8"}

# Runs in a process of its own, so that the number of threads holds from the start. Writes one score per line.
PEER = r"""
import json, sys
import ctranslate2, sentencepiece
converted, bundle, source, target, output, compute_type = sys.argv[1:7]
translator = ctranslate2.Translator(converted, device="cpu", compute_type=compute_type, inter_threads=1,
                                    intra_threads=1)
shared = json.load(open(bundle + "/config.json"))["tokenizer"]["shared"]
pieces = [sentencepiece.SentencePieceProcessor(model_file=f"{bundle}/{name}.spm")
          for name in ("source", "source" if shared else "target")]
sides = [[model.encode(line.rstrip("\n"), out_type=str) for line in open(path, encoding="utf-8")]
         for model, path in zip(pieces, (source, target))]
results = translator.score_batch(sides[0], sides[1], max_batch_size=2048,
                                 batch_type="tokens")
open(output, "w").writelines(f"{sum(result.log_probs):.6f}\n" for result in results)
print(sum(len(row) + 1 for row in sides[1]))
"""


class Task:
    def __init__(self, bundle, precision, arguments, folder):
        self.bundle, self.precision, self.arguments, self.folder = bundle, precision, arguments, folder
        self.converted, self.packed = folder / "ctranslate2", folder / "packed"
        self.core = measure.core_list(1)
        self.export("ctranslate2", self.converted)
        self.export("packed", self.packed, "--precision", precision)
        for number, path in enumerate(arguments.pairs):
            with open(path, encoding="utf-8") as file:
                (folder / f"first.{number}").write_text(file.readline(), encoding="utf-8")
        self.first = [folder / "first.0", folder / "first.1"]

    def export(self, kind, output, *options):
        measure.run([self.arguments.programs / "ventris-export", "--quiet", "-m", self.bundle, "--format", kind, "-o",
                     output, *options], self.core)

    def ours(self, pairs):
        return measure.run([self.arguments.programs / "ventris-score", "-m", self.packed, *pairs, "-o",
                            self.folder / "ours", "--threads", 1, "--quiet"], self.core, engine.LIKE_AVX512)

    def theirs(self, pairs):
        return measure.run([sys.executable, "-c", PEER, self.converted, self.bundle, *pairs, self.folder / "theirs",
                            COMPUTE_TYPES[self.precision]], self.core, engine.LIKE_AVX512)

    def speed(self, run):
        """Target tokens per second without the start, and the number of tokens if the program says it."""
        key = "seconds" if self.arguments.wall else "cpu_seconds"
        whole = run(self.arguments.pairs)
        return getattr(whole, key) - getattr(run(self.first), key), whole

    def scores(self, name):
        return [float(line) for line in (self.folder / name).read_text().splitlines()]


def compare(name, bundle, precision, arguments):
    """Prints the row of a model and a precision."""
    with tempfile.TemporaryDirectory() as folder:
        task = Task(bundle, precision, arguments, pathlib.Path(folder))
        speeds = []
        for _ in range(arguments.rounds):
            ours, _ = task.speed(task.ours)
            theirs, run = task.speed(task.theirs)
            tokens = int(run.out)
            speeds.append((tokens / ours, tokens / theirs))
        task.ours(arguments.pairs)
        task.theirs(arguments.pairs)
        difference = max(abs(a - b) for a, b in zip(task.scores("ours"), task.scores("theirs"), strict=True))
        ratio = measure.spread([a / b for a, b in speeds], digits=2)
        print(f"| {name}, {precision} | {statistics.median(a for a, _ in speeds):,.0f} "
              f"| {statistics.median(b for _, b in speeds):,.0f} | {ratio} | {difference:.1e} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=pathlib.Path, nargs=2, help="text for the tokenizers of the models")
    parser.add_argument("--pairs", type=pathlib.Path, nargs=2, required=True, help="sources and targets to score")
    parser.add_argument("--bundle", type=pathlib.Path, help="a trained model instead of the two with random weights")
    parser.add_argument("--models", type=pathlib.Path, help="folder for the models, which are kept")
    parser.add_argument("--programs", type=pathlib.Path, default=HERE.parent / "build" / "release" / "bin")
    parser.add_argument("--only", default="", help="measure only rows whose name contains this text")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--wall", action="store_true", help="wall time instead of processor time")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        if arguments.bundle:
            bundles = {arguments.bundle.name: arguments.bundle}
        else:
            arguments.models = arguments.models or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            arguments.models.mkdir(parents=True, exist_ok=True)
            bundles = {name: engine.make_model(name, arguments) for name in engine.SETTINGS}
        print(measure.processor())
        print("| model | Ventris, target tokens/s | CTranslate2 | times as fast | largest difference of a score |\n"
              "|-|-|-|-|-|", flush=True)
        for name, bundle in bundles.items():
            for precision in COMPUTE_TYPES:
                if arguments.only in f"{name}, {precision}":
                    compare(name, bundle, precision, arguments)


if __name__ == "__main__":
    main()
