"""Models of Ventris as plain PyTorch models. Needs PyTorch."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from ventris import _core
from ventris.errors import ConfigError
from ventris.paths import AnyPath, shown

__all__ = ["EncoderDecoder", "annotated_transformer", "load_safetensors"]

_TYPES = {
    "F32": torch.float32,
    "BF16": torch.bfloat16,
    "F16": torch.float16,
    "I64": torch.int64,
    "I32": torch.int32,
    "I8": torch.int8,
    "U8": torch.uint8,
}


class _SigmoidGELU(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * torch.sigmoid(1.702 * x)


_ACTIVATIONS: dict[str, Callable[[], nn.Module]] = {
    "relu": nn.ReLU,
    "gelu": nn.GELU,
    "silu": nn.SiLU,
    "gelu_tanh": lambda: nn.GELU("tanh"),
    "gelu_sigmoid": _SigmoidGELU,
}
_NORMS: dict[str, Callable[[int, float], nn.Module]] = {
    "layer": lambda width, epsilon: nn.LayerNorm(width, epsilon),
    "rms": lambda width, epsilon: nn.RMSNorm(width, epsilon),
}


def load_safetensors(path: AnyPath) -> dict[str, Tensor]:
    """The tensors of a safetensors file by their names, in the types of the file.

    A tied tensor, which the file has once, has all its names; they share one tensor. Raises ModelError if the file is
    damaged.
    """
    return _tensors(*_core.read_safetensors(path))


def annotated_transformer(path: AnyPath) -> EncoderDecoder:
    """The model of a bundle folder as a torch.nn.Module with the names of The Annotated Transformer, in eval mode.

    ``model(src, tgt, src_mask, tgt_mask)`` returns log-probabilities. Ids are those of the tokenizers of the bundle
    (``ventris.Tokenizer``); ``model.pad``, ``bos`` and ``eos`` are the special ones. The source ends with eos if
    ``model.source_eos``, and the target begins with bos.

    Raises ConfigError for a model that The Annotated Transformer cannot be: another family, or the variants of
    attention of docs/attention.md that need other modules; ModelError for a bundle that cannot be opened.
    """
    text, stored = _core.read_bundle(path)
    config = json.loads(text)
    _check(config, shown(path))
    model = EncoderDecoder(config["model"])
    for name, value in config["tokenizer"].items():
        if name in ("pad", "bos", "eos", "source_eos"):
            setattr(model, name, value)
    state = {name: tensor.float() for name, tensor in _tensors(*stored).items()}
    fixed = {name: tensor for name, tensor in model.state_dict().items() if name in dict(model.named_buffers())}
    model.load_state_dict(state | fixed)
    return model.eval()


def _tensors(stored: list[tuple[str, str, list[int], bytearray]], aliases: dict[str, str]) -> dict[str, Tensor]:
    tensors: dict[str, Tensor] = {}
    for name, kind, shape, data in stored:
        flat = torch.frombuffer(data, dtype=_TYPES[kind]) if data else torch.empty(0, dtype=_TYPES[kind])
        tensors[name] = flat.reshape(shape)
    return tensors | {alias: tensors[name] for alias, name in aliases.items()}


def _check(config: dict[str, Any], path: str) -> None:
    if config["architecture"] != "transformer":
        raise ConfigError(f"{path}: expected a model of the family transformer, got {config['architecture']}")
    usual = {"cross_attention": "last", "attention_score": "scaled_dot", "self_attention": "full", "experts": 0}
    for name, value in usual.items():
        found = config["model"].get(name, value)
        if found != value:
            raise ConfigError(f"{path}: model.{name}: The Annotated Transformer has only '{value}', got '{found}'")


class EncoderDecoder(nn.Module):
    """A Transformer with the modules of The Annotated Transformer. Masks: true = may look.

    Norms are those of torch: the ``norm.weight`` and ``norm.bias`` of a layer norm are its a_2 and b_2.
    """

    pad: int = 0
    bos: int = 2
    eos: int = 3
    source_eos: bool = True

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__()
        self.encoder = Stack([EncoderLayer(options) for _ in range(options["encoder_layers"])], options, causal=False)
        of_decoder = _decoder_side(options)
        self.decoder = Stack(
            [DecoderLayer(of_decoder) for _ in range(options["decoder_layers"])], of_decoder, causal=True
        )
        self.src_embed = _embedding(options, options["src_vocab"])
        self.tgt_embed = _embedding(options, options["tgt_vocab"])
        self.generator = Generator(options["d_model"], options["tgt_vocab"])
        self._tie(options["tying"])

    def _tie(self, tying: str) -> None:
        source, target = self.src_embed[0], self.tgt_embed[0]
        assert isinstance(source, Embeddings) and isinstance(target, Embeddings)
        if tying == "all":
            target.lut.weight = source.lut.weight
        if tying != "none":
            self.generator.proj.weight = target.lut.weight

    def forward(self, src: Tensor, tgt: Tensor, src_mask: Tensor, tgt_mask: Tensor) -> Tensor:
        """The log-probabilities [batch, tgt_len, tgt_vocab] of the token after each one of tgt [batch, tgt_len].

        src [batch, src_len]; src_mask [batch, 1, src_len]; tgt_mask [batch or 1, tgt_len, tgt_len].
        """
        log_probs: Tensor = self.generator(self.decode(self.encode(src, src_mask), src_mask, tgt, tgt_mask))
        return log_probs

    def encode(self, src: Tensor, src_mask: Tensor) -> Tensor:
        """[batch, src_len, d_model]"""
        memory: Tensor = self.encoder(self.src_embed(src), src_mask)
        return memory

    def decode(self, memory: Tensor, src_mask: Tensor, tgt: Tensor, tgt_mask: Tensor) -> Tensor:
        """[batch, tgt_len, d_model]"""
        hidden: Tensor = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
        return hidden

    def source_mask(self, src: Tensor) -> Tensor:
        """The mask of a padded source: [batch, 1, src_len]."""
        return (src != self.pad).unsqueeze(1)

    def target_mask(self, tgt: Tensor) -> Tensor:
        """The mask of a padded target, whose positions see only those before them: [batch, tgt_len, tgt_len]."""
        length = tgt.shape[1]
        before = torch.ones(1, length, length, dtype=torch.bool, device=tgt.device).tril()
        return (tgt != self.pad).unsqueeze(1) & before


class Stack(nn.Module):
    """The layers of one side, and with pre-norm a last norm."""

    def __init__(self, layers: list[nn.Module], options: dict[str, Any], causal: bool) -> None:
        super().__init__()
        if options["positions"] == "relative_bias":
            self.relative_bias = RelativeBias(options, causal)
        self.layers = nn.ModuleList(layers)
        if options["norm"] == "pre" or options.get("final_norm", False):
            self.norm = _norm(options)

    def forward(self, x: Tensor, *rest: Tensor) -> Tensor:
        bias = self.relative_bias(x.shape[1]) if hasattr(self, "relative_bias") else None
        for layer in self.layers:
            x = layer(x, bias, *rest)
        result: Tensor = self.norm(x) if hasattr(self, "norm") else x
        return result


class EncoderLayer(nn.Module):
    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__()
        self.self_attn = MultiHeadedAttention(options, rotary=options["positions"] == "rotary")
        self.feed_forward = PositionwiseFeedForward(options)
        self.sublayer = nn.ModuleList(SublayerConnection(options) for _ in range(2))

    def forward(self, x: Tensor, bias: Tensor | None, mask: Tensor) -> Tensor:
        x = self.sublayer[0](x, lambda y: self.self_attn(y, y, y, mask, bias))
        x = self.sublayer[1](x, self.feed_forward)
        return x


class DecoderLayer(nn.Module):
    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__()
        self.self_attn = MultiHeadedAttention(options, rotary=options["positions"] == "rotary")
        self.src_attn = MultiHeadedAttention(options)
        self.feed_forward = PositionwiseFeedForward(options)
        self.sublayer = nn.ModuleList(SublayerConnection(options) for _ in range(3))

    def forward(self, x: Tensor, bias: Tensor | None, memory: Tensor, src_mask: Tensor, tgt_mask: Tensor) -> Tensor:
        x = self.sublayer[0](x, lambda y: self.self_attn(y, y, y, tgt_mask, bias))
        x = self.sublayer[1](x, lambda y: self.src_attn(y, memory, memory, src_mask))
        x = self.sublayer[2](x, self.feed_forward)
        return x


class SublayerConnection(nn.Module):
    """A block with its residual connection and norm."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__()
        self.norm = _norm(options)
        self.dropout = nn.Dropout(options["dropout"])
        self.pre = options["norm"] == "pre"

    def forward(self, x: Tensor, block: Callable[[Tensor], Tensor]) -> Tensor:
        result: Tensor
        if self.pre:
            result = x + self.dropout(block(self.norm(x)))
        else:
            result = self.norm(x + self.dropout(block(x)))
        return result


class MultiHeadedAttention(nn.Module):
    """If ``rotary``, queries and keys are rotated by their positions; ``rotation`` [max_positions, width of a head / 2, 2]
    has the cosines and sines."""

    def __init__(self, options: dict[str, Any], rotary: bool = False) -> None:
        super().__init__()
        width, heads, bias = options["d_model"], options["heads"], options["attention_bias"]
        self.heads = heads
        keys = heads * (options["d_k"] or width // heads)
        values = heads * (options["d_v"] or width // heads)
        sizes = [(width, keys), (width, keys), (width, values), (values, width)]
        self.linears = nn.ModuleList(nn.Linear(inside, outside, bias=bias) for inside, outside in sizes)
        self.dropout = nn.Dropout(_dropout(options, "attention_dropout"))
        self.rotary = rotary
        self.rotation: Tensor
        if rotary:
            self.register_buffer("rotation", _rotations(options["max_positions"], keys // heads))

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor, bias: Tensor | None = None) -> Tensor:
        """query [batch, q_len, d_model], key and value [batch, k_len, d_model], mask [batch or 1, 1 or q_len, k_len];
        ``bias`` [1, heads, q_len, k_len] is added to the scores."""
        q, k, v = (self._split(linear(x)) for linear, x in zip(self.linears, (query, key, value), strict=False))
        if self.rotary:
            q, k = self._rotate(q), self._rotate(k)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [batch, heads, q_len, k_len]
        if bias is not None:
            scores = scores + bias
        weights = self.dropout(scores.masked_fill(~mask.unsqueeze(1), float("-inf")).softmax(-1))
        mixed: Tensor = self.linears[3]((weights @ v).transpose(1, 2).flatten(2))
        return mixed

    def _split(self, x: Tensor) -> Tensor:
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)  # [batch, heads, len, width of a head]

    def _rotate(self, x: Tensor) -> Tensor:
        cos, sin = self.rotation[: x.shape[2]].unbind(-1)  # [len, width of a head / 2]
        a, b = x.view(*x.shape[:-1], -1, 2).unbind(-1)  # [batch, heads, len, width of a head / 2]
        return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)


class RelativeBias(nn.Module):
    """What the heads of self-attention add to the scores of a query and a key, by the bucket of their distance; all
    layers of a side share it. ``weight`` [buckets, heads]."""

    def __init__(self, options: dict[str, Any], causal: bool) -> None:
        super().__init__()
        count = options.get("relative_buckets") or 32
        self.weight = nn.Parameter(torch.zeros(count, options["heads"]))
        self.max_distance = options.get("relative_max_distance") or 128
        self.causal, self.buckets = causal, count if causal else count // 2

    def forward(self, length: int) -> Tensor:
        """[1, heads, length, length], queries before keys."""
        places = torch.arange(length, device=self.weight.device)
        apart = places.unsqueeze(0) - places.unsqueeze(1)
        bucket = self._bucket(-apart.clamp(max=0) if self.causal else apart.abs())
        if not self.causal:
            bucket = bucket + (apart > 0) * self.buckets
        return self.weight[bucket].permute(2, 0, 1).unsqueeze(0)

    def _bucket(self, far: Tensor) -> Tensor:
        exact = self.buckets // 2  # the first ones have one distance each
        width = math.log(self.max_distance / exact)
        place = torch.log(far.clamp(min=1).float() / exact) / width * (self.buckets - exact)
        return torch.where(far < exact, far, (exact + place.long()).clamp(max=self.buckets - 1))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__()
        self.w_1 = nn.Linear(options["d_model"], options["d_ff"])
        self.w_2 = nn.Linear(options["d_ff"], options["d_model"])
        self.dropout = nn.Dropout(_dropout(options, "activation_dropout"))
        self.activation = _ACTIVATIONS[options["activation"]]()
        self.gated = options["gated_feed_forward"]
        if self.gated:
            self.w_3 = nn.Linear(options["d_model"], options["d_ff"])

    def forward(self, x: Tensor) -> Tensor:
        inner = self.activation(self.w_1(x))
        if self.gated:
            inner = inner * self.w_3(x)
        result: Tensor = self.w_2(self.dropout(inner))
        return result


class Embeddings(nn.Module):
    def __init__(self, options: dict[str, Any], vocab: int) -> None:
        super().__init__()
        self.lut = nn.Embedding(vocab, options["d_model"])
        self.factor = math.sqrt(options["d_model"]) if options.get("scale_embeddings", True) else 1.0

    def forward(self, ids: Tensor) -> Tensor:
        scaled: Tensor = self.lut(ids) * self.factor
        return scaled


class PositionalEncoding(nn.Module):
    """``pe`` [1, max_positions, d_model] is a parameter if positions are learned, and a buffer of sines if they are
    sinusoidal. Rotary positions and relative_bias add nothing here."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__()
        self.kind, self.max_positions = options["positions"], options["max_positions"]
        self.dropout = nn.Dropout(_dropout(options, "embedding_dropout"))
        self.pe: Tensor
        if self.kind == "learned":
            self.pe = nn.Parameter(torch.zeros(1, self.max_positions, options["d_model"]))
        elif self.kind == "sinusoidal":
            self.register_buffer("pe", _sinusoids(self.max_positions, options["d_model"]).unsqueeze(0))
        elif self.kind == "sinusoidal_halves":
            self.register_buffer("pe", _halved_sinusoids(self.max_positions, options["d_model"]).unsqueeze(0))
        elif self.kind not in ("rotary", "relative_bias"):
            raise ValueError(f"unknown positions: '{self.kind}'")
        self.norm = _norm(options) if options["embedding_norm"] else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        if x.shape[1] > self.max_positions:
            raise ValueError(f"expected at most {self.max_positions} tokens (max_positions), got {x.shape[1]}")
        if self.kind in ("learned", "sinusoidal", "sinusoidal_halves"):
            x = x + self.pe[:, : x.shape[1]]
        result: Tensor = self.dropout(self.norm(x))
        return result


class Generator(nn.Module):
    def __init__(self, width: int, vocab: int) -> None:
        super().__init__()
        self.proj = nn.Linear(width, vocab)

    def forward(self, x: Tensor) -> Tensor:
        log_probs: Tensor = self.proj(x).log_softmax(-1)
        return log_probs


def _decoder_side(options: dict[str, Any]) -> dict[str, Any]:
    """The settings with the heads and the width of feed-forward parts of the decoder."""
    own = {key: options.get(f"decoder_{key}") or options[key] for key in ("heads", "d_ff")}
    return {**options, **own}


def _embedding(options: dict[str, Any], vocab: int) -> nn.Sequential:
    return nn.Sequential(Embeddings(options, vocab), PositionalEncoding(options))


def _norm(options: dict[str, Any]) -> nn.Module:
    return _NORMS[options["norm_kind"]](options["d_model"], options["norm_epsilon"])


def _dropout(options: dict[str, Any], name: str) -> float:
    given = options.get(name)
    return float(options["dropout"] if given is None else given)


def _sinusoids(count: int, width: int) -> Tensor:
    """[count, width]: sine and cosine in turns."""
    scale = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
    angle = torch.arange(count, dtype=torch.float32).unsqueeze(1) * scale
    return torch.stack([angle.sin(), angle.cos()], 2).flatten(1)[:, :width]


def _halved_sinusoids(count: int, width: int) -> Tensor:
    """[count, width]: all sines, then all cosines; the lowest frequency is 1/10000."""
    scale = torch.exp(torch.arange(width // 2) * (-math.log(10000.0) / (width // 2 - 1)))
    angle = torch.arange(count, dtype=torch.float32).unsqueeze(1) * scale
    return torch.cat([angle.sin(), angle.cos()], 1)


def _rotations(count: int, width: int) -> Tensor:
    """[count, width / 2, 2]: cosine and sine of each angle."""
    speed = torch.exp(torch.arange(0, width, 2, dtype=torch.float64) * (-math.log(10000.0) / width))
    angle = torch.arange(count, dtype=torch.float64).unsqueeze(1) * speed
    return torch.stack([angle.cos(), angle.sin()], -1).float()
