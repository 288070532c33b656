#!/usr/bin/env python3
"""Checks that a BERT computes the same in Ventris and in Hugging Face's transformers, through their files, both ways.

1. transformers makes a BertForPreTraining with random weights and saves it; ventris-import reads it.
2. ventris-embed and ventris-fill compute states and probabilities with it; transformers computes the same (1e-5).
3. ventris-export writes it for transformers; the logits of what transformers reads are those of the first model.

    pip install --target FOLDER transformers safetensors numpy
    PYTHONPATH=FOLDER .venv/bin/python tests/parity/check_huggingface.py --tokenizer bert/best/source.spm

The tokenizer is a SentencePiece model with the piece [MASK], such as that of a BERT of ventris-train.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import torch
import transformers

LINES = ["a man [MASK] a dog", "two [MASK] play in the [MASK]", "[MASK]", "snow"]
TOLERANCE = 1e-5
BOS, EOS = 2, 3


def run(program, *arguments, lines=()):
    result = subprocess.run([program, *map(str, arguments)], input="".join(line + "\n" for line in lines), text=True,
                            check=True, stdout=subprocess.PIPE)
    return result.stdout.splitlines()


def random_model(vocab):
    torch.manual_seed(1)
    config = transformers.BertConfig(vocab_size=vocab, hidden_size=24, num_hidden_layers=3, num_attention_heads=4,
                                     intermediate_size=40, max_position_embeddings=64, layer_norm_eps=1e-12)
    model = transformers.BertForPreTraining(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.3)
    return model


def ids_of(programs, tokenizer, pieces, line):
    """As Ventris reads a line: a space before [MASK] has no token."""
    tokens = [int(token) for token in run(programs / "ventris-vocab", "encode", "-m", tokenizer, "--ids", lines=[line])[0].split()]
    space, mask = pieces["\u2581"], pieces["[MASK]"]
    kept = [token for token, behind in zip(tokens, tokens[1:] + [EOS]) if not (token == space and behind == mask)]
    return [BOS] + kept + [EOS]


@torch.no_grad()
def check_states(model, ids, lines):
    """`lines` has the output of ventris-embed for each --pooling."""
    worst = 0
    for row, line in enumerate(ids):
        out = model.bert(torch.tensor([line]))
        for pooling, expected in (("cls", out.last_hidden_state[0, 0]), ("pooler", out.pooler_output[0]),
                                  ("mean", out.last_hidden_state[0, 1:-1].mean(0))):
            found = torch.tensor(json.loads(lines[pooling][row])["vector"])
            worst = max(worst, (found - expected).abs().max().item())
    return worst


@torch.no_grad()
def check_probabilities(model, ids, pieces, lines):
    worst = 0
    for line, output in zip(ids, lines):
        probabilities = model(torch.tensor([line])).prediction_logits[0].softmax(-1)
        places = [i for i, token in enumerate(line) if token == pieces["[MASK]"]]
        masks = json.loads(output)["masks"]
        assert len(masks) == len(places), (line, output)
        for place, words in zip(places, masks):
            for one in words:
                worst = max(worst, abs(one["probability"] - probabilities[place, pieces[one["piece"]]].item()))
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("build/release/bin"))
    parser.add_argument("--tokenizer", type=pathlib.Path, required=True)
    options = parser.parse_args()
    programs = options.programs
    listed = run(programs / "ventris-vocab", "list", "-m", options.tokenizer)
    pieces = {line.split("\t")[1]: int(line.split("\t")[0]) for line in listed}
    model = random_model(len(pieces))
    ids = [ids_of(programs, options.tokenizer, pieces, line) for line in LINES]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        model.save_pretrained(folder / "theirs")
        run(programs / "ventris-import", "-m", folder / "theirs", "--tokenizer", options.tokenizer, "-o", folder / "bundle")
        embedded = {pooling: run(programs / "ventris-embed", "-m", folder / "bundle", "--pooling", pooling, lines=LINES)
                    for pooling in ("cls", "pooler", "mean")}
        states = check_states(model, ids, embedded)
        filled = run(programs / "ventris-fill", "-m", folder / "bundle", "--format", "jsonl", "-n", 50, lines=LINES)
        probabilities = check_probabilities(model, ids, pieces, filled)
        run(programs / "ventris-export", "-m", folder / "bundle", "--format", "huggingface", "-o", folder / "ours")
        again = transformers.BertForPreTraining.from_pretrained(folder / "ours").eval()
    with torch.no_grad():
        logits = max((again(torch.tensor([line])).prediction_logits - model(torch.tensor([line])).prediction_logits)
                     .abs().max().item() for line in ids)
    print(f"transformers {transformers.__version__}: largest differences: states {states:.1e}, probabilities "
          f"{probabilities:.1e}, logits after export {logits:.1e}")
    assert max(states, probabilities, logits) < TOLERANCE


if __name__ == "__main__":
    main()
