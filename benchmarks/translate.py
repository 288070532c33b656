#!/usr/bin/env python3
"""Compares the speed of ventris-translate with that of CTranslate2: the same weights, precision and search.

    translate.py --model run/best --input test.en [--reference test.de] [--precision int8] [--packed packed]

The programs take turns on one core, or on --threads cores. Both read raw text and write raw text. The speed is the
number of target tokens (including eos) per second. From the wall time, the time of a run that translates only the first
line is subtracted, so that loading does not count. The time of that run is printed, too. With --cpu-time, the processor
time takes the place of the wall time: for a machine that is also doing other work. CTranslate2 takes AVX-512 on a
processor that is not from Intel only if the environment variable CT2_FORCE_CPU_ISA=AVX512 is set; try both. With
--lengths N, only lines of the most frequent source length count, and all translations have N tokens: for models with
random weights. Run it with a Python that has ctranslate2 and sentencepiece (and sacrebleu, with --reference). engine.py
runs several comparisons of this kind.
"""
import argparse
import collections
import json
import pathlib
import statistics
import sys
import tempfile

import measure
import sentencepiece

HERE = pathlib.Path(__file__).resolve().parent
OURS, THEIRS = "ventris-translate", "CTranslate2"
COMPUTE_TYPES = {"f32": "float32", "bf16": "bfloat16", "int8": "int8"}


class Task:
    """What both programs translate, and with which settings."""

    def __init__(self, arguments, folder, environment=None):
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.converted = folder / "ctranslate2"
        config = json.loads((arguments.model / "config.json").read_text())
        self.alpha = arguments.alpha if arguments.alpha is not None else config["decoding"]["length_alpha"]
        shared = config["tokenizer"]["shared"]
        self.target = sentencepiece.SentencePieceProcessor(
            model_file=str(arguments.model / ("source.spm" if shared else "target.spm")))
        self.input = arguments.input if arguments.lengths == 0 else self.lines_of_one_length()
        self.first_line = folder / "first.txt"
        with open(self.input, encoding="utf-8") as file:
            self.first_line.write_text(file.readline())

    def lines_of_one_length(self):
        """Writes the lines that have the most frequent number of tokens, and notes this number (with eos)."""
        source = sentencepiece.SentencePieceProcessor(model_file=str(self.arguments.model / "source.spm"))
        of_length = collections.defaultdict(list)
        for line in self.arguments.input.read_text(encoding="utf-8").splitlines():
            of_length[len(source.encode(line)) + 1].append(line)
        self.source_length = max(of_length, key=lambda length: len(of_length[length]))
        chosen = self.folder / "chosen.txt"
        chosen.write_text("".join(line + "\n" for line in of_length[self.source_length]), encoding="utf-8")
        return chosen

    def length_options(self):
        """ventris-translate: maximum = factor x source tokens + 10, without eos."""
        wanted = self.arguments.lengths
        if wanted == 0:
            return []
        return ["--min-length", wanted - 1, "--max-length-factor", (wanted - 10) / self.source_length]

    def command(self, name, source, output):
        beam, batch = self.arguments.beam_size, self.arguments.batch
        if name == OURS:
            return [self.arguments.programs / "ventris-translate", "-m", self.arguments.packed or self.arguments.model,
                    "-i", source, "-o", output, "-b", beam, "-n", self.alpha, "--mini-batch", batch,
                    "--threads", self.arguments.threads,
                    *self.length_options(), "--backend", self.arguments.backend,
                    *(["--precision", self.arguments.precision] if self.arguments.backend != "torch" else [])]
        return [sys.executable, HERE / "translate_with_ctranslate2.py", self.converted, self.arguments.model, source,
                output, "--beam-size", beam, "--alpha", self.alpha, "--batch", batch,
                "--length", self.arguments.lengths, "--compute-type", COMPUTE_TYPES[self.arguments.precision],
                "--threads", self.arguments.threads]

    def run(self, name, source):
        """Returns (measure.Run, output lines)."""
        output = self.folder / "output.txt"
        finished = measure.run(self.command(name, source, output), self.cores, self.environment)
        return finished, output.read_text(encoding="utf-8").splitlines()

    def convert(self):
        """Exports the model for CTranslate2."""
        measure.run([self.arguments.programs / "ventris-export", "--quiet", "-m", self.arguments.model, "--format",
                     "ctranslate2", "-o", self.converted], self.cores)

    def seconds(self, run):
        return run.cpu_seconds if self.arguments.cpu_time else run.seconds

    @property
    def cores(self):
        return measure.core_list(self.arguments.threads)

    def tokens(self, lines):
        return sum(len(ids) + 1 for ids in self.target.encode(lines))


def measure_both(task, rounds):
    """Returns {name: {"speed", "peak", "start": one value per round}} and {name: output lines}."""
    results = {name: {"speed": [], "peak": [], "start": []} for name in (OURS, THEIRS)}
    outputs = {}
    for number in range(rounds + 1):
        for name, values in results.items():
            start, _ = task.run(name, task.first_line)
            whole, outputs[name] = task.run(name, task.input)
            if number == 0:
                continue  # this round only fills the disk cache
            values["start"].append(task.seconds(start))
            values["speed"].append(task.tokens(outputs[name]) / (task.seconds(whole) - task.seconds(start)))
            values["peak"].append(whole.peak_mib)
            print(f"round {number}: {name}: {values['speed'][-1]:,.0f} tokens/s", file=sys.stderr)
    return results, outputs


def ratios(results):
    """How many times as fast ventris-translate is, one value per round."""
    return [mine / theirs for mine, theirs in zip(results[OURS]["speed"], results[THEIRS]["speed"])]


def same_lines(outputs):
    return sum(mine == theirs for mine, theirs in zip(outputs[OURS], outputs[THEIRS], strict=True))


def report(results, outputs, reference):
    print("| program | target tokens/s | one line, s | peak MiB | BLEU |\n|-|-|-|-|-|")
    for name, values in results.items():
        print(f"| {name} | {measure.spread(values['speed'])} | {statistics.median(values['start']):.2f} "
              f"| {statistics.median(values['peak']):,.0f} | {bleu(outputs[name], reference)} |")
    print(f"\n{OURS} is {measure.spread(ratios(results), digits=2)} times as fast as {THEIRS}; "
          f"{same_lines(outputs)} of {len(outputs[OURS])} lines are the same.")


def bleu(lines, reference):
    if reference is None:
        return "-"
    import sacrebleu
    with open(reference, encoding="utf-8") as file:
        return f"{sacrebleu.corpus_bleu(lines, [file.read().splitlines()]).score:.2f}"


def make_parser():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=pathlib.Path, required=True, help="bundle of Ventris")
    parser.add_argument("--packed", type=pathlib.Path, help="packed model of this bundle, for ventris-translate")
    parser.add_argument("--input", type=pathlib.Path, required=True, help="text to translate")
    parser.add_argument("--reference", type=pathlib.Path, help="reference translations, for BLEU")
    parser.add_argument("--programs", type=pathlib.Path, default=HERE.parent / "build" / "release" / "bin")
    parser.add_argument("--beam-size", type=int, default=5)
    parser.add_argument("--alpha", type=float, help="normalisation alpha; default: that of the bundle")
    parser.add_argument("--batch", type=int, default=32, help="sentences per batch")
    parser.add_argument("--threads", type=int, default=1, help="threads and cores of each program")
    parser.add_argument("--precision", choices=COMPUTE_TYPES, default="f32", help="of the matrix products")
    parser.add_argument("--backend", choices=["auto", "engine", "torch"], default="auto", help="of ventris-translate")
    parser.add_argument("--lengths", type=int, default=0, help="tokens of every translation, at least 10; 0 = any")
    parser.add_argument("--cpu-time", action="store_true", help="processor time instead of wall time")
    parser.add_argument("--rounds", type=int, default=5, help="rounds that count, after one that does not")
    return parser


def main():
    arguments = make_parser().parse_args()
    with tempfile.TemporaryDirectory() as folder:
        task = Task(arguments, pathlib.Path(folder))
        task.convert()
        print(f"{measure.processor()}; beam {arguments.beam_size}, alpha {task.alpha}, batch {arguments.batch}, "
              f"{arguments.precision}, threads {arguments.threads}\n", flush=True)
        report(*measure_both(task, arguments.rounds), arguments.reference)


if __name__ == "__main__":
    main()
