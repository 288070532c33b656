#!/usr/bin/env python3
"""Measures peak memory and the start of training for a small and a large corpus, in a cache and in memory.

Generates both corpora from a seed: words are drawn by Zipf's law, and the target is the reversed source. Trains a tiny
model on each corpus for a few updates: first to build the cache, then from the cache and, with --in-memory, without a
cache. The time to the first batch is the difference of two times: that of a run of one update from the cache, and that
of a run of one update on 100 lines in memory.
"""
import argparse
import pathlib
import random
import tempfile

import measure

SETTINGS = """{
  "model": {"d_model": 64, "d_ff": 128, "heads": 4, "encoder_layers": 1, "decoder_layers": 1},
  "tokenizer": {"vocab_size": 4000, "max_sentences": 50000},
  "training": {"batch_tokens": 4096}
}"""


def write_corpus(path, lines, seed):
    """Writes a TSV file of `lines` pairs, with 4 to 30 words per side."""
    draw = random.Random(seed)
    letters = "abcdefghijklmnoprstuvwz"
    words = ["".join(draw.choices(letters, k=draw.randint(2, 9))) for _ in range(20000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    pool = draw.choices(words, weights, k=1 << 20)
    with open(path, "w", encoding="utf-8", buffering=1 << 20) as file:
        for _ in range(lines):
            start = draw.randrange(len(pool) - 30)
            sentence = pool[start:start + draw.randint(4, 30)]
            file.write(" ".join(sentence) + "\t" + " ".join(reversed(sentence)) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default="build/release/bin", help="folder of the programs of Ventris")
    parser.add_argument("--small", type=int, default=100_000, help="lines of the small corpus")
    parser.add_argument("--large", type=int, default=10_000_000, help="lines of the large corpus")
    parser.add_argument("--updates", type=int, default=20, help="updates of the longer runs")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--in-memory", action="store_true", help="also train with the corpus in memory")
    parser.add_argument("--folder", help="folder for temporary files; default: that of the system")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    trainer = pathlib.Path(options.programs) / "ventris-train"
    cores = measure.core_list(options.cores)
    with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
        folder = pathlib.Path(temporary)
        settings = folder / "settings.json"
        settings.write_text(SETTINGS, encoding="utf-8")
        tokenizer = None

        def train(corpus, run, updates, cache):
            command = [trainer, "-c", settings, "--train-tsv", corpus, "-m", folder / run, "--overwrite", "--quiet",
                       "--after", f"{updates}u", "--threads", options.cores]
            command += ["--cache", cache] if cache else []
            command += ["--source-tokenizer", tokenizer] if tokenizer else []
            return measure.run(command, cores)

        print(f"{measure.processor()}, {options.cores} cores\n")
        print("| lines | corpus | updates | seconds, start to end | peak MiB |\n|---|---|---|---|---|")
        write_corpus(folder / "tiny.tsv", 100, options.seed)
        peaks = []
        start = 0.0  # seconds of a run on 100 lines
        for name, lines in (("small", options.small), ("large", options.large)):
            corpus, cache = folder / f"{name}.tsv", folder / f"{name}-cache"
            write_corpus(corpus, lines, options.seed)
            if tokenizer is None:
                train(corpus, "first", 1, None)
                tokenizer = folder / "tokenizer.spm"
                tokenizer.write_bytes((folder / "first/final/source.spm").read_bytes())
                start = min(train(folder / "tiny.tsv", "tiny", 1, None).seconds for _ in range(3))
                print(f"| 100 | in memory | 1 | {start:.2f} | |", flush=True)
            rounds = [("building the cache", 1, cache), ("cached", 1, cache), ("cached", options.updates, cache)]
            rounds += [("in memory", options.updates, None)] if options.in_memory else []
            for number, (what, updates, where) in enumerate(rounds):
                runs = [train(corpus, name, updates, where) for _ in range(3 if number == 1 else 1)]
                run = min(runs, key=lambda one: one.seconds)
                print(f"| {lines:,} | {what} | {updates} | {run.seconds:.2f} | {run.peak_mib:,.0f} |", flush=True)
                if number == 1:
                    first_batch = run.seconds - start
                if number == 2:
                    peaks.append(run.peak_mib)
        print(f"\nTo the first batch of the large corpus from the cache: {first_batch:.2f} s")
        print(f"Peak memory from the cache, large over small: {peaks[1] / peaks[0]:.3f}")


if __name__ == "__main__":
    main()
