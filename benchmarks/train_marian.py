#!/usr/bin/env python3
"""Helper of train.py: trains the same Transformer with Marian, on a CPU. Prints JSON with the target tokens per second.

Run it with a Python that has pymarian and sentencepiece. The texts are segmented before, and Marian gets a vocabulary
with the same pieces. Batches have the same number of target tokens; padding does not count in those of Marian.
"""
import argparse
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import sentencepiece

ACTIVATIONS = {"relu": "relu", "silu": "swish", "gelu": "gelu"}
PLACES = {"pre": ["--transformer-preprocess", "n", "--transformer-postprocess", "da", "--transformer-postprocess-top", "n"],
          "post": ["--transformer-postprocess", "dan"]}
TYING = {"all": ["--tied-embeddings-all"], "decoder": ["--tied-embeddings"], "none": []}


def write_pieces(path, tokenizer, output):
    reader = gzip.open if str(path).endswith(".gz") else open
    with reader(path, "rt", encoding="utf-8") as lines, open(output, "w", encoding="utf-8") as pieces:
        for line in lines:
            pieces.write(" ".join(tokenizer.encode(line.rstrip("\n"), out_type=str)) + "\n")


def write_vocabulary(tokenizer, path):
    special = ["</s>", "<unk>"]
    pieces = [tokenizer.id_to_piece(i) for i in range(tokenizer.get_piece_size())]
    rows = special + [piece for i, piece in enumerate(pieces) if not tokenizer.is_control(i) and piece not in special]
    path.write_text("".join(f"{json.dumps(piece, ensure_ascii=False)}: {row}\n" for row, piece in enumerate(rows)),
                    encoding="utf-8")


def shape_of(model, training):
    rate = training["schedule"].get("learning_rate", 1e-3)
    return ["--type", "transformer", "--dim-emb", model["d_model"], "--transformer-dim-ffn", model["d_ff"],
            "--transformer-heads", model["heads"], "--enc-depth", model["encoder_layers"],
            "--dec-depth", model["decoder_layers"], "--transformer-dropout", model.get("dropout", 0.1),
            "--transformer-ffn-activation", ACTIVATIONS[model.get("activation", "relu")],
            *PLACES[model.get("norm", "pre")], *TYING[model.get("tying", "all")],
            "--label-smoothing", training.get("label_smoothing", 0), "--clip-norm", training.get("clip_norm", 0),
            "--learn-rate", rate, "--optimizer-params", 0.9, 0.98, 1e-9]


def speed(log, warm_up):
    """Target tokens per second after the warm-up, from the lines of the log."""
    tokens = seconds = 0.0
    for line in log.splitlines():
        found = re.search(r"Up\. (\d+) .* Time ([\d.]+)s : ([\d.]+) words/s", line)
        if found and int(found[1]) > warm_up:
            seconds += float(found[2])
            tokens += float(found[2]) * float(found[3])
    if seconds == 0:
        sys.exit("Marian reported no speed:\n" + log[-2000:])
    return tokens / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--config", required=True)
    parser.add_argument("--train", nargs=2, required=True)
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--warm-up", type=int, default=50)
    parser.add_argument("--updates", type=int, default=100)
    arguments = parser.parse_args()
    config = json.loads(pathlib.Path(arguments.config).read_text())
    training = config["training"]
    tokenizer = sentencepiece.SentencePieceProcessor(model_file=arguments.tokenizer)
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for number, path in enumerate(arguments.train):
            write_pieces(path, tokenizer, folder / f"train.{number}")
        write_vocabulary(tokenizer, folder / "vocab.yml")
        command = [sys.executable, "-m", "pymarian", "train", "--model", folder / "model.npz",
                   "--train-sets", folder / "train.0", folder / "train.1",
                   "--vocabs", folder / "vocab.yml", folder / "vocab.yml", *shape_of(config["model"], training),
                   "--mini-batch-words", training.get("batch_tokens", 4096), "--mini-batch", 1000, "--maxi-batch", 100,
                   "--max-length", 100, "--cpu-threads", arguments.threads, "--workspace", 2000, "--sync-sgd",
                   "--cost-type", "ce-mean-words", "--disp-freq", f"{arguments.warm_up}u",
                   "--after", f"{arguments.warm_up + arguments.updates}u"]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr[-2000:])
    print(json.dumps({"target_tokens_per_second": speed(done.stderr, arguments.warm_up)}))


if __name__ == "__main__":
    main()
