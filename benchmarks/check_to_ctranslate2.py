#!/usr/bin/env python3
"""Checks to_ctranslate2.py against the formulas of Vaswani et al. 2017. It needs no program of Ventris.

Makes bundles with random weights (pre- and post-LN, ReLU and GELU, tied and untied, sinusoidal and learned positions,
with and without biases in attention) and converts them. Then it computes greedy outputs and the log-probability of every token of given pairs twice, with
CTranslate2 and with a few lines of PyTorch, and compares the results. Run it with a Python that has torch and the
packages of to_ctranslate2.py.
"""
import itertools
import json
import math
import pathlib
import random
import tempfile

import ctranslate2
import sentencepiece
import torch
from safetensors.torch import save_file

import to_ctranslate2

PAD, UNK, BOS, EOS = range(4)
GREEDY_TOKENS = 20


def learn_tokenizer(path, vocab_size, seed):
    """A small SentencePiece model over lines of made-up words; returns the lines."""
    draw = random.Random(seed)
    lexicon = ["".join(draw.choices("aeioubdfgklmnprst", k=draw.randint(2, 7))) for _ in range(60)]
    lines = [" ".join(draw.choices(lexicon, k=draw.randint(3, 12))) for _ in range(400)]
    with open(path, "wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines), model_writer=file, vocab_size=vocab_size, pad_id=PAD, unk_id=UNK, bos_id=BOS,
            eos_id=EOS, minloglevel=2)
    return lines


class RandomWeights:
    """Random tensors by name. A tensor is made when it is first requested."""

    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)
        self.tensors = {}

    def get(self, name, *shape, scale=0.3, shift=0.0):
        if name not in self.tensors:
            self.tensors[name] = torch.randn(*shape, generator=self.generator) * scale + shift
        return self.tensors[name]


class Formulas:
    """The Transformer, for one sentence at a time. Parameters have the names of The Annotated Transformer."""

    def __init__(self, model, tying, seed):
        self.model, self.tying, self.weights = model, tying, RandomWeights(seed)

    def linear(self, name, x, size):
        y = x @ self.weights.get(name + ".weight", size, x.shape[-1]).T
        if ".linears." in name and not self.model["attention_bias"]:
            return y
        return y + self.weights.get(name + ".bias", size)

    def norm(self, name, x):
        gain = self.weights.get(name + ".weight", x.shape[-1], scale=0.1, shift=1.0)
        return torch.nn.functional.layer_norm(x, x.shape[-1:], gain, self.weights.get(name + ".bias", x.shape[-1]))

    def attention(self, name, query, memory, causal):
        width, heads = query.shape[-1], self.model["heads"]
        q, k, v = (self.linear(f"{name}.linears.{i}", x, width).view(-1, heads, width // heads).transpose(0, 1)
                   for i, x in enumerate((query, memory, memory)))
        scores = q @ k.transpose(1, 2) / math.sqrt(width // heads)
        if causal:
            scores = scores.masked_fill(torch.ones_like(scores[0]).triu(1).bool(), -math.inf)
        mixed = (scores.softmax(-1) @ v).transpose(0, 1).reshape(-1, width)
        return self.linear(f"{name}.linears.3", mixed, width)

    def feed_forward(self, name, x):
        hidden = self.linear(f"{name}.w_1", x, self.model["d_ff"])
        hidden = hidden.relu() if self.model["activation"] == "relu" else torch.nn.functional.gelu(hidden)
        return self.linear(f"{name}.w_2", hidden, x.shape[-1])

    def residual(self, name, x, block):
        if self.model["norm"] == "pre":
            return x + block(self.norm(f"{name}.norm", x))
        return self.norm(f"{name}.norm", x + block(x))

    def table(self, side):
        """The name of the embedding matrix of a side."""
        return "src_embed.0.lut.weight" if self.tying == "all" else f"{side}.0.lut.weight"

    def embed(self, side, ids):
        width, longest = self.model["d_model"], self.model["max_positions"]
        vocab = self.model["src_vocab" if side == "src_embed" else "tgt_vocab"]
        table = self.weights.get(self.table(side), vocab, width)
        if self.model["positions"] == "learned":
            places = self.weights.get(f"{side}.1.pe", 1, longest, width)[0]
        else:
            places = torch.tensor([[self.sinusoid(position, column) for column in range(width)]
                                   for position in range(len(ids))])
        return table[ids] * math.sqrt(width) + places[:len(ids)]

    def sinusoid(self, position, column):
        angle = position / 10000 ** (column // 2 * 2 / self.model["d_model"])
        return math.cos(angle) if column % 2 else math.sin(angle)

    def encode(self, ids):
        x = self.embed("src_embed", ids)
        for i in range(self.model["encoder_layers"]):
            layer = f"encoder.layers.{i}"
            x = self.residual(f"{layer}.sublayer.0", x, lambda y: self.attention(f"{layer}.self_attn", y, y, False))
            x = self.residual(f"{layer}.sublayer.1", x, lambda y: self.feed_forward(f"{layer}.feed_forward", y))
        return self.norm("encoder.norm", x) if self.model["norm"] == "pre" else x

    def decode(self, memory, ids):
        """Log-probabilities of the token after each of `ids`: [len, vocab]."""
        x = self.embed("tgt_embed", ids)
        for i in range(self.model["decoder_layers"]):
            layer = f"decoder.layers.{i}"
            x = self.residual(f"{layer}.sublayer.0", x, lambda y: self.attention(f"{layer}.self_attn", y, y, True))
            x = self.residual(f"{layer}.sublayer.1", x, lambda y: self.attention(f"{layer}.src_attn", y, memory, False))
            x = self.residual(f"{layer}.sublayer.2", x, lambda y: self.feed_forward(f"{layer}.feed_forward", y))
        x = self.norm("decoder.norm", x) if self.model["norm"] == "pre" else x
        weight = self.weights.get("generator.proj.weight" if self.tying == "none" else self.table("tgt_embed"),
                                  self.model["tgt_vocab"], self.model["d_model"])
        return (x @ weight.T + self.weights.get("generator.proj.bias", len(weight))).log_softmax(-1)

    def greedy(self, source):
        memory, ids = self.encode(source + [EOS]), [BOS]
        while len(ids) <= GREEDY_TOKENS:
            scores = self.decode(memory, ids)[-1]
            scores[[PAD, UNK, BOS]] = -math.inf
            ids.append(int(scores.argmax()))
            if ids[-1] == EOS:
                return ids[1:-1]
        return ids[1:]

    def save(self, path):
        """Writes model.safetensors as in a bundle: tied tensors once, with their other names in the metadata."""
        metadata = {}
        if self.tying != "none":
            metadata["alias:generator.proj.weight"] = self.table("tgt_embed")
        if self.tying == "all":
            metadata["alias:tgt_embed.0.lut.weight"] = self.table("tgt_embed")
        save_file(self.weights.tensors, path, metadata)


def make_bundle(folder, norm, activation, positions, tying, attention_bias):
    """Returns the formulas, the lines and the tokenizers of a new bundle."""
    lines = learn_tokenizer(folder / "source.spm", 70, 1)
    shared = tying == "all"
    if not shared:
        learn_tokenizer(folder / "target.spm", 60, 2)
    source, target = (sentencepiece.SentencePieceProcessor(model_file=str(folder / name))
                      for name in ("source.spm", "source.spm" if shared else "target.spm"))
    model = {"d_model": 32, "d_ff": 48, "heads": 4, "encoder_layers": 3, "decoder_layers": 2, "dropout": 0.1,
             "norm": norm, "activation": activation, "positions": positions, "max_positions": 128, "tying": tying,
             "attention_bias": attention_bias,
             "src_vocab": source.get_piece_size(), "tgt_vocab": target.get_piece_size()}
    policy = {"pad": PAD, "unk": UNK, "bos": BOS, "eos": EOS, "shared": shared, "source_eos": True}
    config = {"format_version": 1, "architecture": "transformer", "model": model, "tokenizer": policy}
    (folder / "config.json").write_text(json.dumps(config))
    formulas = Formulas(model, tying, seed=3)
    formulas.decode(formulas.encode([EOS]), [BOS])  # makes every tensor
    formulas.save(folder / "model.safetensors")
    return formulas, lines, source, target


def check(folder, *options):
    """Checks that greedy outputs are equal and log-probabilities differ by less than 1e-4.

    Returns the number of greedy tokens that were compared.
    """
    bundle, converted = folder / "bundle", folder / "converted"
    bundle.mkdir()
    formulas, lines, source, target = make_bundle(bundle, *options)
    to_ctranslate2.convert(bundle, converted)
    translator = ctranslate2.Translator(str(converted), device="cpu", intra_threads=1)
    sources = [source.encode(line) for line in lines[:12]]
    pieces = [[source.id_to_piece(i) for i in ids] for ids in sources]
    never = [[target.id_to_piece(i)] for i in (PAD, UNK, BOS)]
    results = translator.translate_batch(pieces, beam_size=1, min_decoding_length=0, max_decoding_length=GREEDY_TOKENS,
                                         suppress_sequences=never)
    theirs = [[target.piece_to_id(piece) for piece in result.hypotheses[0]] for result in results]
    ours = [formulas.greedy(ids) for ids in sources]
    assert ours == theirs, f"{options}: greedy outputs differ:\n{ours}\n{theirs}"
    targets = [target.encode(line) for line in lines[12:24]]
    scored = translator.score_batch(pieces, [[target.id_to_piece(i) for i in ids] for ids in targets])
    for source_ids, target_ids, result in zip(sources, targets, scored):
        table = formulas.decode(formulas.encode(source_ids + [EOS]), [BOS] + target_ids)
        expected = table.gather(1, torch.tensor(target_ids + [EOS])[:, None]).squeeze(1)
        worst = (expected - torch.tensor(result.log_probs)).abs().max().item()
        assert worst < 1e-4, f"{options}: log-probabilities differ by {worst}"
    return sum(map(len, ours))


def check_refusals():
    """What CTranslate2 cannot compute is refused with a sentence."""
    with tempfile.TemporaryDirectory() as folder:
        bundle = pathlib.Path(folder)
        make_bundle(bundle, "pre", "relu", "sinusoidal", "all", True)
        plain = json.loads((bundle / "config.json").read_text())
        for key, value in {"cross_attention": "mean", "attention_score": "cosine", "d_k": 4, "d_v": 4,
                           "embedding_norm": True, "norm_epsilon": 1e-12}.items():
            changed = plain | {"model": plain["model"] | {key: value}}
            (bundle / "config.json").write_text(json.dumps(changed))
            try:
                to_ctranslate2.convert(bundle, bundle / "converted")
            except SystemExit as refusal:
                assert f"model.{key}: CTranslate2 has only" in str(refusal), refusal
            else:
                raise AssertionError(f"{key} was not refused")


def main():
    check_refusals()
    cases = itertools.product(("pre", "post"), ("relu", "gelu"), ("sinusoidal", "learned"), ("all", "decoder", "none"),
                              (True, False))
    count = 0
    for options in cases:
        with tempfile.TemporaryDirectory() as folder:
            tokens = check(pathlib.Path(folder), *options)
        print(f"{' '.join(map(str, options))}: {tokens} greedy tokens and 12 pairs agree")
        count += 1
    print(f"all {count} cases agree")


if __name__ == "__main__":
    main()
