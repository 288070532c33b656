#!/usr/bin/env python3
"""Measures how fast ventris-translate is with each kind of attention, on the engine and on LibTorch.

    attention_kinds.py --train train.en train.de --input test.en --folder /tmp/kinds

For each kind, a model with random weights is made (one update of ventris-train): 4 + 4 layers, d_model 128, d_ff 256, 4
heads. Then both backends take turns on one core. Random models do not end a translation, so every translation has the
longest length that is allowed: as many tokens as the source, plus 10. The speed is the number of target tokens per
second of processor time, without the time of a run that translates only the first line. "long" joins lines to texts of
at least --words words.
"""
import argparse
import itertools
import json
import pathlib
import statistics

import measure

HERE = pathlib.Path(__file__).resolve().parent
SCORES = ["scaled_dot", "dot", "cosine", "bilinear", "additive", "gaussian"]
LONG = {
    "full": {},
    "window": {"self_attention": "window", "window": 64, "global_positions": 1},
    "linear": {"self_attention": "linear"},
    "low_rank": {"self_attention": "low_rank", "low_rank_size": 64},
    "segment": {"self_attention": "segment", "positions": "relative", "segment": 64, "segment_memory": 64},
}
KINDS = {name: {"attention_score": name} for name in SCORES} | {name: LONG[name] for name in list(LONG)[1:]}
BACKENDS = ["engine", "torch"]


def make_model(arguments, name, settings):
    """Returns the bundle, which it makes if it is not there."""
    run = arguments.folder / name
    bundle = run / "final"
    if bundle.exists():
        return bundle
    config = arguments.folder / f"{name}.json"
    model = {"d_model": 128, "d_ff": 256, "heads": 4, "encoder_layers": 4, "decoder_layers": 4, "max_positions": 1024}
    config.write_text(json.dumps({"model": model | settings, "tokenizer": {"vocab_size": 10000}}))
    tokenizer = arguments.folder / "scaled_dot" / "final" / "source.spm"  # learned only once
    measure.run([arguments.programs / "ventris-train", "-c", config, "--train", *arguments.train, "-m", run, "--quiet",
                 "--after", "1u", *(["--source-tokenizer", tokenizer] if name != "scaled_dot" else [])],
                measure.core_list(1))
    return bundle


def long_lines(lines, words):
    """Joins lines to texts of at least so many words."""
    texts, current = [], []
    for line in lines:
        current += line.split()
        if len(current) >= words:
            texts.append(" ".join(current))
            current = []
    return texts


class Task:
    """The translation of some lines with one model and beam."""

    def __init__(self, arguments, bundle, lines, beam):
        self.arguments, self.bundle, self.beam = arguments, bundle, beam
        self.input, self.first = arguments.folder / "input.txt", arguments.folder / "first.txt"
        self.input.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        self.first.write_text(lines[0] + "\n", encoding="utf-8")

    def run(self, backend, source, *more):
        return measure.run([self.arguments.programs / "ventris-translate", "-m", self.bundle, "-i", source, "-b",
                            self.beam, "-n", "0", "--mini-batch", "32", "--min-length", "1000",
                            "--max-length-factor", "1", "--threads", "1", "--backend", backend, *more],
                           measure.core_list(1))

    def tokens(self, source):
        out = self.run("engine", source, "--format", "jsonl", "--word-scores").out
        return sum(len(json.loads(line)["token_scores"]) for line in out.splitlines())

    def speeds(self, rounds):
        """Returns {backend: tokens per second of each round}."""
        tokens = self.tokens(self.input) - self.tokens(self.first)
        found = {backend: [] for backend in BACKENDS}
        for _, backend in itertools.product(range(rounds), BACKENDS):
            start = self.run(backend, self.first).cpu_seconds
            whole = self.run(backend, self.input).cpu_seconds
            found[backend].append(tokens / measure.beyond_start(whole, start, "give more --lines or --texts"))
        return found


def report(name, length, beam, speeds):
    ratios = [mine / theirs for mine, theirs in zip(speeds["engine"], speeds["torch"])]
    print(f"| {name} | {length} | {beam} | {statistics.median(speeds['engine']):,.0f} "
          f"| {statistics.median(speeds['torch']):,.0f} | {measure.spread(ratios, 2)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--train", nargs=2, required=True, help="corpus for the tokenizer and one update")
    parser.add_argument("--input", type=pathlib.Path, required=True, help="text to translate")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="for the models; they are used again")
    parser.add_argument("--programs", type=pathlib.Path, default=HERE.parent / "build" / "release" / "bin")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lines", type=int, default=320, help="short lines")
    parser.add_argument("--texts", type=int, default=4, help="long texts")
    parser.add_argument("--words", type=int, default=450, help="of a long text")
    parser.add_argument("--kinds", nargs="*", choices=sorted(KINDS), default=list(KINDS))
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    lines = arguments.input.read_text(encoding="utf-8").splitlines()
    texts = long_lines(lines, arguments.words)[:arguments.texts]
    print(f"{measure.processor()}; {arguments.rounds} rounds\n")
    print("| attention | lines | beam | engine, tokens/s | LibTorch | the engine is this many times as fast |")
    print("|---|---|---|---|---|---|")
    for name in arguments.kinds:
        bundle = make_model(arguments, name, KINDS[name])
        for beam in (1, 5):
            report(name, "short", beam, Task(arguments, bundle, lines[:arguments.lines], beam).speeds(arguments.rounds))
        if name == "scaled_dot" or name in LONG:
            for beam in (1, 5):
                report(name, "long", beam, Task(arguments, bundle, texts, beam).speeds(arguments.rounds))


if __name__ == "__main__":
    main()
