"""Writes rnn_expected.json: what the recurrent encoder-decoder of lib/modules/nn must compute.

The network is built here a second time, from torch.nn.GRU, torch.nn.LSTM and the formulas of Bahdanau et al. 2015 and
Luong et al. 2015, with the names of The Annotated Encoder-Decoder. The decoder runs token by token in every case.
Weights and inputs are closed formulas, so both sides make them without sharing a file.

    .venv/bin/python tests/parity/make_rnn_expected.py     # needs PyTorch only
"""

import json
import pathlib
import warnings

warnings.filterwarnings("ignore", message="Failed to initialize NumPy")
import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence  # noqa: E402

PAD = 0
SMOOTHING = 0.1
LEARNING_RATE = 0.01
SIZES = dict(src_vocab=9, tgt_vocab=10, d_embedding=5, d_hidden=4, encoder_layers=1, decoder_layers=1, tying="none")


def cases():
    kinds = [(attention, feeding) for attention in ("additive", "dot", "bilinear") for feeding in (True, False)]
    kinds.append(("none", False))
    named = {}
    for cell, layers in (("gru", 1), ("lstm", 2)):
        for attention, feeding in kinds:
            name = f"{cell}_{layers}_{attention}{'_fed' if feeding else ''}"
            named[name] = dict(cell=cell, encoder_layers=layers, decoder_layers=layers, attention=attention,
                               input_feeding=feeding)
    for name, cell, layers, attention, feeding in (
            ("gru_2_additive_fed", "gru", (2, 2), "additive", True),
            ("gru_2_none", "gru", (2, 2), "none", False),
            ("lstm_1_dot_fed", "lstm", (1, 1), "dot", True),
            ("lstm_1_none", "lstm", (1, 1), "none", False),
            ("lstm_2_1_additive_fed", "lstm", (2, 1), "additive", True),
            ("gru_1_3_bilinear", "gru", (1, 3), "bilinear", False)):
        named[name] = dict(cell=cell, encoder_layers=layers[0], decoder_layers=layers[1], attention=attention,
                           input_feeding=feeding)
    for tying in ("decoder", "all"):
        named[f"gru_1_additive_fed_tied_{tying}"] = dict(
            cell="gru", attention="additive", input_feeding=True, tying=tying, d_embedding=4, src_vocab=10)
    return named


class Encoder(nn.Module):
    def __init__(self, o):
        super().__init__()
        kind = {"gru": nn.GRU, "lstm": nn.LSTM}[o["cell"]]
        self.rnn = kind(o["d_embedding"], o["d_hidden"], o["encoder_layers"], batch_first=True, bidirectional=True)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        output, final = self.rnn(packed)
        output, _ = pad_packed_sequence(output, batch_first=True, total_length=x.shape[1])
        final = final if isinstance(final, tuple) else (final,)
        # Each [layers, batch, 2 * d_hidden]: the two directions of a layer side by side.
        return output, [torch.cat([state[0::2], state[1::2]], 2) for state in final]


class Attention(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.kind = o["attention"]
        width = o["d_hidden"]
        if self.kind != "dot":
            self.key_layer = nn.Linear(2 * width, width, bias=False)
        if self.kind == "additive":
            self.query_layer = nn.Linear(width, width, bias=False)
            self.energy_layer = nn.Linear(width, 1, bias=False)

    def forward(self, query, states, mask):
        """query [batch, d_hidden], states [batch, src_len, 2 * d_hidden], mask [batch, src_len]."""
        width = query.shape[1]
        if self.kind == "additive":
            energy = torch.tanh(self.query_layer(query).unsqueeze(1) + self.key_layer(states))
            scores = self.energy_layer(energy).squeeze(2)
        else:
            keys = states[..., :width] + states[..., width:] if self.kind == "dot" else self.key_layer(states)
            scores = (query.unsqueeze(1) * keys).sum(2)
        weights = scores.masked_fill(~mask, float("-inf")).softmax(1)
        return (weights.unsqueeze(2) * states).sum(1), weights


class Decoder(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.o = o
        kind = {"gru": nn.GRU, "lstm": nn.LSTM}[o["cell"]]
        width, attends = o["d_hidden"], o["attention"] != "none"
        more = 0
        if o["input_feeding"]:
            more = 2 * width if o["attention"] == "additive" else width
        if attends:
            self.attention = Attention(o)
        self.rnn = kind(o["d_embedding"] + more, width, o["decoder_layers"], batch_first=True)
        self.bridge = nn.Linear(2 * width, width)
        if o["cell"] == "lstm":
            self.bridge_cell = nn.Linear(2 * width, width)
        self.pre_output_layer = nn.Linear(o["d_embedding"] + width + (2 * width if attends else 0), width, bias=False)

    def first(self, final):
        read, layers = final[0].shape[0], self.o["decoder_layers"]
        places = [max(i + read - layers, 0) for i in range(layers)]
        bridges = [self.bridge, self.bridge_cell] if self.o["cell"] == "lstm" else [self.bridge]
        states = [torch.tanh(bridge(state[places])) for bridge, state in zip(bridges, final)]
        return tuple(states) if len(states) == 2 else states[0]

    def forward(self, y, states, final, mask):
        kind, feeds = self.o["attention"], self.o["input_feeding"]
        state = self.first(final)
        hidden, all_weights = [], []
        fed = y.new_zeros(y.shape[0], self.o["d_hidden"])
        for t in range(y.shape[1]):
            embedded = y[:, t]
            top = (state[0] if isinstance(state, tuple) else state)[-1]
            inputs, context = [embedded], None
            if feeds and kind == "additive":
                context, weights = self.attention(top, states, mask)
                inputs.append(context)
            elif feeds:
                inputs.append(fed)
            output, state = self.rnn(torch.cat(inputs, 1).unsqueeze(1), state)
            output = output.squeeze(1)
            if kind != "none" and context is None:
                context, weights = self.attention(output, states, mask)
            mixed = [embedded, output] + ([] if context is None else [context])
            fed = self.pre_output_layer(torch.cat(mixed, 1))
            if kind in ("dot", "bilinear"):
                fed = torch.tanh(fed)
            hidden.append(fed)
            if kind != "none":
                all_weights.append(weights)
        return torch.stack(hidden, 1), torch.stack(all_weights, 1) if all_weights else None


class Generator(nn.Module):
    def __init__(self, width, vocab):
        super().__init__()
        self.proj = nn.Linear(width, vocab)

    def forward(self, x):
        return self.proj(x).log_softmax(-1)


class EncoderDecoder(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.encoder = Encoder(o)
        self.decoder = Decoder(o)
        self.src_embed = nn.Embedding(o["src_vocab"], o["d_embedding"])
        self.trg_embed = nn.Embedding(o["tgt_vocab"], o["d_embedding"])
        self.generator = Generator(o["d_hidden"], o["tgt_vocab"])
        if o["tying"] == "all":
            self.trg_embed.weight = self.src_embed.weight
        if o["tying"] != "none":
            self.generator.proj.weight = self.trg_embed.weight

    def encode(self, src):
        return self.encoder(self.src_embed(src), (src != PAD).sum(1))

    def decode(self, memory, src, tgt):
        """-> hidden [batch, tgt_len, d_hidden], attention weights [batch, tgt_len, src_len] or None."""
        return self.decoder(self.trg_embed(tgt), *memory, src != PAD)


def fill(model):
    """Weight i of the k-th parameter."""
    for k, parameter in enumerate(model.parameters()):
        wave = torch.cos(0.37 * torch.arange(parameter.numel(), dtype=torch.float64) + 1.3 * k)
        parameter.data.copy_((0.5 * wave).view(parameter.shape))


def ids(lengths, width, vocab, stride):
    """Token t of sentence b, padded to `width`."""
    def token(b, t):
        return 3 + (5 * b + stride * t) % (vocab - 3) if t < lengths[b] else PAD

    return torch.tensor([[token(b, t) for t in range(width)] for b in range(len(lengths))])


def label_smoothed(log_probs, targets):
    """The reference's matrix form: log_probs [tokens, vocab], targets [tokens]."""
    wanted = torch.full_like(log_probs, SMOOTHING / (log_probs.shape[1] - 2))
    wanted.scatter_(1, targets.unsqueeze(1), 1 - SMOOTHING)
    wanted[:, PAD] = 0
    wanted[targets == PAD] = 0
    return nn.functional.kl_div(log_probs, wanted, reduction="sum")


def stored(tensor):
    return {"shape": list(tensor.shape), "values": [float(f"{x:.7g}") for x in tensor.detach().flatten().tolist()]}


def case(options):
    options = SIZES | options
    model = EncoderDecoder(options)
    fill(model)
    src = ids([3, 5, 4], 5, options["src_vocab"], 3)  # not sorted by length
    tgt = ids([4, 6, 2], 6, options["tgt_vocab"], 2)
    tgt_in, targets = tgt[:, :-1], tgt[:, 1:].flatten()

    def run():
        memory = model.encode(src)
        hidden, weights = model.decode(memory, src, tgt_in)
        log_probs = model.generator(hidden)
        return memory, hidden, weights, log_probs, label_smoothed(log_probs.flatten(0, 1), targets)

    memory, hidden, weights, log_probs, loss = run()
    finals = [state[layer] for layer in range(memory[1][0].shape[0]) for state in memory[1]]
    tensors = {
        "memory": memory[0],
        "finals": torch.stack(finals),
        "hidden": hidden,
        "log_probs": log_probs,
        "loss": loss,
        "nll": nn.functional.nll_loss(log_probs.flatten(0, 1), targets, ignore_index=PAD, reduction="sum"),
    }
    if weights is not None:
        tensors["weights"] = weights
    loss.backward()
    gradients = {name: stored(parameter.grad) for name, parameter in model.named_parameters()}

    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE, betas=(0.9, 0.98), eps=1e-9)
    losses = []
    for _ in range(10):
        optimizer.zero_grad()
        mean = run()[4] / (targets != PAD).sum()
        mean.backward()
        optimizer.step()
        losses.append(mean.item())
    return {
        "options": options,
        "source": src.tolist(),
        "target": tgt.tolist(),
        "parameters": list(gradients),
        "state_dict": sorted(model.state_dict()),
        "tensors": {name: stored(tensor) for name, tensor in tensors.items()},
        "gradients": gradients,
        "losses": losses,
    }


def main():
    path = pathlib.Path(__file__).with_name("rnn_expected.json")
    expected = {"learning_rate": LEARNING_RATE, "smoothing": SMOOTHING, "pad": PAD,
                "cases": {name: case(options) for name, options in cases().items()}}
    path.write_text(json.dumps(expected) + "\n")
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
