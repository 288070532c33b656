#!/usr/bin/env python3
"""Compares the speed of ventris-translate with that of CTranslate2: beam search with the same weights.

    translate.py --model run/best --input test.en [--reference test.de]

The programs take turns on one core. Both read raw text and write raw text. The speed is the number of target tokens
(including eos) per second. From the wall time, the time of a run that translates only the first line is subtracted, so
that loading does not count. The time of that run is printed, too. Run it with a Python that has ctranslate2, numpy,
safetensors and sentencepiece (and sacrebleu, with --reference).
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile

import measure
import sentencepiece

HERE = pathlib.Path(__file__).resolve().parent
OURS, THEIRS = "ventris-translate", "CTranslate2"


class Task:
    """What both programs translate, and with which settings."""

    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.converted = folder / "ctranslate2"
        config = json.loads((arguments.model / "config.json").read_text())
        self.alpha = arguments.alpha if arguments.alpha is not None else config["decoding"]["length_alpha"]
        shared = config["tokenizer"]["shared"]
        self.target = sentencepiece.SentencePieceProcessor(
            model_file=str(arguments.model / ("source.spm" if shared else "target.spm")))
        self.first_line = folder / "first.txt"
        with open(arguments.input, encoding="utf-8") as file:
            self.first_line.write_text(file.readline())

    def command(self, name, source, output):
        beam, batch = self.arguments.beam_size, self.arguments.batch
        if name == OURS:
            return [self.arguments.programs / "ventris-translate", "-m", self.arguments.model, "-i", source,
                    "-o", output, "-b", beam, "-n", self.alpha, "--mini-batch", batch, "--threads", 1]
        return [sys.executable, HERE / "translate_with_ctranslate2.py", self.converted, self.arguments.model, source,
                output, "--beam-size", beam, "--alpha", self.alpha, "--batch", batch]

    def run(self, name, source):
        """Returns (measure.Run, output lines)."""
        output = self.folder / "output.txt"
        finished = measure.run(self.command(name, source, output), self.core)
        return finished, output.read_text(encoding="utf-8").splitlines()

    @property
    def core(self):
        return measure.core_list(1)

    def tokens(self, lines):
        return sum(len(ids) + 1 for ids in self.target.encode(lines))


def measure_both(task, rounds):
    """Returns {name: {"speed", "peak", "start": one value per round}} and {name: output lines}."""
    results = {name: {"speed": [], "peak": [], "start": []} for name in (OURS, THEIRS)}
    outputs = {}
    for number in range(rounds + 1):
        for name, values in results.items():
            start, _ = task.run(name, task.first_line)
            whole, outputs[name] = task.run(name, task.arguments.input)
            if number == 0:
                continue  # this round only fills the disk cache
            values["start"].append(start.seconds)
            values["speed"].append(task.tokens(outputs[name]) / (whole.seconds - start.seconds))
            values["peak"].append(whole.peak_mib)
            print(f"round {number}: {name}: {values['speed'][-1]:,.0f} tokens/s", file=sys.stderr)
    return results, outputs


def report(results, outputs, reference):
    print("| program | target tokens/s | one line, s | peak MiB | BLEU |\n|-|-|-|-|-|")
    for name, values in results.items():
        print(f"| {name} | {measure.spread(values['speed'])} | {statistics.median(values['start']):.2f} "
              f"| {statistics.median(values['peak']):,.0f} | {bleu(outputs[name], reference)} |")
    ratios = [mine / theirs for mine, theirs in zip(results[OURS]["speed"], results[THEIRS]["speed"])]
    same = sum(mine == theirs for mine, theirs in zip(outputs[OURS], outputs[THEIRS], strict=True))
    print(f"\n{OURS} is {measure.spread(ratios, digits=2)} times as fast as {THEIRS}; "
          f"{same} of {len(outputs[OURS])} lines are the same.")


def bleu(lines, reference):
    if reference is None:
        return "-"
    import sacrebleu
    with open(reference, encoding="utf-8") as file:
        return f"{sacrebleu.corpus_bleu(lines, [file.read().splitlines()]).score:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=pathlib.Path, required=True, help="bundle of Ventris")
    parser.add_argument("--input", type=pathlib.Path, required=True, help="text to translate")
    parser.add_argument("--reference", type=pathlib.Path, help="reference translations, for BLEU")
    parser.add_argument("--programs", type=pathlib.Path, default=HERE.parent / "build" / "release" / "bin")
    parser.add_argument("--beam-size", type=int, default=5)
    parser.add_argument("--alpha", type=float, help="normalisation alpha; default: that of the bundle")
    parser.add_argument("--batch", type=int, default=32, help="sentences per batch")
    parser.add_argument("--rounds", type=int, default=5, help="rounds that count, after one that does not")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        task = Task(arguments, pathlib.Path(folder))
        measure.run([sys.executable, HERE / "to_ctranslate2.py", arguments.model, task.converted], task.core)
        print(f"{measure.processor()}; beam {arguments.beam_size}, alpha {task.alpha}, batch {arguments.batch}\n",
              flush=True)
        report(*measure_both(task, arguments.rounds), arguments.reference)


if __name__ == "__main__":
    main()
