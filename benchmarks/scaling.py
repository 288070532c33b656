#!/usr/bin/env python3
"""Measures how speed and memory of ventris-translate and ventris-train grow, beside the machine's arithmetic limit.

    cmake --build build/release --target time_kernels
    scaling.py -o scaling.json                   # --quick: a trial of a few minutes
    ventris-plot scaling scaling.json -o scaling.svg

Starts from one model and one setting (CENTRE) and changes one thing at a time: the width of the model, the sentences of
a batch, the tokens of a sentence, the size of the vocabulary, and the cores. All models have random weights, and all
sentences of a measurement have the same number of tokens on both sides (random words). The speed is target tokens
(including eos) per second, without the time of a run with one batch (translating) or of the warm-up (training).

The limit is the speed that the machine would have if all products ran at the rate that `time_kernels` measures for a
large product on one core, times the number of cores, and if nothing else took time. Both tasks have the same model,
so that their figures can be compared; training computes in the precision --train-precision. Needs Python only.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import random
import re
import shutil
import sys
import tempfile

import measure
import train

HERE = pathlib.Path(__file__).resolve().parent
HEAD_WIDTH = 64
SWEEPS = {  # field of Setting -> its values
    "width": [64, 128, 256, 512, 1024],
    "batch": [1, 2, 4, 8, 16, 32, 64, 128],
    "length": [10, 20, 40, 80, 160],
    "vocab": [1000, 4000, 16000, 64000],
    "cores": [1, 2, 4, 8, 16],  # as many as there are
}
QUICK = {"width": [64, 256], "batch": [1, 32], "length": [10, 40], "vocab": [1000, 8000], "cores": [1, 2]}
LARGE_PRODUCT = "128 x 512 x 2048"  # the row of time_kernels that gives the limit
RATE_RUNS = 3
WARM_UP, UPDATES = 5, 20            # of a training run
TRAINING_COST = 3                   # products of an update: forward, and backward twice as many


@dataclasses.dataclass(frozen=True)
class Setting:
    width: int = 256
    batch: int = 32  # sentences
    length: int = 20  # tokens of a sentence, with eos
    vocab: int = 8000
    cores: int = 1
    layers: int = 4  # of the encoder, and of the decoder
    beam: int = 4

    @property
    def d_ff(self):
        return 4 * self.width


CENTRE = Setting()


def operations(setting, beam):
    """Additions and multiplications of products for one target token, in a forward pass with `beam` hypotheses."""
    d, n = setting.width, setting.length
    feed_forward = 2 * d * setting.d_ff
    encoder = setting.layers * (4 * d * d + feed_forward + 2 * n * d)  # of one source token
    keys_of_source = setting.layers * 2 * d * d
    # Of one target token: self-attention sees n / 2 tokens on average, cross-attention all n.
    decoder = setting.layers * (6 * d * d + feed_forward + n * d + 2 * n * d) + d * setting.vocab
    return 2 * (encoder + keys_of_source + beam * decoder)


def limit(setting, task, giga_operations):
    """Target tokens per second if all products ran at the given rate per core."""
    per_token = operations(setting, setting.beam) if task == "translate" else TRAINING_COST * operations(setting, 1)
    return giga_operations * 1e9 * setting.cores / per_token


def lines(count, setting, seed):
    """`count` sentences of random words of the vocabulary, with setting.length - 1 words each."""
    draw = random.Random(seed)
    return "".join(" ".join(f"w{draw.randrange(setting.vocab - 100)}" for _ in range(setting.length - 1)) + "\n"
                   for _ in range(count))


class Runner:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder

    def config(self, setting):
        path = self.folder / "config.json"
        path.write_text(json.dumps({
            "model": {"d_model": setting.width, "d_ff": setting.d_ff, "heads": max(1, setting.width // HEAD_WIDTH),
                      "encoder_layers": setting.layers, "decoder_layers": setting.layers, "tying": "all"},
            "tokenizer": {"kind": "pieces", "vocab_size": setting.vocab, "shared": True},
            "training": {"batch_tokens": setting.batch * setting.length, "threads": setting.cores}}))
        return path

    def tokenizer(self, setting):
        path = self.folder / f"words-{setting.vocab}.spm"
        if not path.exists():
            words = self.folder / "words.txt"
            words.write_text("".join(f"w{i}\n" for i in range(setting.vocab)))
            measure.run([self.arguments.programs / "ventris-vocab", "--quiet", "--kind", "pieces", "-i", words, "-o",
                         path, "--size", setting.vocab], measure.core_list(1))
        return path

    def train(self, setting, updates, run, more=()):
        text = self.folder / "train.txt"
        text.write_text(lines(setting.batch * 8, setting, 1))
        return measure.run([self.arguments.programs / "ventris-train", "--quiet", "--overwrite", "-c",
                            self.config(setting), "--train", text, text, "--source-tokenizer", self.tokenizer(setting),
                            "-m", run, "--after", f"{updates}u", "--threads", setting.cores, *more],
                           measure.core_list(setting.cores))

    def bundle(self, setting):
        run = self.folder / f"model-{setting.width}-{setting.vocab}"
        if not (run / "final").exists():
            self.train(dataclasses.replace(CENTRE, width=setting.width, vocab=setting.vocab), 1, run)
        return run / "final"

    def translate(self, setting, count):
        source = self.folder / "source.txt"
        source.write_text(lines(count, setting, 2))
        # The maximum is factor x source tokens + 10, both without eos in the target.
        factor = (setting.length - 10) / setting.length
        return measure.run([self.arguments.programs / "ventris-translate", "--quiet", "-m", self.bundle(setting), "-i",
                            source, "-o", "/dev/null", "-b", setting.beam, "-n", 0, "--mini-batch", setting.batch,
                            "--threads", setting.cores, "--precision", self.arguments.precision, "--min-length",
                            setting.length - 1, "--max-length-factor", factor], measure.core_list(setting.cores))

    def seconds(self, run, setting):
        return run.cpu_seconds / setting.cores if self.arguments.cpu_time else run.seconds

    def measure_translate(self, setting):
        """(target tokens per second, peak MiB); doubles the text until it takes long enough."""
        least = setting.batch * setting.cores
        start = self.seconds(self.translate(setting, least), setting)
        count = 4 * least
        while True:
            run = self.translate(setting, count)
            taken = self.seconds(run, setting) - start
            if taken > self.arguments.seconds:
                return (count - least) * setting.length / taken, run.peak_mib
            count *= 2

    def measure_train(self, setting):
        run_folder = self.folder / "training"
        run = self.train(setting, WARM_UP + UPDATES, run_folder,
                         ["--disp-freq", f"{WARM_UP}u", "--precision", self.arguments.train_precision])
        speed = train.speed_after_warm_up(run_folder / "metrics.jsonl")
        shutil.rmtree(run_folder)
        return speed, run.peak_mib


def rates(arguments):
    """GOP/s of a large product on one core, by precision: the best of some runs."""
    best = {}
    for _ in range(RATE_RUNS):
        out = measure.run([arguments.programs / "time_kernels"], measure.core_list(1)).out
        for precision, rate in re.findall(rf"\| (\w+), {LARGE_PRODUCT} \| [\d.]+ \| ([\d.]+) \|", out):
            best[precision] = max(best.get(precision, 0), float(rate))
    return best


def settings_of(field, values, cores):
    for value in values:
        if field != "cores" or value <= cores:
            yield value, dataclasses.replace(CENTRE, **{field: value})


def measure_all(arguments, runner, rate):
    cores = len(os.sched_getaffinity(0))
    points, known = [], {}
    for task, precision in (("translate", arguments.precision), ("train", arguments.train_precision)):
        if task not in arguments.tasks:
            continue
        for field, values in (QUICK if arguments.quick else SWEEPS).items():
            for value, setting in settings_of(field, values, cores):
                if (task, setting) not in known:  # the centre is part of every sweep
                    known[task, setting] = getattr(runner, f"measure_{task}")(setting)
                speed, mib = known[task, setting]
                points.append({"task": task, "field": field, "value": value, "tokens_per_second": round(speed, 1),
                               "limit": round(limit(setting, task, rate[precision]), 1), "mib": round(mib, 1)})
                print(f"{task}: {field} {value}: {speed:,.0f} tokens/s, {mib:,.0f} MiB", file=sys.stderr, flush=True)
    return points


def table(points):
    rows = ["| task | changed | value | target tokens/s | of the limit | peak MiB |", "|---|---|---|---|---|---|"]
    for point in points:
        rows.append(f"| {point['task']} | {point['field']} | {point['value']:,} | {point['tokens_per_second']:,.0f} "
                    f"| {point['tokens_per_second'] / point['limit']:.0%} | {point['mib']:,.0f} |")
    return "\n".join(rows)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=HERE.parent / "build" / "release" / "bin")
    parser.add_argument("-o", "--output", default="scaling.json", help="file for ventris-plot scaling")
    parser.add_argument("--tasks", nargs="+", choices=["translate", "train"], default=["translate", "train"])
    parser.add_argument("--precision", choices=["f32", "bf16", "int8"], default="int8", help="of ventris-translate")
    parser.add_argument("--train-precision", choices=["f32", "bf16"], default="f32", help="of ventris-train")
    parser.add_argument("--seconds", type=float, default=2, help="a measured translation takes longer than this")
    parser.add_argument("--cpu-time", action="store_true",
                        help="processor time instead of wall time, for translating on a machine that does other work")
    parser.add_argument("--quick", action="store_true", help="a trial with few values and short measurements")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.seconds = 0.3
    if not (arguments.programs / "time_kernels").is_file():
        parser.error(f"{arguments.programs}/time_kernels is missing; build it: cmake --build build/release --target "
                     "time_kernels")
    return arguments


def main():
    arguments = parse()
    rate = rates(arguments)
    with tempfile.TemporaryDirectory() as folder:
        points = measure_all(arguments, Runner(arguments, pathlib.Path(folder)), rate)
    result = {"machine": measure.processor(), "giga_operations_per_second": rate,
              "centre": dataclasses.asdict(CENTRE), "precision": arguments.precision,
              "train_precision": arguments.train_precision, "points": points}
    pathlib.Path(arguments.output).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"{result['machine']}; GOP/s of one core: {rate}\n\n{table(points)}")


if __name__ == "__main__":
    main()
