#!/usr/bin/env python3
"""Measures time and peak memory of translating, evaluating and aligning a small and a large file.

Generates both from a seed, as data.py does. The model only has to be small: what it writes is not looked at, and a
translation has at most half as many tokens as its source.
"""
import argparse
import pathlib
import tempfile

import data
import measure


def write_sides(folder, lines, seed):
    """Writes the generated corpus as two files, and returns their paths."""
    corpus, source, target = folder / "corpus.tsv", folder / "source", folder / "target"
    data.write_corpus(corpus, lines, seed)
    with open(corpus, encoding="utf-8") as file, open(source, "w", encoding="utf-8") as sources, \
            open(target, "w", encoding="utf-8") as targets:
        for line in file:
            one, other = line.rstrip("\n").split("\t")
            sources.write(one + "\n")
            targets.write(other + "\n")
    corpus.unlink()
    return source, target


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default="build/release/bin", type=pathlib.Path, help="programs of Ventris")
    parser.add_argument("-m", "--model", required=True, help="a small model, for the translation")
    parser.add_argument("--small", type=int, default=100_000, help="lines of the small file")
    parser.add_argument("--large", type=int, default=10_000_000, help="lines of the large file")
    parser.add_argument("--folder", help="folder for temporary files; default: that of the system")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    core = measure.core_list(1)
    print(f"{measure.processor()}, one core\n")
    print("| lines | program | processor seconds | peak MiB |\n|---|---|---|---|")
    for lines in (options.small, options.large):
        with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
            folder = pathlib.Path(temporary)
            source, target = write_sides(folder, lines, options.seed)
            for name, arguments in (
                    ("translate", ["-m", options.model, "-i", source, "-o", folder / "out", "--beam-size", 1,
                                   "--max-length-factor", 0.5, "--threads", 1, "--quiet"]),
                    ("evaluate", [target, "-i", source, "-m", "bleu", "chrf", "--threads", 1]),
                    ("align", ["--train", source, target, "-o", folder / "links", "--threads", 1])):
                run = measure.run([options.programs / f"ventris-{name}", *arguments], core)
                print(f"| {lines:,} | `ventris-{name}` | {run.cpu_seconds:.0f} | {run.peak_mib:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
