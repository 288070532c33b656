#!/usr/bin/env python3
"""Trains a model without and with guided alignment, on the same text with the same settings and number of updates, and
compares them: BLEU, and how far the links of each model are from those of ventris-align.

    guided_alignment.py --train train.en.gz train.de.gz --valid val.en val.de --held-out test.en test.de \\
        --config configs/multi30k-tiny.json --after 4000u --programs build/release/bin --keep runs

The aligner learns from the training text alone and links the held-out pairs, which it has not seen. The models link the
same pairs: ventris-translate is forced to write the given target. Without a manual alignment, the links of the aligner
stand for it, all of them sure: the alignment error rate (AER) says how well a model gives the links it has learnt from.
If the Python package eflomal is installed, its links are a second reference, which is independent of both: learnt from
training and held-out text together, the intersection of both directions is sure, and their union is possible. For it,
ventris-align has an AER of its own, with which that of a model can be compared. Words are what is between white space.
Prints a table in Markdown.
"""
import argparse
import json
import pathlib
import subprocess
import sys


def run(programs, name, *arguments):
    command = [str(programs / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def lines_of(path):
    return pathlib.Path(path).read_text(encoding="utf-8").split("\n")[:-1]


def links_of(line):
    return {tuple(map(int, link.split("-"))) for link in line.split()}


def word_map(line, divided):
    """For each word of the aligner, the number of the word between white space that contains it."""
    numbers, word, begin = [], 0, 0
    words = line.split()
    for part in divided.split():
        if begin == len(words[word]):
            word, begin = word + 1, 0
        assert words[word][begin:].startswith(part), (line, divided)
        numbers.append(word)
        begin += len(part)
    return numbers


def at_spaces(options, links, words):
    """The links of the held-out pairs between the words of the aligner (files of `words`) as those between words at
    white space."""
    maps = [[word_map(*pair) for pair in zip(lines_of(text), divided)]
            for text, divided in zip(options.held_out, words)]
    return [{(source[i], target[j]) for i, j in line} for line, source, target in zip(links, *maps)]


def aligner_links(options, folder):
    """The links of the held-out pairs, learnt from the training text."""
    out, words = folder / "links", [folder / "words.source", folder / "words.target"]
    run(options.programs, "ventris-align", "--train", *options.train, *options.held_out, "-o", out, "--words", *words)
    return at_spaces(options, map(links_of, lines_of(out)), map(lines_of, words))


def eflomal_links(options, folder):
    """The sure and the possible links of the held-out pairs; None if eflomal is not installed."""
    program = pathlib.Path(sys.executable).parent / "eflomal-align"
    if not program.exists():
        return None
    words = [folder / "all.source", folder / "all.target"]
    run(options.programs, "ventris-align", "--train", *options.train, "--train", *options.held_out, "-o",
        folder / "all.links", "--words", *words)
    count = len(lines_of(options.held_out[0]))
    held_out = [lines_of(path)[-count:] for path in words]
    for path in words:
        path.write_text(path.read_text(encoding="utf-8").lower(), encoding="utf-8")
    forward, backward = folder / "forward", folder / "backward"
    run(program.parent, program.name, "-s", words[0], "-t", words[1], "-f", forward, "-r", backward, "--overwrite")
    both = [[links_of(line) for line in lines_of(path)[-count:]] for path in (forward, backward)]
    return (at_spaces(options, [a & b for a, b in zip(*both)], held_out),
            at_spaces(options, [a | b for a, b in zip(*both)], held_out))


def model_links(options, model, flags):
    """The links of a model between the held-out sources and the targets that it is forced to write."""
    out = run(options.programs, "ventris-translate", "-m", model, "-i", options.held_out[0], "--force-prefix",
              options.held_out[1], "--alignment", "-b", 1, "--quiet", *flags)
    sizes = [len(line.split()) for line in lines_of(options.held_out[1])]
    return [{(i, j) for i, j in links_of(line.rsplit(" ||| ", 1)[1]) if j < size}
            for line, size in zip(out.split("\n"), sizes)]


def error_rate(found, sure, possible):
    """AER in percent."""
    hits = sum(len(a & s) + len(a & (s | p)) for a, s, p in zip(found, sure, possible))
    return 100 * (1 - hits / sum(len(a) + len(s) for a, s in zip(found, sure)))


def train(options, folder, name, guided):
    model = folder / name
    if not (model / "final").exists():
        settings = folder / f"{name}.json"
        settings.write_text(json.dumps({"training": {"guided_alignment": guided}} if guided else {}))
        run(options.programs, "ventris-train", "-c", options.config, "-c", settings, "--train", *options.train,
            "--valid", *options.valid, "-m", model, "--after", options.after, "--seed", options.seed, "--threads",
            options.threads, "--quiet")
    return model / "best"


def bleu(options, model, source, target, flags=()):
    hypothesis = model.parent / "translations"
    run(options.programs, "ventris-translate", "-m", model, "-i", source, "-o", hypothesis, "--quiet", *flags)
    return float(json.loads(run(options.programs, "ventris-evaluate", target, "-i", hypothesis, "-m", "bleu",
                                "--format", "json"))["score"])


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for flag in ("--train", "--valid", "--held-out"):
        parser.add_argument(flag, nargs=2, required=True, type=pathlib.Path, metavar=("SRC", "TGT"))
    parser.add_argument("--config", required=True, type=pathlib.Path)
    parser.add_argument("--after", default="4000u")
    parser.add_argument("--seed", default=1)
    parser.add_argument("--threads", default=1)
    parser.add_argument("--guided", action="append", type=json.loads, metavar="JSON",
                        help="further settings of training.guided_alignment; repeatable, a model for each")
    parser.add_argument("--programs", default="build/release/bin", type=pathlib.Path)
    parser.add_argument("--keep", required=True, type=pathlib.Path, help="folder for the runs; finished ones are used")
    return parser.parse_args()


def main():
    options = read_options()
    folder = options.keep
    folder.mkdir(parents=True, exist_ok=True)
    aligner, second = aligner_links(options, folder), eflomal_links(options, folder)
    print("| links of | BLEU, validation | BLEU, held out | AER, to ventris-align | AER, to eflomal |")
    print("|---|---|---|---|---|")

    def row(name, scores, links):
        other = f"{error_rate(links, *second):.1f}" if second else ""
        print(f"| {name} | {scores} | {error_rate(links, aligner, aligner):.1f} | {other} |", flush=True)

    row("`ventris-align`", "| ", aligner)
    row("the same, at most one link for each target word", "| ",
        [{min(link for link in line if link[1] == j) for j in {target for _, target in line}} for line in aligner])
    for number, guided in enumerate([None, *(options.guided or [{}])]):
        if guided is not None:
            guided = {"links": "train"} | guided
        model = train(options, folder, f"run{number}", guided)
        scores = f"{bleu(options, model, *options.valid):.2f} | {bleu(options, model, *options.held_out):.2f}"
        row("not guided" if guided is None else f"guided {json.dumps(guided)}", scores,
            model_links(options, model, []))


if __name__ == "__main__":
    main()
