"""Makes small models of OpenNMT-py with random weights, and what OpenNMT-py computes with them.

Needs OpenNMT-py 3.5, and of what it needs only configargparse, pyonmttok, rapidfuzz and pyahocorasick. Writes data/NAME/
with the checkpoint and expected.json. The same versions give the same files:

    pip install --no-deps OpenNMT-py configargparse pyonmttok rapidfuzz pyahocorasick
    python tests/imports/make_opennmt_expected.py

opennmt_old.pt has the weights of opennmt_words.pt in the layout of OpenNMT-py 2, with the objects of torchtext that its
vocabularies are; their classes are made here. OpenNMT-py 2 itself was not run.
"""

import argparse
import functools
import sys
import types

for name in ("spacy", "fasttext"):  # needed by transforms of texts, and not by models
    sys.modules[name] = types.ModuleType(name)

import onmt
import onmt.opts
import sentencepiece
import torch
from lines import SOURCE, TARGET
from onmt.inputters.inputter import dict_to_vocabs, vocabs_to_dict
from onmt.model_builder import build_base_model
from onmt.modules.embeddings import PositionalEncoding
from onmt.utils.parse import ArgumentParser
from toolkit_models import DATA, lines_of, pieces_of, randomise, spm, write_expected

PositionalEncoding.__init__.__defaults__ = (64,)  # positions, of which 5000 would be in each file
SIZES = dict(encoder_type="transformer", decoder_type="transformer", enc_layers=2, dec_layers=1, hidden_size=16, heads=2,
             word_vec_size=16, transformer_ff=24, dropout=[0.2], attention_dropout=[0.1])
MODELS = {
    "opennmt_words": dict(position_encoding=True, add_qkvbias=True, add_ffnbias=True),
    "opennmt_concat": dict(position_encoding=True, position_encoding_type="SinusoidalConcat", share_embeddings=True,
                           share_decoder_embeddings=True, pos_ffn_activation_fn="gelu", add_ffnbias=True),
    "opennmt_rotary": dict(max_relative_positions=-1, rotary_interleave=False, layer_norm="rms", norm_eps=1e-5,
                           pos_ffn_activation_fn="silu", add_qkvbias=False, add_ffnbias=False),
    "opennmt_interleaved": dict(max_relative_positions=-1, pos_ffn_activation_fn="gated-gelu", add_ffnbias=True),
    "opennmt_buckets": dict(max_relative_positions=12, relative_positions_buckets=8, add_ffnbias=True),
}


def settings(changes):
    parser = ArgumentParser()
    onmt.opts.model_opts(parser)
    opt = parser.parse_known_args([])[0]
    vars(opt).update(SIZES | changes | dict(optim="adam", freeze_word_vecs_enc=False, freeze_word_vecs_dec=False,
                                            world_size=1, parallel_mode="data_parallel", param_init=0.1))
    ArgumentParser.update_model_opts(opt)
    return argparse.Namespace(**vars(opt))


def save(model, opt, vocabs, path):
    """As onmt.models.model_saver does."""
    weights = {key: value for key, value in model.state_dict().items() if "generator" not in key}
    torch.save({"model": weights, "generator": model.generator.state_dict(), "vocab": vocabs_to_dict(vocabs), "opt": opt,
                "optim": {"training_step": 3, "decay_step": 3, "optimizer": {"state": {0: {"exp_avg": torch.zeros(2)}}}}},
               path)


def class_named(module, name):
    """A class that pickles as one of a module that is not installed."""
    made = type(name, (), {"__module__": module})
    for end in range(1, module.count(".") + 2):
        parent = ".".join(module.split(".")[:end])
        sys.modules.setdefault(parent, types.ModuleType(parent))
    setattr(sys.modules[module], name, made)
    return made


def save_as_version_2(path, new_path):
    found = torch.load(path, weights_only=False)
    fields = class_named("onmt.inputters.text_dataset", "TextMultiField")
    field = class_named("torchtext.data.field", "Field")
    vocab = class_named("torchtext.vocab", "Vocab")
    split = types.FunctionType((lambda text: text).__code__, {}, "_feature_tokenize")
    split.__module__, split.__qualname__ = "onmt.inputters.text_dataset", "_feature_tokenize"
    sys.modules["onmt.inputters.text_dataset"]._feature_tokenize = split
    made = {}
    for side in ("src", "tgt"):
        tokens = vocab()
        tokens.itos, tokens.stoi = found["vocab"][side], {token: i for i, token in enumerate(found["vocab"][side])}
        one, both = field(), fields()
        one.vocab, one.use_vocab, one.dtype = tokens, True, torch.int64
        one.tokenize = functools.partial(split, layer=0)
        both.fields = [(side, one)]
        made[side] = both
    found["vocab"] = made
    found["generator"] = {"0." + key: value for key, value in found["generator"].items()}
    for key in ("add_qkvbias", "add_ffnbias", "position_encoding_type", "layer_norm", "norm_eps", "model_task"):
        delattr(found["opt"], key)
    torch.save(found, new_path)


def make(name, changes, vocab, ids_of, seed):
    folder = DATA / name
    folder.mkdir(exist_ok=True)
    vocabs = dict_to_vocabs(vocab)
    opt = settings(changes)
    model = build_base_model(opt, vocabs)
    tokens = vocab["tgt"]
    randomise(model, seed, [("generator.weight", tokens.index("</s>"))])
    if opt.relative_positions_buckets:  # each layer has its own, and ours has them once
        for layers in (model.encoder.transformer, model.decoder.transformer_layers):
            for layer in layers[1:]:
                layer.self_attn.relative_attention_bias = layers[0].self_attn.relative_attention_bias
    for module in model.modules():
        if hasattr(module, "dropout_p"):
            module.dropout_p = 0.0
    save(model, opt, vocabs, folder / "model.pt")

    def encode(ids):
        return model.encoder(torch.tensor([ids])[..., None], torch.tensor([len(ids)]))[0][0]

    def step(states, ids):
        model.decoder.init_state(torch.zeros(1, len(states), 1, dtype=torch.long), None, None)
        found = model.decoder(torch.tensor([ids])[..., None], states[None], src_len=torch.tensor([len(states)]),
                              tgt_pad_mask=torch.zeros(1, 1, len(ids), dtype=torch.bool))[0][0]
        return model.generator(found)

    special = {"pad": tokens.index("<blank>"), "unk": tokens.index("<unk>"), "bos": tokens.index("<s>"),
               "eos": tokens.index("</s>"), "start": tokens.index("<s>")}
    lines = lines_of(encode, step, ids_of("src"), ids_of("tgt"), special, False)
    write_expected(folder / "expected.json", f"OpenNMT-py {onmt.__version__}",
                   {"source": vocab["src"], "target": vocab["tgt"]} | special, lines, False)


def main():
    special = ["<unk>", "<blank>", "<s>", "</s>"]
    words = {side: special + sorted({word for line in lines for word in line.split()})
             for side, lines in (("src", SOURCE), ("tgt", TARGET))}
    model = sentencepiece.SentencePieceProcessor(model_proto=spm(90))
    pieces = special + [piece for piece in pieces_of(model) if piece not in special][:-5]
    (DATA / "opennmt.spm").write_bytes(model.serialized_model_proto())
    for seed, (name, changes) in enumerate(MODELS.items()):
        of_words = name == "opennmt_words"
        vocab = (words if of_words else {"src": pieces, "tgt": pieces}) | {
            "data_task": "seq2seq", "decoder_start_token": "<s>"}
        divide = str.split if of_words else lambda text: model.encode(text, out_type=str)

        def ids_of(side):
            return lambda text: [vocab[side].index(one if one in vocab[side] else "<unk>") for one in divide(text)]

        make(name, changes, vocab, ids_of, seed)
    save_as_version_2(DATA / "opennmt_words" / "model.pt", DATA / "opennmt_old.pt")


if __name__ == "__main__":
    main()
