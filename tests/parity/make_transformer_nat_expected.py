"""Writes transformer_nat_expected.json: what the non-autoregressive Transformer of lib/families must compute.

The layers are those of make_transformer_expected.py. The copies of the source, the length predictor, the positions of
the decoder and the losses are written here a second time, sentence by sentence, from the formulas of Gu et al. 2018 and
Wei et al. 2019 (copies), Ghazvininejad et al. 2019 (masks, lengths) and Graves et al. 2006 (CTC, as in torch).

    .venv/bin/python tests/parity/make_transformer_nat_expected.py     # needs PyTorch only
"""

import json
import math
import pathlib
import warnings

warnings.filterwarnings("ignore", message="Failed to initialize NumPy")
import torch  # noqa: E402
from torch import nn  # noqa: E402

import make_transformer_expected as plain  # noqa: E402

PAD, BOS, EOS = 0, 2, 3
SMOOTHING = 0.1
LEARNING_RATE = 0.01
SIZES = dict(encoder_layers=2, decoder_layers=2, d_model=8, d_ff=12, heads=2, max_positions=16)
CASES = {
    "mask_predict_tied": dict(
        objective="mask_predict", decoder_input="mask", stop="length", length_range=4, length_weight=0.3,
        src_vocab=11, tgt_vocab=11, norm="pre", activation="relu", positions="sinusoidal", tying="all"),
    "plain_uniform_eos": dict(
        objective="plain", decoder_input="uniform", stop="eos", length_factor=1.5,
        src_vocab=11, tgt_vocab=13, norm="post", activation="gelu", positions="learned", tying="none"),
    "glancing_soft_length": dict(
        objective="glancing", decoder_input="soft", stop="length", copy_width=0.7, length_range=1, length_weight=0.1,
        src_vocab=12, tgt_vocab=10, norm="pre", activation="gelu", positions="sinusoidal", tying="decoder"),
    "ctc_uniform": dict(
        objective="ctc", decoder_input="uniform", upsampling=2,
        src_vocab=11, tgt_vocab=11, norm="pre", activation="relu", positions="sinusoidal", tying="all"),
    "ctc_soft_tripled": dict(
        objective="ctc_glancing", decoder_input="soft", copy_width=0.3, upsampling=3,
        src_vocab=12, tgt_vocab=10, norm="post", activation="relu", positions="learned", tying="none"),
}


def positions(o, src_len):
    """Target positions, unless the length is predicted."""
    if o["objective"].startswith("ctc"):
        return o["upsampling"] * src_len
    return math.ceil(o["length_factor"] * src_len) + 5


def predicts_length(o):
    return o.get("stop") == "length"


class Length(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.proj = nn.Linear(o["d_model"], 2 * o["length_range"] + 1)


class NonAutoregressive(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.o = o
        whole = plain.EncoderDecoder(o)
        self.encoder, self.decoder = whole.encoder, whole.decoder
        self.src_embed = whole.src_embed
        longest = o["max_positions"] if predicts_length(o) else positions(o, o["max_positions"])
        self.tgt_embed = nn.Sequential(whole.tgt_embed[0], plain.PositionalEncoding(o | {"max_positions": longest}))
        self.generator = whole.generator
        if predicts_length(o):
            self.length = Length(o)

    def encode(self, src, src_mask):
        return self.encoder(self.src_embed(src), src_mask)

    def length_log_probs(self, memory, src_lens):
        means = [memory[b, :n].mean(0) for b, n in enumerate(src_lens)]
        return self.length.proj(torch.stack(means)).log_softmax(-1)

    def first_input(self, src, src_lens, lengths):
        """Row by row, position by position; zeros after the length of a row."""
        source = self.src_embed[0](src)
        rows = []
        for b, (src_len, length) in enumerate(zip(src_lens, lengths)):
            row = []
            for t in range(max(lengths)):
                if self.o["decoder_input"] == "mask":
                    row.append(self.tgt_embed[0](torch.tensor(BOS)))
                    continue
                if t >= length:
                    row.append(torch.zeros(self.o["d_model"]))
                    continue
                place = t * (src_len - 1) / max(length - 1, 1)
                if self.o["decoder_input"] == "uniform":
                    row.append(source[b, round(place)])  # to the even one, as torch.round
                    continue
                weights = torch.tensor([-abs(place - j) / self.o["copy_width"] for j in range(src_len)]).softmax(0)
                row.append(weights @ source[b, :src_len])
            rows.append(torch.stack(row))
        return torch.stack(rows)

    def decode(self, memory, src_mask, x, tgt_mask):
        return self.decoder(self.tgt_embed[1](x), memory, src_mask, tgt_mask)


def token_losses(log_probs, target, counts):
    """Label-smoothed loss and negative log-likelihood of the first counts[b] tokens of each row."""
    states = torch.cat([log_probs[b, :n] for b, n in enumerate(counts)])
    targets = torch.cat([target[b, :n] for b, n in enumerate(counts)])
    return plain.label_smoothed(states, targets), nn.functional.nll_loss(states, targets, reduction="sum")


def length_loss(model, memory, src_lens, tgt_lens):
    reach = model.o["length_range"]
    classes = [min(max(t - s, -reach), reach) + reach for s, t in zip(src_lens, tgt_lens)]
    return -model.length_log_probs(memory, src_lens)[range(len(classes)), classes]


def case(options):
    o = SIZES | options
    model = NonAutoregressive(o)
    plain.fill(model)
    src_lens, words = [5, 3, 4], [4, 6, 1]  # with twice the source, the second target does not fit for CTC
    src = plain.ids(src_lens, 5, o["src_vocab"], 3)
    tgt = plain.ids(words, 6, o["tgt_vocab"] - 1, 2) + 1  # never eos
    tgt = tgt.masked_fill(tgt == 1, PAD)
    tgt[1, 1] = tgt[1, 0]  # a repetition: CTC needs a blank in between
    src_mask = (src != PAD).unsqueeze(1)
    ctc, length = o["objective"].startswith("ctc"), predicts_length(o)
    lengths = words if length else [positions(o, n) for n in src_lens]
    tgt_mask = (torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)).unsqueeze(1)

    def run():
        memory = model.encode(src, src_mask)
        first = model.first_input(src, src_lens, lengths)
        hidden = model.decode(memory, src_mask, first, tgt_mask)
        log_probs = model.generator(hidden)
        if ctc:
            loss = nn.functional.ctc_loss(log_probs.transpose(0, 1), tgt, torch.tensor(lengths), torch.tensor(words),
                                          blank=PAD, reduction="sum", zero_infinity=True)
            return memory, first, hidden, log_probs, loss, loss
        ended = tgt
        if not length:
            ended = torch.cat([tgt, torch.zeros(3, 1, dtype=tgt.dtype)], 1)
            ended[range(3), words] = EOS
        loss, nll = token_losses(log_probs, ended, words if length else [n + 1 for n in words])
        if length:
            of_length = length_loss(model, memory, src_lens, words)
            loss = loss + o["length_weight"] * (of_length * torch.tensor(words)).sum()
            nll = nll + of_length.sum()
        return memory, first, hidden, log_probs, loss, nll

    def visible(tensor):
        """Positions after the length of a row have no meaning."""
        return tensor * tgt_mask.squeeze(1).unsqueeze(2)

    memory, first, hidden, log_probs, loss, nll = run()
    y = model.tgt_embed[1](first)
    tensors = {
        "memory": memory,
        "first_input": visible(first),
        "hidden": visible(hidden),
        "log_probs": visible(log_probs),
        "decoder_weights": model.decoder.layers[0].self_attn(y, y, y, tgt_mask)[1][0, :, :lengths[0]],
        "loss": loss,
        "nll": nll,
    }
    if length:
        tensors["length_log_probs"] = model.length_log_probs(memory, src_lens)
    loss.backward()
    gradients = {name: plain.stored(parameter.grad) for name, parameter in model.named_parameters()
                 if parameter.grad is not None}

    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE, betas=(0.9, 0.98), eps=1e-9)
    losses = []
    for _ in range(10):
        optimizer.zero_grad()
        mean = run()[4] / (sum(words) + 3)
        mean.backward()
        optimizer.step()
        losses.append(mean.item())
    return {
        "options": o,
        "source": src.tolist(),
        "target": tgt.tolist(),
        "lengths": lengths,
        "parameters": [name for name, _ in model.named_parameters()],
        "state_dict": sorted(model.state_dict()),
        "tensors": {name: plain.stored(tensor) for name, tensor in tensors.items()},
        "gradients": gradients,
        "losses": losses,
    }


def main():
    path = pathlib.Path(__file__).with_name("transformer_nat_expected.json")
    cases = {name: case(options) for name, options in CASES.items()}
    expected = {"learning_rate": LEARNING_RATE, "smoothing": SMOOTHING, "pad": PAD, "cases": cases}
    path.write_text(json.dumps(expected) + "\n")
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
