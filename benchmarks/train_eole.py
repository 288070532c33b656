#!/usr/bin/env python3
"""Trains with Eole on a CPU, with the same text, model and batch size as ventris-train, and measures the speed.

    train_eole.py --config multi30k-tiny.json --train train.en train.de --tokenizer source.spm --threads 1

Prints one JSON object with the target tokens per second after a warm-up, without padding. The text is divided into
pieces before the measurement, so Eole only has to look them up. Run it with a Python that has eole.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import sentencepiece

from plain_attention import refuse_variants
from train_plain_pytorch import make_parser, open_text

REPORT = re.compile(r"Step\s+(\d+)/.*?bsz:\s*[\d.]+/\s*([\d.]+)/.*?/\s*([\d.]+) tok/s")


def write_pieces(text, tokenizer, path):
    with open_text(text) as lines, open(path, "w", encoding="utf-8") as out:
        for line in lines:
            out.write(" ".join(tokenizer.encode(line.strip(), out_type=str)) + "\n")


def write_vocabulary(tokenizer, path):
    with open(path, "w", encoding="utf-8") as out:
        for piece in range(tokenizer.get_piece_size()):
            if not (tokenizer.is_control(piece) or tokenizer.is_unknown(piece)):
                out.write(f"{tokenizer.id_to_piece(piece)}\t{tokenizer.get_piece_size() - piece}\n")


def settings(folder, config, arguments):
    model, training = config["model"], config["training"]
    refuse_variants(model, "settings", "this comparison")
    optimizer, schedule = training.get("optimizer", {}), training.get("schedule", {})
    return {
        "data": {"corpus": {"path_src": f"{folder}/source", "path_tgt": f"{folder}/target", "transforms": []}},
        "src_vocab": f"{folder}/vocabulary", "tgt_vocab": f"{folder}/vocabulary", "share_vocab": True,
        "save_data": f"{folder}/data", "overwrite": True, "seed": 1, "report_every": arguments.warm_up,
        "model": {"architecture": "transformer", "layers": model["encoder_layers"], "heads": model["heads"],
                  "hidden_size": model["d_model"], "transformer_ff": model["d_ff"],
                  "position_encoding_type": "SinusoidalInterleaved", "share_embeddings": True,
                  "share_decoder_embeddings": True,
                  "embeddings": {"word_vec_size": model["d_model"],
                                 "position_encoding_type": "SinusoidalInterleaved"}},
        "training": {"world_size": 1, "gpu_ranks": [], "compute_dtype": "fp32", "num_workers": 0,
                     "batch_type": "tokens", "batch_size": training["batch_tokens"], "normalization": "tokens",
                     "bucket_size": 262144, "dropout": [model["dropout"]], "attention_dropout": [model["dropout"]],
                     "label_smoothing": training["label_smoothing"], "max_grad_norm": training["clip_norm"],
                     "optim": "adam", "adam_beta1": optimizer.get("beta1", 0.9),
                     "adam_beta2": optimizer.get("beta2", 0.98), "learning_rate": schedule["learning_rate"],
                     "warmup_steps": schedule["warmup_updates"], "decay_method": "rsqrt",
                     "param_init_method": "xavier_uniform", "train_steps": arguments.warm_up + arguments.updates,
                     "valid_steps": 10 ** 6, "save_checkpoint_steps": 10 ** 6, "model_path": f"{folder}/model"},
    }


def train(folder, config, arguments):
    tokenizer = sentencepiece.SentencePieceProcessor(model_file=arguments.tokenizer)
    for text, name in zip(arguments.train, ("source", "target")):
        write_pieces(text, tokenizer, f"{folder}/{name}")
    write_vocabulary(tokenizer, f"{folder}/vocabulary")
    path = pathlib.Path(folder) / "config.yaml"
    path.write_text(json.dumps(settings(folder, config, arguments), indent=1), encoding="utf-8")  # JSON is YAML
    environment = os.environ | {"OMP_NUM_THREADS": str(arguments.threads)}
    done = subprocess.run([pathlib.Path(sys.executable).with_name("eole"), "train", "-config", path], text=True,
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise SystemExit(done.stdout[-3000:])
    return done.stdout


def main():
    arguments = make_parser(__doc__.splitlines()[0]).parse_args()
    with open(arguments.config, encoding="utf-8") as file:
        config = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        log = train(folder, config, arguments)
    tokens = seconds = 0.0
    for step, batch_tokens, speed in REPORT.findall(log):
        if int(step) > arguments.warm_up:
            tokens += float(batch_tokens)
            seconds += float(batch_tokens) / float(speed)
    if not seconds:
        raise SystemExit(f"Eole's log has no speed. Its end is:\n{log[-3000:]}")
    print(json.dumps({"target_tokens_per_second": tokens / seconds}))


if __name__ == "__main__":
    main()
