"""Writes bert_expected.json: what the BERT of lib/modules/nn must compute.

The network is built here a second time, from torch.nn parts and the description of Devlin et al. 2019, with the names of
BertForPreTraining of Hugging Face's transformers. Weights and inputs are closed formulas, so both sides make them without
sharing a file.

    .venv/bin/python tests/parity/make_bert_expected.py                        # needs PyTorch only
    .venv/bin/python tests/parity/make_bert_expected.py --check-transformers   # also compares with that package
"""

import argparse
import json
import math
import pathlib
import warnings

warnings.filterwarnings("ignore", message="Failed to initialize NumPy")
import torch  # noqa: E402
from torch import nn  # noqa: E402

PAD = 0
SIZES = dict(vocab=17, layers=2, d_model=8, d_ff=12, heads=2, max_positions=16, norm_epsilon=1e-12)
IDS = [[2, 5, 9, 16, 3, 7, 3], [2, 11, 3, 4, 3, 0, 0], [2, 8, 12, 3, 6, 14, 3]]
SEGMENTS = [[0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1, 1]]
LABELS = [[0, 6, 0, 15, 0, 0, 0], [0, 0, 0, 4, 0, 0, 0], [0, 8, 0, 0, 0, 10, 0]]
CLASSES = [0, 1, 1]


class Embeddings(nn.Module):
    def __init__(self, vocab, d_model, max_positions, norm_epsilon):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab, d_model)
        self.position_embeddings = nn.Embedding(max_positions, d_model)
        self.token_type_embeddings = nn.Embedding(2, d_model)
        self.LayerNorm = nn.LayerNorm(d_model, norm_epsilon)

    def forward(self, ids, segments):
        positions = self.position_embeddings(torch.arange(ids.shape[1]))
        return self.LayerNorm(self.word_embeddings(ids) + positions + self.token_type_embeddings(segments))


class Projections(nn.Module):
    def __init__(self, d_model, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(d_model, d_model) for _ in range(3))

    def forward(self, x, mask):
        batch, length, d_model = x.shape
        q, k, v = (linear(x).view(batch, length, self.heads, -1).transpose(1, 2)
                   for linear in (self.query, self.key, self.value))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = scores.masked_fill(~mask[:, None, None, :], float("-inf")).softmax(-1)
        return (weights @ v).transpose(1, 2).flatten(2)


class Output(nn.Module):
    def __init__(self, d_in, d_model, norm_epsilon):
        super().__init__()
        self.dense = nn.Linear(d_in, d_model)
        self.LayerNorm = nn.LayerNorm(d_model, norm_epsilon)

    def forward(self, x, residual):
        return self.LayerNorm(residual + self.dense(x))


def module(**children):
    """A module that only gives its children their names."""
    made = nn.Module()
    for name, child in children.items():
        made.add_module(name, child)
    return made


class Layer(nn.Module):
    def __init__(self, d_model, d_ff, heads, norm_epsilon):
        super().__init__()
        self.attention = module(**{"self": Projections(d_model, heads), "output": Output(d_model, d_model, norm_epsilon)})
        self.intermediate = module(dense=nn.Linear(d_model, d_ff))
        self.output = Output(d_ff, d_model, norm_epsilon)

    def forward(self, x, mask):
        attended = self.attention.output(getattr(self.attention, "self")(x, mask), x)
        return self.output(nn.functional.gelu(self.intermediate.dense(attended)), attended)


class Bert(nn.Module):
    def __init__(self, vocab, layers, d_model, d_ff, heads, max_positions, norm_epsilon):
        super().__init__()
        self.embeddings = Embeddings(vocab, d_model, max_positions, norm_epsilon)
        self.encoder = module(layer=nn.ModuleList(Layer(d_model, d_ff, heads, norm_epsilon) for _ in range(layers)))
        self.pooler = module(dense=nn.Linear(d_model, d_model))

    def forward(self, ids, segments, mask):
        states = [self.embeddings(ids, segments)]
        for layer in self.encoder.layer:
            states.append(layer(states[-1], mask))
        return states, torch.tanh(self.pooler.dense(states[-1][:, 0]))


class BertForPreTraining(nn.Module):
    def __init__(self, **sizes):
        super().__init__()
        vocab, d_model = sizes["vocab"], sizes["d_model"]
        self.bert = Bert(**sizes)
        predictions = module(transform=module(dense=nn.Linear(d_model, d_model),
                                              LayerNorm=nn.LayerNorm(d_model, sizes["norm_epsilon"])),
                             decoder=nn.Linear(d_model, vocab))
        predictions.register_parameter("bias", nn.Parameter(torch.zeros(vocab)))
        predictions.decoder.weight = self.bert.embeddings.word_embeddings.weight
        predictions.decoder.bias = predictions.bias
        self.cls = module(predictions=predictions, seq_relationship=nn.Linear(d_model, 2))

    def forward(self, ids, segments, mask):
        states, pooled = self.bert(ids, segments, mask)
        predictions = self.cls.predictions
        hidden = predictions.transform.LayerNorm(nn.functional.gelu(predictions.transform.dense(states[-1])))
        return states, pooled, predictions.decoder(hidden), self.cls.seq_relationship(pooled)


@torch.no_grad()
def fill(model):
    """Weight i of the k-th parameter, as in bert_test.cpp; returns the names."""
    names = [name for name, _ in model.named_parameters()]
    for k, (name, parameter) in enumerate(model.named_parameters()):
        wave = torch.cos(0.37 * torch.arange(parameter.numel(), dtype=torch.double) + 1.3 * k).view(parameter.shape)
        parameter.copy_(1 + 0.1 * wave if name.endswith("LayerNorm.weight") else 0.3 * wave)
    return names


def stored(tensor):
    return {"shape": list(tensor.shape), "values": [float(f"{x:.9g}") for x in tensor.detach().flatten().tolist()]}


def check_transformers(model, ids, segments, mask, words, following):
    import transformers
    config = transformers.BertConfig(
        vocab_size=SIZES["vocab"], hidden_size=SIZES["d_model"], num_hidden_layers=SIZES["layers"],
        num_attention_heads=SIZES["heads"], intermediate_size=SIZES["d_ff"], pad_token_id=PAD,
        max_position_embeddings=SIZES["max_positions"], hidden_dropout_prob=0, attention_probs_dropout_prob=0)
    theirs = transformers.BertForPreTraining(config).eval()
    theirs.load_state_dict(model.state_dict(), strict=True)
    with torch.no_grad():
        out = theirs(input_ids=ids, token_type_ids=segments, attention_mask=mask.long())
    visible = mask.unsqueeze(-1)
    worst = max(((out.prediction_logits - words).abs() * visible).max().item(),
                (out.seq_relationship_logits - following).abs().max().item())
    assert worst < 1e-5, worst
    print(f"transformers {transformers.__version__}: the same names, largest difference of a logit {worst:.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check-transformers", action="store_true")
    arguments = parser.parse_args()
    model = BertForPreTraining(**SIZES).eval()
    names = fill(model)
    ids, segments, labels = (torch.tensor(rows) for rows in (IDS, SEGMENTS, LABELS))
    mask = ids != PAD
    states, pooled, words, following = model(ids, segments, mask)
    hidden = labels != PAD
    cross_entropy = nn.functional.cross_entropy
    masked = cross_entropy(words[hidden], labels[hidden], reduction="sum")
    classes = cross_entropy(following, torch.tensor(CLASSES), reduction="none")
    loss = masked + (classes * hidden.sum(1)).sum()
    loss.backward()
    if arguments.check_transformers:
        check_transformers(model, ids, segments, mask, words, following)
    expected = {
        "options": SIZES, "parameters": names, "ids": IDS, "segments": SEGMENTS, "labels": LABELS, "classes": CLASSES,
        "states": [stored(state * mask.unsqueeze(-1)) for state in states], "pooled": stored(pooled),
        "words": stored(words * mask.unsqueeze(-1)), "following": stored(following),
        "loss": loss.item(), "nll": masked.item(),
        "gradients": {name: stored(parameter.grad) for name, parameter in model.named_parameters()}}
    path = pathlib.Path(__file__).with_name("bert_expected.json")
    path.write_text(json.dumps(expected, indent=None, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
