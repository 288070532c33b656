"""The loss of the models of tests/imports/data on a batch, and its gradients, as transformers computes them.

Needs transformers 4.57 or later and torch. The tokens are those of expected.json, with the language of each side, so no
tokenizer is needed. Writes multilingual_loss_expected.json:

    python tests/parity/make_multilingual_loss_expected.py
"""

import json
import pathlib

import torch
import transformers

HERE = pathlib.Path(__file__).parent
PADDING = 1
# The gradients that are compared, by their norms: our name and theirs
GRADIENTS = {
    "encoder.layers.0.self_attn.linears.0.weight": "model.encoder.layers.0.self_attn.q_proj.weight",
    "decoder.layers.0.src_attn.linears.1.weight": "model.decoder.layers.0.encoder_attn.k_proj.weight",
    "decoder.layers.0.feed_forward.w_1.weight": "model.decoder.layers.0.fc1.weight",
}


def padded(rows, filler):
    width = max(len(row) for row in rows)
    return torch.tensor([row + [filler] * (width - len(row)) for row in rows])


def loss_of(name):
    folder = HERE.parent / "imports" / "data" / name
    lines = json.loads((folder / "expected.json").read_text())["lines"]
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=torch.float32).eval()
    source = padded([line["ids"] for line in lines], PADDING)
    labels = padded([line["target_ids"] for line in lines], -100)  # the language first, </s> last
    result = model(input_ids=source, attention_mask=source.ne(PADDING).long(), labels=labels)
    result.loss.backward()
    parameters = dict(model.named_parameters())
    norms = {ours: round(parameters[theirs].grad.norm().item(), 7) for ours, theirs in GRADIENTS.items()}
    return {"tokens": int(labels.ne(-100).sum()), "loss": round(result.loss.item(), 6), "gradients": norms}


if __name__ == "__main__":
    wanted = {name: loss_of(name) for name in ("m2m100", "nllb", "mbart50")}
    wanted["transformers"] = transformers.__version__
    (HERE / "multilingual_loss_expected.json").write_text(json.dumps(wanted, indent=1) + "\n")
