#!/usr/bin/env python3
"""Converts a bundle of Ventris into a CTranslate2 model with the same weights.

    to_ctranslate2.py BUNDLE OUTPUT_FOLDER

Run it with a Python that has ctranslate2, numpy, safetensors and sentencepiece. A model of Ventris differs from the
defaults of CTranslate2 in three ways:
- Sinusoidal positions count from 0. Those of CTranslate2 count from 1, so the file has the position vectors themselves.
- The source ends with eos if the bundle says so.
- The target begins with bos.
"""
import argparse
import json
import pathlib
import shutil
import sys

import ctranslate2
import numpy as np
import sentencepiece
from ctranslate2.specs import common_spec, transformer_spec
from safetensors import safe_open

from plain_attention import refuse_variants


class Weights:
    """Tensors by their names in The Annotated Transformer. A tied tensor has several names."""

    def __init__(self, path):
        with safe_open(path, framework="numpy") as file:
            self._tensors = {name: file.get_tensor(name) for name in file.keys()}
            metadata = file.metadata() or {}
        for key, stored in metadata.items():
            if key.startswith("alias:"):
                self._tensors[key.removeprefix("alias:")] = self._tensors[stored]

    def __getitem__(self, name):
        if name not in self._tensors:
            raise SystemExit(f"{name}: the bundle has no such tensor")
        return self._tensors[name].astype(np.float32)

    def linear(self, name):
        """The bias is zero if the layer has none (model.attention_bias)."""
        weight = self[name + ".weight"]
        has_bias = name + ".bias" in self._tensors
        return weight, self[name + ".bias"] if has_bias else np.zeros(len(weight), dtype=np.float32)


def sinusoids(length, width):
    """Position vectors (Vaswani et al. 2017, section 3.5): [length, width], position 0 first, sine in even columns."""
    angles = np.arange(length)[:, None] * np.exp(np.arange(0, width, 2) * -(np.log(10000.0) / width))[None]
    table = np.zeros((length, width), dtype=np.float32)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def set_linear(spec, weights, *names):
    """Sets a linear layer, which may combine several linear layers of the bundle."""
    parts = [weights.linear(name) for name in names]
    spec.weight = np.concatenate([weight for weight, _ in parts])
    spec.bias = np.concatenate([bias for _, bias in parts])


def set_norm(spec, weights, name):
    spec.gamma = weights[name + ".weight"]
    spec.beta = weights[name + ".bias"]


def set_self_attention(spec, weights, name):
    set_linear(spec.linear[0], weights, *(f"{name}.linears.{i}" for i in range(3)))
    set_linear(spec.linear[1], weights, f"{name}.linears.3")


def set_source_attention(spec, weights, name):
    set_linear(spec.linear[0], weights, f"{name}.linears.0")
    set_linear(spec.linear[1], weights, f"{name}.linears.1", f"{name}.linears.2")
    set_linear(spec.linear[2], weights, f"{name}.linears.3")


def set_feed_forward(spec, weights, name):
    set_linear(spec.linear_0, weights, f"{name}.w_1")
    set_linear(spec.linear_1, weights, f"{name}.w_2")


def set_encoder(spec, weights):
    for i, layer in enumerate(spec.layer):
        name = f"encoder.layers.{i}"
        set_self_attention(layer.self_attention, weights, f"{name}.self_attn")
        set_norm(layer.self_attention.layer_norm, weights, f"{name}.sublayer.0.norm")
        set_feed_forward(layer.ffn, weights, f"{name}.feed_forward")
        set_norm(layer.ffn.layer_norm, weights, f"{name}.sublayer.1.norm")


def set_decoder(spec, weights):
    for i, layer in enumerate(spec.layer):
        name = f"decoder.layers.{i}"
        set_self_attention(layer.self_attention, weights, f"{name}.self_attn")
        set_norm(layer.self_attention.layer_norm, weights, f"{name}.sublayer.0.norm")
        set_source_attention(layer.attention, weights, f"{name}.src_attn")
        set_norm(layer.attention.layer_norm, weights, f"{name}.sublayer.1.norm")
        set_feed_forward(layer.ffn, weights, f"{name}.feed_forward")
        set_norm(layer.ffn.layer_norm, weights, f"{name}.sublayer.2.norm")
    set_linear(spec.projection, weights, "generator.proj")


def positions_of(model, weights, side):
    if model["positions"] == "learned":
        return weights[f"{side}.1.pe"].reshape(-1, model["d_model"])
    return sinusoids(model["max_positions"], model["d_model"])


def make_spec(model, weights):
    pre_norm = model["norm"] == "pre"
    activation = common_spec.Activation.GELU if model["activation"] == "gelu" else common_spec.Activation.RELU
    spec = transformer_spec.TransformerSpec.from_config(
        (model["encoder_layers"], model["decoder_layers"]), model["heads"], pre_norm=pre_norm, activation=activation)
    spec.encoder.embeddings[0].weight = weights["src_embed.0.lut.weight"]
    spec.decoder.embeddings.weight = weights["tgt_embed.0.lut.weight"]
    spec.encoder.position_encodings.encodings = positions_of(model, weights, "src_embed")
    spec.decoder.position_encodings.encodings = positions_of(model, weights, "tgt_embed")
    set_encoder(spec.encoder, weights)
    set_decoder(spec.decoder, weights)
    if pre_norm:
        set_norm(spec.encoder.layer_norm, weights, "encoder.norm")
        set_norm(spec.decoder.layer_norm, weights, "decoder.norm")
    return spec


def pieces_of(path):
    tokenizer = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return [tokenizer.id_to_piece(i) for i in range(tokenizer.get_piece_size())]


def make_empty(folder):
    """Makes the folder empty. Removes an older CTranslate2 model, but refuses a folder with other files."""
    if folder.exists():
        if any(folder.iterdir()) and not (folder / "model.bin").exists():
            raise SystemExit(f"{folder}: has files, but no CTranslate2 model; give another folder")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)


def convert(bundle, output):
    """Writes the folder `output`; returns the bundle's configuration."""
    config = json.loads((bundle / "config.json").read_text())
    if config["architecture"] != "transformer":
        raise SystemExit(f"{bundle}/config.json: expected the architecture transformer, found {config['architecture']}")
    refuse_variants(config["model"], f"{bundle}/config.json", "CTranslate2", allowed=["attention_bias"])
    source = pieces_of(bundle / "source.spm")
    target = source if config["tokenizer"]["shared"] else pieces_of(bundle / "target.spm")
    ids = config["tokenizer"]
    spec = make_spec(config["model"], Weights(bundle / "model.safetensors"))
    spec.register_source_vocabulary(source)
    spec.register_target_vocabulary(target)
    spec.config.unk_token = target[ids["unk"]]
    spec.config.bos_token = target[ids["bos"]]
    spec.config.eos_token = target[ids["eos"]]
    spec.config.decoder_start_token = target[ids["bos"]]
    spec.config.add_source_eos = config["tokenizer"]["source_eos"]
    spec.validate()
    spec.optimize()
    make_empty(output)
    spec.save(str(output))
    ctranslate2.Translator(str(output), device="cpu")  # fails if CTranslate2 cannot run the model
    return config


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bundle", type=pathlib.Path, help="bundle of Ventris")
    parser.add_argument("output", type=pathlib.Path, help="folder of the new model; an older model there is replaced")
    arguments = parser.parse_args()
    convert(arguments.bundle, arguments.output)
    print(f"{arguments.output}: written", file=sys.stderr)


if __name__ == "__main__":
    main()
