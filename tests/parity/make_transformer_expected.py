"""Writes transformer_expected.json: what the Transformer of lib/modules/nn must compute.

The network is built here a second time, from torch.nn parts and the formulas of Vaswani et al. 2017, with the names of
The Annotated Transformer; RMSNorm, gates, rotary positions, buckets of distances and SSRUs from those of Zhang and
Sennrich 2019, Shazeer 2020, Su et al. 2021, Raffel et al. 2020 and Kim et al. 2019; experts from those of Fedus et al.
2021 and Lepikhin et al. 2021. Weights and inputs are closed formulas, so both sides make them without sharing a file.

    .venv/bin/python tests/parity/make_transformer_expected.py     # needs PyTorch only
"""

import json
import math
import pathlib
import warnings

warnings.filterwarnings("ignore", message="Failed to initialize NumPy")
import torch  # noqa: E402
from torch import nn  # noqa: E402

PAD = 0
SMOOTHING = 0.1
EXPERT_BALANCE = 0.01  # the default of Ventris
LEARNING_RATE = 0.01
SIZES = dict(encoder_layers=2, decoder_layers=1, d_model=8, d_ff=12, heads=2, max_positions=16)
CASES = {
    "pre_relu_sinusoidal_tied": dict(
        src_vocab=11, tgt_vocab=11, norm="pre", activation="relu", positions="sinusoidal", tying="all"),
    "post_gelu_learned_untied": dict(
        src_vocab=11, tgt_vocab=13, norm="post", activation="gelu", positions="learned", tying="none"),
    "pre_gelu_sinusoidal_decoder_tied": dict(
        src_vocab=12, tgt_vocab=10, norm="pre", activation="gelu", positions="sinusoidal", tying="decoder"),
    "pre_rms_gated_silu_rotary": dict(
        src_vocab=11, tgt_vocab=11, norm="pre", norm_kind="rms", activation="silu", gated_feed_forward=True,
        positions="rotary", tying="all"),
    "pre_rms_gated_gelu_tanh_relative_bias": dict(
        src_vocab=11, tgt_vocab=11, norm="pre", norm_kind="rms", activation="gelu_tanh", gated_feed_forward=True,
        positions="relative_bias", relative_buckets=8, relative_max_distance=5, tying="all"),
    "post_rms_gated_gelu_learned": dict(
        src_vocab=11, tgt_vocab=13, norm="post", norm_kind="rms", activation="gelu", gated_feed_forward=True,
        positions="learned", tying="none"),
    "post_gelu_tanh_ssru_unscaled": dict(
        src_vocab=11, tgt_vocab=11, norm="post", final_norm=True, activation="gelu_tanh", self_attention="ssru", scale_embeddings=False,
        positions="sinusoidal", tying="all"),
    "pre_gelu_sigmoid_ssru": dict(
        src_vocab=11, tgt_vocab=12, norm="pre", activation="gelu_sigmoid", self_attention="ssru",
        positions="learned", tying="decoder"),
    "pre_relu_experts": dict(
        src_vocab=11, tgt_vocab=11, norm="pre", activation="relu", positions="sinusoidal", tying="all", experts=3),
    "post_gated_experts_of_two_every_second_layer": dict(
        src_vocab=11, tgt_vocab=12, norm="post", activation="silu", gated_feed_forward=True, positions="learned",
        tying="none", decoder_layers=2, experts=4, experts_per_token=2, expert_interval=2),
}


class RmsNorm(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        return x / torch.sqrt(x.square().mean(-1, keepdim=True) + 1e-5) * self.weight


def norm(o):
    return {"layer": nn.LayerNorm, "rms": RmsNorm}[o.get("norm_kind", "layer")](o["d_model"])


class Attention(nn.Module):
    def __init__(self, o, rotary=False):
        super().__init__()
        self.heads, d_model = o["heads"], o["d_model"]
        self.linears = nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(4))
        self.rotary = rotary
        if rotary:
            width = d_model // self.heads
            angles = [[p / 10000 ** (i / width) for i in range(0, width, 2)] for p in range(o["max_positions"])]
            turns = [[(math.cos(angle), math.sin(angle)) for angle in row] for row in angles]
            self.register_buffer("rotation", torch.tensor(turns))

    def split(self, x):
        batch, length, d_model = x.shape
        return x.view(batch, length, self.heads, d_model // self.heads).transpose(1, 2)

    def rotate(self, x):
        """Each pair of neighbours times the matrix of its rotation."""
        cos, sin = self.rotation[: x.shape[2]].unbind(-1)
        matrices = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2)  # [len, pairs, 2, 2]
        return torch.einsum("tirc,bhtic->bhtir", matrices, x.unflatten(-1, (-1, 2))).flatten(-2)

    def forward(self, query, key, value, mask, bias=0):
        query, key, value = (self.split(linear(x)) for linear, x in zip(self.linears, (query, key, value)))
        if self.rotary:
            query, key = self.rotate(query), self.rotate(key)
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]) + bias
        weights = scores.masked_fill(~mask.unsqueeze(1), float("-inf")).softmax(-1)
        mixed = (weights @ value).transpose(1, 2).flatten(2)
        return self.linears[3](mixed), weights


class RelativeBias(nn.Module):
    """One number for each bucket of distances and head. Each direction has as many buckets of one distance as of more."""

    def __init__(self, o, causal):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(o["relative_buckets"], o["heads"]))
        self.most, self.causal = o["relative_max_distance"], causal
        self.count = o["relative_buckets"] // (1 if causal else 2)
        of_distances = [self.bucket(-distance) for distance in range(self.most + 1)]
        starts = [next(d for d, b in enumerate(of_distances) if b >= bucket) for bucket in range(1, self.count)]
        self.register_buffer("starts", torch.tensor(starts))

    def bucket(self, distance):
        if self.causal and distance > 0:
            return 0
        far, first, exact = abs(distance), self.count if distance > 0 else 0, self.count // 2
        if far < exact:
            return first + far
        place = math.log(far / exact) / math.log(self.most / exact) * (self.count - exact)
        return first + min(self.count - 1, exact + int(place + 1e-6))

    def forward(self, length):
        buckets = [[self.bucket(key - query) for key in range(length)] for query in range(length)]
        return self.weight[torch.tensor(buckets)].permute(2, 0, 1).unsqueeze(0)  # [1, heads, length, length]


class Ssru(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.input = nn.Linear(d_model, d_model, bias=False)
        self.forget = nn.Linear(d_model, d_model)

    def forward(self, x):
        inputs, gates = self.input(x).unbind(1), torch.sigmoid(self.forget(x)).unbind(1)
        cells = [torch.zeros_like(inputs[0])]
        for value, gate in zip(inputs, gates):
            cells.append(gate * cells[-1] + (1 - gate) * value)
        return torch.relu(torch.stack(cells[1:], 1))


class FeedForward(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.w_1 = nn.Linear(o["d_model"], o["d_ff"])
        self.w_2 = nn.Linear(o["d_ff"], o["d_model"])
        self.gated = o.get("gated_feed_forward", False)
        if self.gated:
            self.w_3 = nn.Linear(o["d_model"], o["d_ff"])
        functions = {"relu": nn.functional.relu, "gelu": nn.functional.gelu, "silu": nn.functional.silu,
                     "gelu_tanh": lambda x: x / 2 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))),
                     "gelu_sigmoid": lambda x: x * torch.sigmoid(1.702 * x)}
        self.activation = functions[o["activation"]]

    def forward(self, x):
        inner = self.activation(self.w_1(x))
        return self.w_2(inner * self.w_3(x) if self.gated else inner)


class MixtureOfExperts(nn.Module):
    """Token by token; see Fedus et al. 2021, equation 2, and Lepikhin et al. 2021, algorithm 1, without capacities."""

    def __init__(self, o):
        super().__init__()
        self.router = nn.Linear(o["d_model"], o["experts"], bias=False)
        self.experts = nn.ModuleList(FeedForward(o) for _ in range(o["experts"]))
        self.per_token = o.get("experts_per_token", 1)

    def forward(self, x):
        self.probabilities = self.router(x).softmax(-1)  # of the last call
        return torch.stack([torch.stack([self.of_token(token) for token in sentence]) for sentence in x])

    def best(self, probabilities):
        return sorted(range(len(self.experts)), key=lambda i: -probabilities[i].item())[: self.per_token]

    def imbalance(self, tokens):
        """Fedus et al. 2021, equations 4 to 6, over the tokens [batch, len] that are True."""
        rows = self.probabilities[tokens]
        counts = [0] * len(self.experts)
        for row in rows:
            for expert in self.best(row):
                counts[expert] += 1
        return len(counts) * sum(count / sum(counts) * rows[:, i].mean() for i, count in enumerate(counts))

    def of_token(self, token):
        probabilities = self.router(token).softmax(-1)
        best = self.best(probabilities)
        whole = sum(probabilities[i] for i in best) if self.per_token > 1 else 1
        return sum(probabilities[i] / whole * self.experts[i](token) for i in best)


def feed_forward(o, layer):
    has_experts = o.get("experts", 0) > 0 and (layer + 1) % o.get("expert_interval", 1) == 0
    return MixtureOfExperts(o) if has_experts else FeedForward(o)


class Sublayer(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.norm = norm(o)
        self.place = o["norm"]

    def forward(self, x, block):
        return x + block(self.norm(x)) if self.place == "pre" else self.norm(x + block(x))


class EncoderLayer(nn.Module):
    def __init__(self, o, layer=0):
        super().__init__()
        self.self_attn = Attention(o, rotary=o["positions"] == "rotary")
        self.feed_forward = feed_forward(o, layer)
        self.sublayer = nn.ModuleList(Sublayer(o) for _ in range(2))

    def forward(self, x, bias, mask):
        x = self.sublayer[0](x, lambda y: self.self_attn(y, y, y, mask, bias)[0])
        return self.sublayer[1](x, self.feed_forward)


class DecoderLayer(nn.Module):
    def __init__(self, o, layer=0):
        super().__init__()
        self.recurrent = o.get("self_attention") == "ssru"
        if self.recurrent:
            self.ssru = Ssru(o["d_model"])
        else:
            self.self_attn = Attention(o, rotary=o["positions"] == "rotary")
        self.src_attn = Attention(o)
        self.feed_forward = feed_forward(o, layer)
        self.sublayer = nn.ModuleList(Sublayer(o) for _ in range(3))

    def forward(self, x, bias, memory, src_mask, tgt_mask):
        def itself(y):
            return self.ssru(y) if self.recurrent else self.self_attn(y, y, y, tgt_mask, bias)[0]

        x = self.sublayer[0](x, itself)
        x = self.sublayer[1](x, lambda y: self.src_attn(y, memory, memory, src_mask)[0])
        return self.sublayer[2](x, self.feed_forward)


class Stack(nn.Module):
    def __init__(self, layers, o, causal):
        super().__init__()
        if o["positions"] == "relative_bias":
            self.relative_bias = RelativeBias(o, causal)
        self.layers = nn.ModuleList(layers)
        if o["norm"] == "pre" or o.get("final_norm"):
            self.norm = norm(o)

    def forward(self, x, *rest):
        bias = self.relative_bias(x.shape[1]) if hasattr(self, "relative_bias") else 0
        for layer in self.layers:
            x = layer(x, bias, *rest)
        return self.norm(x) if hasattr(self, "norm") else x


class Embeddings(nn.Module):
    def __init__(self, vocab, o):
        super().__init__()
        self.lut = nn.Embedding(vocab, o["d_model"])
        self.factor = math.sqrt(o["d_model"]) if o.get("scale_embeddings", True) else 1

    def forward(self, ids):
        return self.lut(ids) * self.factor


class PositionalEncoding(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.none = o["positions"] in ("rotary", "relative_bias")
        if self.none:
            return
        if o["positions"] == "learned":
            self.pe = nn.Parameter(torch.zeros(1, o["max_positions"], o["d_model"]))
            return
        pe = torch.zeros(1, o["max_positions"], o["d_model"])
        for position in range(o["max_positions"]):
            for i in range(0, o["d_model"], 2):
                angle = position / 10000 ** (i / o["d_model"])
                pe[0, position, i] = math.sin(angle)
                pe[0, position, i + 1] = math.cos(angle)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return x if self.none else x + self.pe[:, : x.shape[1]]


class Generator(nn.Module):
    def __init__(self, d_model, vocab):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab)

    def forward(self, x):
        return self.proj(x).log_softmax(-1)


class EncoderDecoder(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.encoder = Stack([EncoderLayer(o, i) for i in range(o["encoder_layers"])], o, causal=False)
        self.decoder = Stack([DecoderLayer(o, i) for i in range(o["decoder_layers"])], o, causal=True)
        self.src_embed = nn.Sequential(Embeddings(o["src_vocab"], o), PositionalEncoding(o))
        self.tgt_embed = nn.Sequential(Embeddings(o["tgt_vocab"], o), PositionalEncoding(o))
        self.generator = Generator(o["d_model"], o["tgt_vocab"])
        if o["tying"] == "all":
            self.tgt_embed[0].lut.weight = self.src_embed[0].lut.weight
        if o["tying"] != "none":
            self.generator.proj.weight = self.tgt_embed[0].lut.weight

    def encode(self, src, src_mask):
        return self.encoder(self.src_embed(src), src_mask)

    def decode(self, memory, src_mask, tgt, tgt_mask):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)


def imbalance(model, src, tgt):
    """The sum over all layers with experts."""
    return sum(
        layer.feed_forward.imbalance(ids != PAD)
        for stack, ids in ((model.encoder, src), (model.decoder, tgt))
        for layer in stack.layers
        if isinstance(layer.feed_forward, MixtureOfExperts)
    )


def bias_of(stack, x):
    return stack.relative_bias(x.shape[1]) if hasattr(stack, "relative_bias") else 0


def fill(model):
    """Weight i of the k-th parameter; norms lie around 1 and 0 as usual."""
    for k, (name, parameter) in enumerate(model.named_parameters()):
        wave = torch.cos(0.37 * torch.arange(parameter.numel(), dtype=torch.float64) + 1.3 * k)
        values = 1 + 0.1 * wave if name.endswith("norm.weight") else 0.3 * wave
        parameter.data.copy_(values.view(parameter.shape))


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
    return {"shape": list(tensor.shape), "values": [float(f"{x:.8g}") for x in tensor.detach().flatten().tolist()]}


def case(options):
    options = SIZES | options
    model = EncoderDecoder(options)
    fill(model)
    src = ids([5, 3, 4], 5, options["src_vocab"], 3)
    tgt = ids([4, 6, 2], 6, options["tgt_vocab"], 2)
    tgt_in, tgt_out = tgt[:, :-1], tgt[:, 1:]
    src_mask = (src != PAD).unsqueeze(1)
    length = tgt_in.shape[1]
    tgt_mask = (tgt_in != PAD).unsqueeze(1) & torch.ones(1, length, length, dtype=torch.bool).tril()
    targets = tgt_out.flatten()

    def run():
        memory = model.encode(src, src_mask)
        hidden = model.decode(memory, src_mask, tgt_in, tgt_mask)
        log_probs = model.generator(hidden)
        return memory, hidden, log_probs, label_smoothed(log_probs.flatten(0, 1), targets)

    memory, hidden, log_probs, loss = run()
    x, y = model.src_embed(src), model.tgt_embed(tgt_in)
    tensors = {
        "memory": memory,
        "hidden": hidden,
        "log_probs": log_probs,
        "encoder_weights": model.encoder.layers[0].self_attn(x, x, x, src_mask, bias_of(model.encoder, x))[1],
        "source_weights": model.decoder.layers[0].src_attn(y, memory, memory, src_mask)[1],
        "loss": loss,
        "nll": nn.functional.nll_loss(log_probs.flatten(0, 1), targets, ignore_index=PAD, reduction="sum"),
    }
    if not model.decoder.layers[0].recurrent:
        tensors["decoder_weights"] = model.decoder.layers[0].self_attn(y, y, y, tgt_mask, bias_of(model.decoder, y))[1]
    loss.backward()
    gradients = {  # an expert that no token has taken has none
        name: stored(torch.zeros_like(parameter) if parameter.grad is None else parameter.grad)
        for name, parameter in model.named_parameters()
    }

    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE, betas=(0.9, 0.98), eps=1e-9)
    losses = []
    for _ in range(10):
        optimizer.zero_grad()
        mean = run()[3] / (targets != PAD).sum()
        mean.backward()
        optimizer.step()
        losses.append(mean.item())
    return {
        "sampled_losses": sampled_losses(options, src, tgt),
        "options": options,
        "source": src.tolist(),
        "target": tgt.tolist(),
        "parameters": list(gradients),
        "state_dict": sorted(model.state_dict()),
        "tensors": {name: stored(tensor) for name, tensor in tensors.items()},
        "gradients": gradients,
        "losses": losses,
    }


def sampled_losses(options, src, tgt):
    """Scheduled sampling in two passes (Mihaylova and Martins 2019) with probability 1: the decoder reads the best
    predictions of a pass over the target, wherever both that and the token of the target are ordinary (ids over 3).
    The imbalance of experts is added."""
    model = EncoderDecoder(options)
    fill(model)
    src_mask, (tgt_in, targets) = (src != PAD).unsqueeze(1), (tgt[:, :-1], tgt[:, 1:].flatten())
    length = tgt_in.shape[1]
    tgt_mask = (tgt_in != PAD).unsqueeze(1) & torch.ones(1, length, length, dtype=torch.bool).tril()
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE, betas=(0.9, 0.98), eps=1e-9)
    losses = []
    for _ in range(10):
        optimizer.zero_grad()
        memory = model.encode(src, src_mask)
        with torch.no_grad():
            best = model.generator(model.decode(memory, src_mask, tgt_in, tgt_mask)).argmax(-1)
        read = tgt_in.clone()
        for sentence in range(tgt.shape[0]):
            for place in range(1, length):
                if read[sentence, place] > 3 and best[sentence, place - 1] > 3:
                    read[sentence, place] = best[sentence, place - 1]
        log_probs = model.generator(model.decode(memory, src_mask, read, tgt_mask))
        mean = label_smoothed(log_probs.flatten(0, 1), targets) / (targets != PAD).sum()
        mean = mean + EXPERT_BALANCE * imbalance(model, src, read)
        mean.backward()
        optimizer.step()
        losses.append(mean.item())
    return losses


def main():
    path = pathlib.Path(__file__).with_name("transformer_expected.json")
    cases = {name: case(options) for name, options in CASES.items()}
    expected = {"learning_rate": LEARNING_RATE, "smoothing": SMOOTHING, "pad": PAD, "cases": cases}
    path.write_text(json.dumps(expected) + "\n")
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
