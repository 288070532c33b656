"""Writes bert_classifier_expected.json: what the classifier over BERT of lib/modules/families must compute.

The encoder is that of make_bert_expected.py; the head is the one of Devlin et al. 2019, section 4.1, with the names of
BertForSequenceClassification of Hugging Face's transformers.

    .venv/bin/python tests/parity/make_bert_classifier_expected.py                        # needs PyTorch only
    .venv/bin/python tests/parity/make_bert_classifier_expected.py --check-transformers   # also compares with that package
"""

import argparse
import json
import pathlib

from make_bert_expected import PAD, SIZES, Bert, fill, stored, torch

nn = torch.nn

IDS = [[2, 5, 9, 16, 7, 3], [2, 11, 3, 0, 0, 0], [2, 8, 12, 6, 3, 0], [2, 4, 15, 3, 0, 0]]
LABELS = [2, 0, 1, 2]
COUNT = 3
SMOOTHING = 0.1


class BertForSequenceClassification(nn.Module):
    def __init__(self, labels, **sizes):
        super().__init__()
        self.bert = Bert(**sizes)
        self.classifier = nn.Linear(sizes["d_model"], labels)

    def forward(self, ids):
        _, pooled = self.bert(ids, torch.zeros_like(ids), ids != PAD)
        return self.classifier(pooled)  # dropout in between is off


def check_transformers(model, ids, labels, logits, loss):
    import transformers
    config = transformers.BertConfig(
        vocab_size=SIZES["vocab"], hidden_size=SIZES["d_model"], num_hidden_layers=SIZES["layers"],
        num_attention_heads=SIZES["heads"], intermediate_size=SIZES["d_ff"], pad_token_id=PAD, num_labels=COUNT,
        max_position_embeddings=SIZES["max_positions"], hidden_dropout_prob=0, attention_probs_dropout_prob=0)
    theirs = transformers.BertForSequenceClassification(config).eval()
    theirs.load_state_dict(model.state_dict(), strict=True)
    with torch.no_grad():
        out = theirs(input_ids=ids, attention_mask=(ids != PAD).long(), labels=labels)
    worst = max((out.logits - logits).abs().max().item(), abs(out.loss.item() * len(LABELS) - loss.item()))
    assert worst < 1e-5, worst
    print(f"transformers {transformers.__version__}: the same names, largest difference {worst:.1e}")


def gradients(model, loss):
    model.zero_grad()
    loss.backward(retain_graph=True)
    return {name: stored(parameter.grad) for name, parameter in model.named_parameters()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check-transformers", action="store_true")
    arguments = parser.parse_args()
    model = BertForSequenceClassification(COUNT, **SIZES).eval()
    names = fill(model)
    ids, labels = torch.tensor(IDS), torch.tensor(LABELS)
    logits = model(ids)
    plain = nn.functional.cross_entropy(logits, labels, reduction="sum")
    smoothed = nn.functional.cross_entropy(logits, labels, reduction="sum", label_smoothing=SMOOTHING)
    if arguments.check_transformers:
        check_transformers(model, ids, labels, logits.detach(), plain)
    expected = {
        "options": SIZES, "labels": COUNT, "parameters": names, "ids": IDS, "classes": LABELS, "smoothing": SMOOTHING,
        "logits": stored(logits), "loss": plain.item(), "smoothed_loss": smoothed.item(),
        "gradients": gradients(model, plain), "smoothed_gradients": gradients(model, smoothed)}
    path = pathlib.Path(__file__).with_name("bert_classifier_expected.json")
    path.write_text(json.dumps(expected, indent=None, separators=(",", ":")) + "\n")


main()
