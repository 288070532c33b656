#!/usr/bin/env python3
"""Checks that a Transformer computes the same in Ventris and in Hugging Face's transformers, through its exported folder.

1. ventris-export writes the bundle for transformers.
2. AutoTokenizer gives the ids of ventris-vocab for each line; the lines for which it does not are printed.
3. AutoModelForSeq2SeqLM gives the scores that ventris-score gives to each line and its translation (1e-4).
4. Greedy search and a beam of 4 write the same translations with both.

    pip install --target FOLDER transformers sentencepiece sacremoses numpy
    PYTHONPATH=FOLDER .venv/bin/python tests/parity/check_transformers.py --bundle run/best --lines FILE
"""
import argparse
import pathlib
import subprocess
import tempfile

import torch
import transformers

TOLERANCE = 1e-4
MOST = 60  # tokens of a translation


def run(program, *arguments, lines=()):
    result = subprocess.run([program, *map(str, arguments)], input="".join(line + "\n" for line in lines), text=True,
                            check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return result.stdout.split("\n")[:-1]


def check_ids(programs, tokenizer, spm, lines):
    ours = run(programs / "ventris-vocab", "encode", "-m", spm, "--ids", lines=lines)
    different = [line for line, ids in zip(lines, ours) if tokenizer(line).input_ids != [*map(int, ids.split()), 3]]
    for line in different:
        print(f"other ids: {line!r}")
    return len(different)


@torch.no_grad()
def check_scores(programs, bundle, model, tokenizer, pairs):
    ours = run(programs / "ventris-score", "-m", bundle, lines=["\t".join(pair) for pair in pairs])
    worst = 0
    for (source, target), score in zip(pairs, ours):
        inputs = tokenizer(source, return_tensors="pt")
        labels = tokenizer(text_target=target, return_tensors="pt").input_ids
        if max(labels.shape[1], inputs.input_ids.shape[1]) > model.config.max_position_embeddings:
            continue
        log_probs = model(**inputs, labels=labels).logits.log_softmax(-1)
        expected = log_probs[0, range(labels.shape[1]), labels[0]].sum().item()
        worst = max(worst, abs(expected - float(score)) / labels.shape[1])
    return worst


@torch.no_grad()
def check_search(programs, bundle, model, tokenizer, lines, beam):
    ours = run(programs / "ventris-translate", "-m", bundle, "-b", beam, "-n", 1, lines=lines)
    same = compared = 0
    for line, translation in zip(lines, ours):
        found = model.generate(**tokenizer(line, return_tensors="pt"), num_beams=beam, max_new_tokens=MOST,
                               length_penalty=1.0)
        if found.shape[1] > MOST:  # cut
            continue
        compared += 1
        same += tokenizer.decode(found[0], skip_special_tokens=True) == translation
    return same, compared


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundle", type=pathlib.Path, required=True)
    parser.add_argument("--lines", type=pathlib.Path, required=True, help="sources, one per line")
    parser.add_argument("--count", type=int, default=200, help="how many of them are translated")
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("build/release/bin"))
    options = parser.parse_args()
    lines = [line for line in options.lines.read_text().split("\n") if line.strip()]
    with tempfile.TemporaryDirectory() as folder:
        exported = pathlib.Path(folder) / "exported"
        run(options.programs / "ventris-export", "-m", options.bundle, "--format", "transformers", "-o", exported)
        tokenizer = transformers.AutoTokenizer.from_pretrained(exported)
        model = transformers.AutoModelForSeq2SeqLM.from_pretrained(exported).eval()
        print(f"{type(model).__name__}, {type(tokenizer).__name__}")
        different = check_ids(options.programs, tokenizer, exported / "source.spm", lines)
        print(f"ids: {len(lines) - different} of {len(lines)} lines are equal")
        chosen = lines[: options.count]
        translations = run(options.programs / "ventris-translate", "-m", options.bundle, lines=chosen)
        pairs = [pair for pair in zip(chosen, translations) if pair[1].strip()]
        worst = check_scores(options.programs, options.bundle, model, tokenizer, pairs)
        print(f"largest difference of the log-probability of a token: {worst:.1e}")
        assert worst < TOLERANCE
        for beam in (1, 4):
            same, compared = check_search(options.programs, options.bundle, model, tokenizer, chosen, beam)
            print(f"beam {beam}: {same} of {compared} translations are equal")


if __name__ == "__main__":
    main()
