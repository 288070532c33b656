"""Makes small models of Eole with random weights, and what Eole computes with them.

Needs eole 0.6, and of what it needs only configargparse, pyonmttok, pydantic, pyahocorasick, rapidfuzz and safetensors.
Writes data/NAME/ with the folder of the model and expected.json. The same versions give the same files:

    pip install --no-deps eole configargparse pyonmttok pydantic pyahocorasick rapidfuzz safetensors
    python tests/imports/make_eole_expected.py
"""

import json

import eole
import pyonmttok
import sentencepiece
import torch
from eole.config import recursive_model_fields_set
from eole.config.models import build_model_config
from eole.models.model import EncoderDecoderModel
from eole.modules.embeddings import PositionalEncoding
from safetensors.torch import save_file
from toolkit_models import DATA, lines_of, pieces_of, randomise, spm, write_expected

PositionalEncoding.__init__.__defaults__ = (64,)  # positions, of which 5000 would be in each file
SIZES = dict(architecture="transformer", hidden_size=16, heads=2, transformer_ff=24)
MODELS = {
    "eole_plain": SIZES | dict(add_qkvbias=True, add_ffnbias=True, share_embeddings=True, share_decoder_embeddings=True,
                               encoder=dict(layers=2), decoder=dict(layers=1),
                               embeddings=dict(position_encoding_type="SinusoidalInterleaved", word_vec_size=16)),
    "eole_rotary": SIZES | dict(mlp_activation_fn="gated-silu", layer_norm="rms", norm_eps=1e-6, generator_bias=False,
                                encoder=dict(layers=1), decoder=dict(layers=2), rope_config=dict(rotary_interleave=False),
                                embeddings=dict(position_encoding_type="Rotary", word_vec_size=16)),
    "eole_learned": SIZES | dict(mlp_activation_fn="gelu-tanh", add_ffnbias=True, share_embeddings=False,
                                 encoder=dict(layers=1), decoder=dict(layers=1, transformer_ff=20),
                                 embeddings=dict(position_encoding_type="Learned", n_positions=40, word_vec_size=16)),
}


def make(name, settings, model_of_pieces, seed):
    folder = DATA / name
    folder.mkdir(exist_ok=True)
    special = ["<unk>", "<blank>", "<s>", "</s>"]
    tokens = special + [piece for piece in pieces_of(model_of_pieces) if piece not in special]
    vocab = pyonmttok.build_vocab_from_tokens(tokens)
    vocabs = {"src": vocab, "tgt": vocab, "decoder_start_token": "<s>", "specials": {
        "unk_token": "<unk>", "pad_token": "<blank>", "bos_token": "<s>", "eos_token": "</s>"}}
    config = build_model_config(json.loads(json.dumps(settings)))
    model = EncoderDecoderModel.build_blocks(config, vocabs)
    model.build_generator(config, None, vocabs)
    randomise(model, seed, [("generator.weight", 3)])
    weights = {key: value.clone() for key, value in model.state_dict().items()}
    if config.share_embeddings:  # as eole.models.model_saver does
        weights.pop("tgt_emb.embeddings.weight")
    if config.share_decoder_embeddings:
        weights.pop("generator.weight")
    save_file(weights, folder / "model.00.safetensors")
    written = {"model": recursive_model_fields_set(config), "training": {"dropout": [0.2], "attention_dropout": [0.1]},
               "transforms_configs": {"sentencepiece": {"src_subword_model": "${MODEL_PATH}/both.spm"}}}
    (folder / "config.json").write_text(json.dumps(written, indent=1, default=str, sort_keys=True) + "\n")
    (folder / "vocab.json").write_text(json.dumps(
        {"src": tokens, "tgt": tokens} | {key: vocabs[key] for key in ("decoder_start_token", "specials")},
        ensure_ascii=False) + "\n")
    (folder / "both.spm").write_bytes(model_of_pieces.serialized_model_proto())
    rope = {side: getattr(model, side).rope for side in ("encoder", "decoder")}
    for one in rope.values():
        one.update(64)

    def encode(ids):
        return model.encoder(model.src_emb(torch.tensor([ids])), pad_mask=torch.zeros(1, 1, len(ids), dtype=torch.bool))[0][0]

    def step(states, ids):
        model.decoder.init_state(src=torch.zeros(1, len(states), dtype=torch.long), enc_out=states[None], enc_final_hs=None)
        longer = ids + [0]  # one more token: for a single one, the decoder wants a cache
        found = model.decoder(
            model.tgt_emb(torch.tensor([longer])), enc_out=states[None],
            src_pad_mask=torch.zeros(1, 1, len(states), dtype=torch.bool),
            tgt_pad_mask=torch.zeros(1, 1, len(longer), dtype=torch.bool))[0][0, :-1]
        return model.generator(found)

    def ids_of(text):
        return [tokens.index(one if one in tokens else "<unk>") for one in model_of_pieces.encode(text, out_type=str)]

    rows = {"pad": 1, "unk": 0, "bos": 2, "eos": 3, "start": 2}
    lines = lines_of(encode, step, ids_of, ids_of, rows, False)
    write_expected(folder / "expected.json", f"eole {eole.__version__}", {"source": tokens, "target": tokens} | rows,
                   lines, False)


if __name__ == "__main__":
    both = sentencepiece.SentencePieceProcessor(model_proto=spm(80))
    for number, (one, changes) in enumerate(MODELS.items()):
        make(one, changes, both, number)
