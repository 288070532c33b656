"""Writes transformer_nat_expected.json: what the non-autoregressive Transformer of lib/modules/families must compute.

The layers are those of make_transformer_expected.py. The copies of the source, the length predictor, the positions of
the decoder and the losses are written here a second time, sentence by sentence, from the formulas of Gu et al. 2018 and
Wei et al. 2019 (copies), Ghazvininejad et al. 2019 (masks, lengths), Qian et al. 2021 (glancing), Gu and Kong 2021
(glancing with CTC) and Graves et al. 2006 (CTC, as in torch). What these losses draw at random is stored in the file,
with the seed that gives the same numbers in C++.

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
        glancing_ratio=0.87, glancing_final=0.41, glancing_updates=4,
        src_vocab=12, tgt_vocab=10, norm="pre", activation="gelu", positions="sinusoidal", tying="decoder"),
    "glancing_mask_eos": dict(
        objective="glancing", decoder_input="mask", stop="eos", length_factor=1.0,
        glancing_ratio=0.31, glancing_final=0.77, glancing_updates=6,
        src_vocab=11, tgt_vocab=12, norm="post", activation="relu", positions="learned", tying="none"),
    "ctc_uniform": dict(
        objective="ctc", decoder_input="uniform", upsampling=2,
        src_vocab=11, tgt_vocab=11, norm="pre", activation="relu", positions="sinusoidal", tying="all"),
    "ctc_soft_tripled": dict(
        objective="ctc_glancing", decoder_input="soft", copy_width=0.3, upsampling=3,
        glancing_ratio=0.57, glancing_final=0.29, glancing_updates=5,
        src_vocab=12, tgt_vocab=10, norm="post", activation="relu", positions="learned", tying="none"),
    "ctc_glancing_mask": dict(
        objective="ctc_glancing", decoder_input="mask", upsampling=2,
        glancing_ratio=0.57, glancing_final=0.29, glancing_updates=5,
        src_vocab=11, tgt_vocab=11, norm="pre", activation="gelu", positions="sinusoidal", tying="all"),
}
UPDATES = (2, 9)  # those whose losses of training are stored
LINE_WEIGHTS = (1.0, 0.5, 2.0)


def positions(o, src_len):
    """Target positions, unless the length is predicted."""
    if is_ctc(o):
        return o["upsampling"] * src_len
    return math.ceil(o["length_factor"] * src_len) + 5


def predicts_length(o):
    return o.get("stop") == "length"


class Length(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.proj = nn.Linear(o["d_model"], 2 * o["length_range"] + 1)


class NonAutoregressive(nn.Module):
    def __init__(self, o, layers=plain):
        """`layers`: the script whose layers to use."""
        super().__init__()
        self.o = o
        whole = layers.EncoderDecoder(o)
        self.encoder, self.decoder = whole.encoder, whole.decoder
        self.src_embed = whole.src_embed
        longest = o["max_positions"] if predicts_length(o) else positions(o, o["max_positions"])
        self.tgt_embed = nn.Sequential(whole.tgt_embed[0], layers.PositionalEncoding(o | {"max_positions": longest}))
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


def is_ctc(o):
    return o["objective"].startswith("ctc")


class Texts:
    """Three pairs, and how many positions the decoder has for each."""

    def __init__(self, o):
        self.src_lens, self.words = [5, 3, 4], [4, 6, 1]  # with twice the source, the second does not fit for CTC
        self.src = plain.ids(self.src_lens, 5, o["src_vocab"], 3)
        tgt = plain.ids(self.words, 6, o["tgt_vocab"] - 1, 2) + 1  # never eos
        self.tgt = tgt.masked_fill(tgt == 1, PAD)
        self.tgt[1, 1] = self.tgt[1, 0]  # a repetition: CTC needs a blank in between
        self.src_mask = (self.src != PAD).unsqueeze(1)
        eos = not is_ctc(o) and not predicts_length(o)
        self.labels = [row[:n].tolist() + [EOS] * eos for row, n in zip(self.tgt, self.words)]
        self.lengths = self.words if predicts_length(o) else [positions(o, n) for n in self.src_lens]
        self.tgt_mask = (torch.arange(max(self.lengths)) < torch.tensor(self.lengths).unsqueeze(1)).unsqueeze(1)

    def every_place(self):
        """The positions of the tokens of each target."""
        return [list(range(len(row))) for row in self.labels]


def token_losses(log_probs, texts, places, weights):
    """Label-smoothed loss and negative log-likelihood of the tokens at places[b] of each row b."""
    loss = nll = 0
    for b, weight in enumerate(weights):
        states, targets = log_probs[b, places[b]], torch.tensor([texts.labels[b][t] for t in places[b]])
        loss = loss + weight * plain.label_smoothed(states, targets)
        nll = nll + weight * nn.functional.nll_loss(states, targets, reduction="sum")
    return loss, nll


def length_losses(model, memory, texts):
    reach = model.o["length_range"]
    classes = [min(max(t - s, -reach), reach) + reach for s, t in zip(texts.src_lens, texts.words)]
    return -model.length_log_probs(memory, texts.src_lens)[range(len(classes)), classes]


def losses(model, memory, log_probs, texts, places, weights):
    """Loss and negative log-likelihood, where the tokens at places[b] of each row b count for the loss of tokens."""
    weights = torch.tensor(weights)
    if is_ctc(model.o):
        each = nn.functional.ctc_loss(log_probs.transpose(0, 1), texts.tgt, torch.tensor(texts.lengths),
                                      torch.tensor(texts.words), blank=PAD, reduction="none", zero_infinity=True)
        return (each * weights).sum(), (each * weights).sum()
    loss, nll = token_losses(log_probs, texts, places, weights)
    scale = sum(map(len, texts.labels)) / sum(map(len, places))
    loss, nll = loss * scale, nll * scale
    if predicts_length(model.o):
        of_length = length_losses(model, memory, texts) * weights
        loss = loss + model.o["length_weight"] * (of_length * torch.tensor(texts.words)).sum()
        nll = nll + of_length.sum()
    return loss, nll


class Draws:
    """Numbers from 0 to 1 of a generator with this seed, all of which are kept."""

    def __init__(self, seed):
        self.seed, self.all = seed, []
        self.generator = torch.Generator().manual_seed(seed)

    def __call__(self, *shape):
        self.all.append(torch.rand(shape, generator=self.generator))
        return self.all[-1].tolist()


def drawn_places(draws, allowed, counts):
    """The counts[b] positions of allowed[b] that drew the smallest numbers; allowed[b] may be shorter than the rows."""
    return [sorted(sorted(row, key=numbers.__getitem__)[:count])
            for numbers, row, count in zip(draws, allowed, counts)]


def clearly(ratio):
    """Rounded down; fails if rounding errors could change the result."""
    assert abs(ratio - round(ratio)) > 1e-3 or ratio == 0, ratio
    return math.floor(ratio)


def clearly_best(log_probs):
    """The most probable symbol; fails if rounding errors could change the result."""
    first, second = log_probs.topk(2).values.tolist()
    assert first - second > 1e-3, (first, second)
    return log_probs.argmax().item()


def best_path(log_probs, target):
    """The most probable way to write the target with CTC, one symbol per position; None if there is none.

    Repeated symbols are read as one, then blanks are dropped. After each position, the two best ways are known for
    every number of tokens read and last symbol."""
    ways = {(0, PAD): [(0.0, [])]}
    for scores in log_probs.tolist():
        longer = {}
        for (read, last), known in ways.items():
            for symbol in {PAD, last, *target[read:read + 1]}:
                new = symbol not in (PAD, last)
                state = (read + new, symbol)
                longer.setdefault(state, []).extend((score + scores[symbol], way + [symbol]) for score, way in known)
        ways = {state: sorted(known, reverse=True)[:2] for state, known in longer.items()}
    found = sorted((way for (read, _), known in ways.items() if read == len(target) for way in known), reverse=True)
    if not found:
        return None
    assert len(found) == 1 or found[0][0] - found[1][0] > 1e-3, found[:2]
    return found[0][1]


def input_of_training(model, memory, texts, update, draws):
    """What the decoder reads in training, and the positions where the loss of tokens counts."""
    o, every, width = model.o, texts.every_place(), max(texts.lengths)
    if o["objective"] == "mask_predict":
        counts = [clearly(draw * n) + 1 for draw, n in zip(draws(3), texts.words)]
        hidden = drawn_places(draws(3, width), every, counts)
        read = [[BOS if t in hidden[b] else token for t, token in enumerate(row)] + [PAD] * (width - len(row))
                for b, row in enumerate(texts.labels)]
        return model.tgt_embed[0](torch.tensor(read)), hidden
    first = model.first_input(texts.src, texts.src_lens, texts.lengths)
    with torch.no_grad():
        log_probs = model.generator(model.decode(memory, texts.src_mask, first, texts.tgt_mask))
    wanted = texts.labels  # the symbols that may be shown
    if is_ctc(o):
        wanted = [best_path(log_probs[b, :n], texts.labels[b]) or [] for b, n in enumerate(texts.lengths)]
    wrong = [sum(clearly_best(log_probs[b, t]) != symbol for t, symbol in enumerate(row))
             for b, row in enumerate(wanted)]
    done = min(1, update / o["glancing_updates"])
    ratio = o["glancing_ratio"] + done * (o["glancing_final"] - o["glancing_ratio"])
    shown = drawn_places(draws(3, width), [range(len(row)) for row in wanted], [clearly(ratio * n) for n in wrong])
    assert any(shown), "nothing is shown"
    rows = [[model.tgt_embed[0](torch.tensor(wanted[b][t])) if t in shown[b] else first[b, t] for t in range(width)]
            for b in range(len(wanted))]
    return torch.stack([torch.stack(row) for row in rows]), [
        [t for t in row if t not in shown[b]] for b, row in enumerate(every)]


def gradients_of(model, loss):
    model.zero_grad()
    loss.backward()
    return {name: plain.stored(parameter.grad) for name, parameter in model.named_parameters()
            if parameter.grad is not None}


def training_case(model, texts, update):
    """The loss of training at this update."""
    draws = Draws(seed=100 + update)
    memory = model.encode(texts.src, texts.src_mask)
    read, places = input_of_training(model, memory, texts, update, draws)
    log_probs = model.generator(model.decode(memory, texts.src_mask, read, texts.tgt_mask))
    loss, nll = losses(model, memory, log_probs, texts, places, LINE_WEIGHTS)
    return {
        "update": update,
        "weights": LINE_WEIGHTS,
        "seed": draws.seed,
        "draws": [plain.stored(drawn) for drawn in draws.all],
        "loss": plain.stored(loss),
        "nll": plain.stored(nll),
        "gradients": gradients_of(model, loss),
    }


def case(options):
    o = SIZES | options
    model = NonAutoregressive(o)
    plain.fill(model)
    texts = Texts(o)
    lengths, tgt_mask = texts.lengths, texts.tgt_mask

    def run():
        memory = model.encode(texts.src, texts.src_mask)
        first = model.first_input(texts.src, texts.src_lens, lengths)
        hidden = model.decode(memory, texts.src_mask, first, tgt_mask)
        log_probs = model.generator(hidden)
        loss, nll = losses(model, memory, log_probs, texts, texts.every_place(), [1.0] * 3)
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
    if predicts_length(o):
        tensors["length_log_probs"] = model.length_log_probs(memory, texts.src_lens)
    gradients = gradients_of(model, loss)
    draws = o["objective"] == "mask_predict" or o["objective"].endswith("glancing")
    training = [training_case(model, texts, update) for update in UPDATES if draws]

    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE, betas=(0.9, 0.98), eps=1e-9)
    means = []
    for _ in range(10):
        optimizer.zero_grad()
        mean = run()[4] / (sum(texts.words) + 3)
        mean.backward()
        optimizer.step()
        means.append(mean.item())
    return {
        "options": o,
        "source": texts.src.tolist(),
        "target": texts.tgt.tolist(),
        "lengths": lengths,
        "parameters": [name for name, _ in model.named_parameters()],
        "state_dict": sorted(model.state_dict()),
        "tensors": {name: plain.stored(tensor) for name, tensor in tensors.items()},
        "gradients": gradients,
        "training": training,
        "losses": means,
    }


def main():
    path = pathlib.Path(__file__).with_name("transformer_nat_expected.json")
    cases = {name: case(options) for name, options in CASES.items()}
    expected = {"learning_rate": LEARNING_RATE, "smoothing": SMOOTHING, "pad": PAD, "cases": cases}
    path.write_text(json.dumps(expected) + "\n")
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
