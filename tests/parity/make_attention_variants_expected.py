"""Writes attention_variants_expected.json: what the variants of attention in docs/attention.md must compute.

The networks are built here a second time, from torch.nn parts and the formulas of the papers; what the variants do not
change comes from make_transformer_expected.py. Weights and inputs are closed formulas, so both sides make them without
sharing a file.

    .venv/bin/python tests/parity/make_attention_variants_expected.py     # needs PyTorch only
"""

import json
import math
import pathlib

import make_transformer_expected as plain
import torch
from make_transformer_expected import PAD, Embeddings, FeedForward, Generator, Sublayer, fill, ids, stored
from torch import nn

SIZES = dict(
    src_vocab=7, tgt_vocab=8, encoder_layers=2, decoder_layers=2, d_model=6, d_ff=4, heads=2, max_positions=16,
    norm="pre", activation="relu", positions="sinusoidal", tying="none", cross_attention="last",
    attention_score="scaled_dot", attention_bias=True, d_k=0, d_v=0, embedding_norm=False, self_attention="full",
    window=0, global_positions=0, low_rank_size=0, segment=0, segment_memory=0)
UNUSUAL = dict(cross_attention="weighted", attention_score="additive", attention_bias=False, d_k=2, d_v=5,
               embedding_norm=True, encoder_layers=3)
WINDOW = dict(self_attention="window", window=1)
LOW_RANK = dict(self_attention="low_rank", low_rank_size=3)
SEGMENT = dict(self_attention="segment", positions="relative", segment=2, segment_memory=2)
CASES = {
    "mean_pre": dict(cross_attention="mean", encoder_layers=3),
    "mean_post": dict(cross_attention="mean", norm="post"),
    "layerwise_pre": dict(cross_attention="layerwise"),
    "layerwise_post": dict(cross_attention="layerwise", norm="post"),
    "layerwise_deep_encoder": dict(cross_attention="layerwise", encoder_layers=5),
    "layerwise_deep_decoder": dict(cross_attention="layerwise", decoder_layers=3),
    "weighted_pre": dict(cross_attention="weighted", encoder_layers=3),
    "weighted_post": dict(cross_attention="weighted", norm="post"),
    "dot": dict(attention_score="dot"),
    "cosine": dict(attention_score="cosine"),
    "bilinear": dict(attention_score="bilinear"),
    "additive": dict(attention_score="additive"),
    "gaussian": dict(attention_score="gaussian"),
    "dot_post": dict(attention_score="dot", norm="post"),
    "cosine_post": dict(attention_score="cosine", norm="post"),
    "bilinear_post": dict(attention_score="bilinear", norm="post"),
    "additive_post": dict(attention_score="additive", norm="post"),
    "gaussian_post": dict(attention_score="gaussian", norm="post"),
    "no_bias": dict(attention_bias=False),
    "no_bias_post": dict(attention_bias=False, norm="post"),
    "narrow_heads": dict(d_k=2, d_v=2),
    "values_wider_than_keys": dict(d_k=2, d_v=5),
    "heads_that_do_not_divide_the_width": dict(heads=4, d_k=2, d_v=2, norm="post"),
    "embedding_norm": dict(embedding_norm=True),
    "embedding_norm_learned_positions_post": dict(embedding_norm=True, positions="learned", norm="post"),
    "layerwise_cosine": dict(cross_attention="layerwise", attention_score="cosine", d_k=6, d_v=2),
    "mean_bilinear_no_bias": dict(cross_attention="mean", attention_score="bilinear", attention_bias=False),
    "all_unusual_pre": UNUSUAL,
    "all_unusual_post": UNUSUAL | dict(norm="post", positions="learned"),
    "window": WINDOW,
    "window_post": WINDOW | dict(norm="post"),
    "window_as_long_as_the_text": WINDOW | dict(window=4),
    "window_global": WINDOW | dict(global_positions=1),
    "window_of_two_global_post": WINDOW | dict(window=2, global_positions=2, norm="post"),
    "window_more_global_than_the_text": WINDOW | dict(global_positions=9),
    "window_cosine_layerwise": WINDOW | dict(attention_score="cosine", cross_attention="layerwise", global_positions=1),
    "window_all_unusual": UNUSUAL | WINDOW | dict(global_positions=2),
    "linear": dict(self_attention="linear"),
    "linear_post": dict(self_attention="linear", norm="post"),
    "linear_weighted_no_bias": UNUSUAL | dict(self_attention="linear", attention_score="scaled_dot"),
    "low_rank": LOW_RANK,
    "low_rank_post": LOW_RANK | dict(norm="post"),
    "low_rank_larger_than_the_text": LOW_RANK | dict(low_rank_size=8, attention_score="gaussian"),
    "low_rank_all_unusual": UNUSUAL | LOW_RANK,
    "segment": SEGMENT,
    "segment_post": SEGMENT | dict(norm="post"),
    "segment_without_memory": SEGMENT | dict(segment_memory=0),
    "segment_short_memory": SEGMENT | dict(segment=3, segment_memory=1, norm="post"),
    "segment_memory_of_several": SEGMENT | dict(segment=1, segment_memory=3),
    "segment_memory_of_parts": SEGMENT | dict(segment_memory=3, cross_attention="layerwise"),
    "segment_of_one": SEGMENT | dict(segment=1, segment_memory=0),
    "segment_as_long_as_the_text": SEGMENT | dict(segment=5),
    "segment_longer_than_the_text": SEGMENT | dict(segment=16, segment_memory=16, norm="post"),
    "segment_all_unusual": UNUSUAL | SEGMENT | dict(attention_score="scaled_dot"),
}


class Score(nn.Module):
    """Scores of queries and keys [batch, heads, len, width]."""

    def __init__(self, kind, heads, width):
        super().__init__()
        self.kind = kind
        if kind == "cosine":
            self.log_scale = nn.Parameter(torch.zeros(heads))
        if kind == "bilinear":
            self.weight = nn.Parameter(torch.zeros(heads, width, width))
        if kind == "additive":
            self.vector = nn.Parameter(torch.zeros(heads, width))

    def forward(self, q, k):
        q, k = q.unsqueeze(3), k.unsqueeze(2)  # [batch, heads, q_len, 1, width], [batch, heads, 1, k_len, width]
        if self.kind == "scaled_dot":
            return (q * k).sum(-1) / math.sqrt(q.shape[-1])
        if self.kind == "dot":
            return (q * k).sum(-1)
        if self.kind == "cosine":
            scale = self.log_scale.clamp(max=math.log(100)).exp()
            return nn.functional.cosine_similarity(q, k, dim=-1, eps=1e-12) * scale.view(-1, 1, 1)
        if self.kind == "bilinear":
            return torch.einsum("bhqxi,hij,bhxkj->bhqk", q, self.weight, k)
        if self.kind == "additive":
            return torch.einsum("bhqkw,hw->bhqk", torch.tanh(q + k), self.vector)
        return -(q - k).square().sum(-1) / 2  # gaussian


class Attention(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.heads = o["heads"]
        width = o["d_model"] // self.heads
        keys, values = self.heads * (o["d_k"] or width), self.heads * (o["d_v"] or width)
        sizes = [(o["d_model"], keys), (o["d_model"], keys), (o["d_model"], values), (values, o["d_model"])]
        self.linears = nn.ModuleList(nn.Linear(i, out, bias=o["attention_bias"]) for i, out in sizes)
        self.score = Score(o["attention_score"], self.heads, keys // self.heads)
        self.weights = None  # of the last call

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, query, memory, mask):
        q, k, v = (self.split(linear(x)) for linear, x in zip(self.linears, (query, memory, memory)))
        return self.mix(q, k, v, mask)

    def mix(self, q, k, v, mask):
        self.weights = self.weights_of(q, k, ~mask.unsqueeze(1))
        return self.linears[3]((self.weights @ v).transpose(1, 2).flatten(2))

    def weights_of(self, q, k, hidden):
        return self.score(q, k).masked_fill(hidden, float("-inf")).softmax(-1)


class WindowedAttention(Attention):
    """Longformer (Beltagy et al. 2020), as a mask over all positions. Padding that sees only padding gets zeros."""

    def __init__(self, o, causal):
        super().__init__(o)
        self.window, self.globals, self.causal = o["window"], o["global_positions"], causal

    def weights_of(self, q, k, hidden):
        places = torch.arange(q.shape[2])
        is_global = places < self.globals
        seen = ((places.unsqueeze(1) - places).abs() <= self.window) | is_global | is_global.unsqueeze(1)
        hidden = hidden | ~(seen.tril() if self.causal else seen)
        blind = hidden.all(-1, keepdim=True)
        return super().weights_of(q, k, hidden & ~blind).masked_fill(blind, 0)


class LinearAttention(Attention):
    """Katharopoulos et al. 2020, with all weights."""

    def weights_of(self, q, k, hidden):
        q, k = nn.functional.elu(q) + 1, nn.functional.elu(k) + 1
        products = torch.einsum("bhqw,bhkw->bhqk", q, k).masked_fill(hidden, 0)
        return products / products.sum(-1, keepdim=True)


class LowRankAttention(Attention):
    """Linformer (Wang et al. 2020): E is `key_projection`, F is `value_projection`."""

    def __init__(self, o):
        super().__init__(o)
        shape = o["low_rank_size"], o["max_positions"]
        self.key_projection, self.value_projection = (nn.Parameter(torch.zeros(shape)) for _ in range(2))

    def mix(self, q, k, v, mask):
        length = k.shape[2]
        hidden = ~mask.transpose(1, 2).unsqueeze(1)  # [batch, 1, len, 1]
        k = torch.einsum("rn,bhnw->bhrw", self.key_projection[:, :length], k.masked_fill(hidden, 0))
        v = torch.einsum("rn,bhnw->bhrw", self.value_projection[:, :length], v.masked_fill(hidden, 0))
        return super().mix(q, k, v, torch.ones(1, 1, 1, dtype=torch.bool))


def sinusoid(distance, width):
    """R of Dai et al. 2019 for one distance, which may be negative."""
    angles = [distance / 10000 ** (2 * (i // 2) / width) for i in range(width)]
    return torch.tensor([math.sin(angle) if i % 2 == 0 else math.cos(angle) for i, angle in enumerate(angles)])


class SegmentAttention(Attention):
    """Transformer-XL (Dai et al. 2019, sections 3.2 and 3.3): one segment after the other, one pair at a time."""

    def __init__(self, o):
        super().__init__(o)
        self.segment, self.memory = o["segment"], o["segment_memory"]
        width = self.linears[0].out_features
        self.r_w_bias, self.r_r_bias = (nn.Parameter(torch.zeros(width)) for _ in range(2))
        self.r_net = nn.Linear(o["d_model"], width, bias=False)

    def forward(self, x, _, mask):
        length, results = x.shape[1], []
        every = mask.expand(x.shape[0], length, length)
        weights = torch.zeros(x.shape[0], self.heads, length, length)
        for start in range(0, length, self.segment):
            first, end = max(0, start - self.memory), min(start + self.segment, length)
            memory = x[:, first:start].detach()
            result, of_segment = self.attend(x[:, start:end], memory, ~every[:, start:end, first:end])
            results.append(result)
            weights[:, :, start:end, first:end] = of_segment
        self.weights = weights
        return self.linears[3](torch.cat(results, 1))

    def attend(self, x, memory, hidden):
        """x [batch, q_len, d_model], memory [batch, m, d_model], hidden [batch, q_len, m + q_len]."""
        both = torch.cat([memory, x], 1)
        q, k, v = (self.split(linear(y)) for linear, y in zip(self.linears, (x, both, both)))
        u, v_bias = (bias.view(self.heads, 1, -1) for bias in (self.r_w_bias, self.r_r_bias))
        scores = torch.zeros(hidden.shape[0], self.heads, *hidden.shape[1:])
        for i in range(x.shape[1]):
            for j in range(both.shape[1]):
                far = self.r_net(sinusoid(memory.shape[1] + i - j, x.shape[2])).view(self.heads, -1)
                score = ((q + u)[:, :, i] * k[:, :, j]).sum(-1) + ((q + v_bias)[:, :, i] * far).sum(-1)
                scores[:, :, i, j] = score / math.sqrt(q.shape[-1])
        hidden = hidden.unsqueeze(1)
        blind = hidden.all(-1, keepdim=True)
        weights = scores.masked_fill(hidden & ~blind, float("-inf")).softmax(-1).masked_fill(blind, 0)
        return (weights @ v).transpose(1, 2).flatten(2), weights


def self_attention(o, causal):
    kind = o["self_attention"]
    if kind == "segment":
        return SegmentAttention(o)
    if kind == "window":
        return WindowedAttention(o, causal)
    if kind == "linear":
        return LinearAttention(o)
    return LowRankAttention(o) if kind == "low_rank" and not causal else Attention(o)


class EncoderLayer(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.self_attn = self_attention(o, causal=False)
        self.feed_forward = FeedForward(o)
        self.sublayer = nn.ModuleList(Sublayer(o) for _ in range(2))

    def forward(self, x, mask):
        x = self.sublayer[0](x, lambda y: self.self_attn(y, y, mask))
        return self.sublayer[1](x, self.feed_forward)


class DecoderLayer(nn.Module):
    def __init__(self, o):
        super().__init__()
        if o["cross_attention"] == "weighted":
            self.src_mixture = nn.Parameter(torch.zeros(o["encoder_layers"]))
        self.self_attn = self_attention(o, causal=True)
        self.src_attn = Attention(o)
        self.feed_forward = FeedForward(o)
        self.sublayer = nn.ModuleList(Sublayer(o) for _ in range(3))

    def forward(self, x, memory, src_mask, tgt_mask):
        x = self.sublayer[0](x, lambda y: self.self_attn(y, y, tgt_mask))
        x = self.sublayer[1](x, lambda y: self.src_attn(y, memory, src_mask))
        return self.sublayer[2](x, self.feed_forward)


class Stack(nn.Module):
    def __init__(self, layers, o):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        if o["norm"] == "pre":
            self.norm = plain.norm(o)

    def normed(self, x):
        return self.norm(x) if hasattr(self, "norm") else x


class PositionalEncoding(plain.PositionalEncoding):
    def __init__(self, o):
        super().__init__(o)
        self.norm = plain.norm(o) if o["embedding_norm"] else nn.Identity()
        self.relative = o["positions"] == "relative"
        if self.relative:
            del self.pe

    def forward(self, x):
        return self.norm(x if self.relative else super().forward(x))


class EncoderDecoder(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.o = o
        self.encoder = Stack([EncoderLayer(o) for _ in range(o["encoder_layers"])], o)
        self.decoder = Stack([DecoderLayer(o) for _ in range(o["decoder_layers"])], o)
        self.src_embed = nn.Sequential(Embeddings(o["src_vocab"], o), PositionalEncoding(o))
        self.tgt_embed = nn.Sequential(Embeddings(o["tgt_vocab"], o), PositionalEncoding(o))
        self.generator = Generator(o["d_model"], o["tgt_vocab"])
        if o["tying"] == "all":
            self.tgt_embed[0].lut.weight = self.src_embed[0].lut.weight
        if o["tying"] != "none":
            self.generator.proj.weight = self.tgt_embed[0].lut.weight

    def encode(self, src, src_mask):
        """What each decoder layer sees."""
        x, outputs = self.src_embed(src), []
        for layer in self.encoder.layers:
            x = layer(x, src_mask)
            outputs.append(self.encoder.normed(x))
        return [self.seen_by(i, outputs) for i in range(self.o["decoder_layers"])]

    def seen_by(self, i, outputs):
        kind = self.o["cross_attention"]
        if kind == "last":
            return outputs[-1]
        if kind == "mean":
            return sum(outputs) / len(outputs)
        if kind == "layerwise":
            return outputs[math.ceil((i + 1) * len(outputs) / self.o["decoder_layers"]) - 1]
        weights = self.decoder.layers[i].src_mixture.softmax(0)
        return sum(weight * output for weight, output in zip(weights, outputs))

    def decode(self, memories, src_mask, tgt, tgt_mask):
        y = self.tgt_embed(tgt)
        for layer, memory in zip(self.decoder.layers, memories):
            y = layer(y, memory, src_mask, tgt_mask)
        return self.decoder.normed(y)


def case(options):
    options = SIZES | options
    model = EncoderDecoder(options)
    fill(model)
    src = ids([5, 3, 4], 5, options["src_vocab"], 3)
    tgt = ids([4, 6, 2], 6, options["tgt_vocab"], 2)
    tgt_in, targets = tgt[:, :-1], tgt[:, 1:].flatten()
    src_mask = (src != PAD).unsqueeze(1)
    length = tgt_in.shape[1]
    tgt_mask = (tgt_in != PAD).unsqueeze(1) & torch.ones(1, length, length, dtype=torch.bool).tril()
    memories = model.encode(src, src_mask)
    hidden = model.decode(memories, src_mask, tgt_in, tgt_mask)
    log_probs = model.generator(hidden)
    loss = plain.label_smoothed(log_probs.flatten(0, 1), targets)
    apart = options["cross_attention"] in ("layerwise", "weighted")
    tensors = {
        "memory": torch.cat(memories, -1) if apart else memories[0],
        "hidden": hidden,
        "log_probs": log_probs,
        "encoder_weights": model.encoder.layers[-1].self_attn.weights,
        "decoder_weights": model.decoder.layers[-1].self_attn.weights,
        "source_weights": model.decoder.layers[-1].src_attn.weights,
        "loss": loss,
        "nll": nn.functional.nll_loss(log_probs.flatten(0, 1), targets, ignore_index=PAD, reduction="sum"),
    }
    loss.backward()
    gradients = {name: stored(parameter.grad) for name, parameter in model.named_parameters()}
    return {
        "options": options,
        "source": src.tolist(),
        "target": tgt.tolist(),
        "parameters": list(gradients),
        "state_dict": sorted(model.state_dict()),
        "tensors": {name: stored(tensor) for name, tensor in tensors.items()},
        "gradients": gradients,
    }


def main():
    path = pathlib.Path(__file__).with_name("attention_variants_expected.json")
    cases = {name: case(options) for name, options in CASES.items()}
    expected = {"smoothing": plain.SMOOTHING, "pad": PAD, "cases": cases}
    path.write_text(json.dumps(expected, separators=(",", ":")) + "\n")
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
