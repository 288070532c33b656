"""Makes small models of JoeyNMT with random weights, and what JoeyNMT computes with them.

Needs joeynmt 2.3, without its tools for drawing and training. Writes data/NAME/ with the folder of the model and
expected.json. The same versions give the same files:

    pip install --no-deps joeynmt sentencepiece==0.2.0    # later versions have no SetVocabulary
    python tests/imports/make_joeynmt_expected.py
"""

import sys
import types
from pathlib import Path

sys.modules["joeynmt.plotting"] = types.SimpleNamespace(plot_heatmap=None)  # it needs matplotlib, and models do not

import joeynmt
import torch
import yaml
from joeynmt.model import build_model
from joeynmt.tokenizers import BasicTokenizer, SentencePieceTokenizer
from joeynmt.transformer_layers import PositionalEncoding
from joeynmt.vocabulary import Vocabulary
from lines import SOURCE, TARGET
from toolkit_models import DATA, lines_of, pieces_of, randomise, spm, write_expected

PositionalEncoding.__init__.__defaults__ = (0, 64)  # positions, of which 5000 would be in each file
SPECIAL = types.SimpleNamespace(
    unk_token="<unk>", pad_token="<pad>", bos_token="<s>", eos_token="</s>", sep_token=None, lang_tags=[],
    unk_id=0, pad_id=1, bos_id=2, eos_id=3)
PRE = """\
name: "small"
data:
  src: &side
    lang: "en"
    level: "bpe"
    tokenizer_type: "sentencepiece"
    tokenizer_cfg: {model_file: "somewhere/else/both.model"}
  trg:
    <<: *side  # as people write it; JoeyNMT reads the keys of the other side
    lang: "de"
    level: "bpe"
    tokenizer_type: "sentencepiece"
    tokenizer_cfg: {model_file: "somewhere/else/both.model"}
testing:
  beam_size: 4
  beam_alpha: 1.0
training:
  learning_rate: 0.0002
  betas: [0.9, 0.98]
model:
  tied_embeddings: True
  tied_softmax: True
  encoder: {type: transformer, num_layers: 2, num_heads: 4, hidden_size: 16, ff_size: 24, dropout: 0.2, layer_norm: pre,
            activation: relu, embeddings: {embedding_dim: 16, scale: True}}
  decoder: {type: transformer, num_layers: 1, num_heads: 4, hidden_size: 16, ff_size: 20, dropout: 0.2, layer_norm: pre,
            activation: relu, embeddings: {embedding_dim: 16, scale: True}}
"""
POST = """\
data:
  src: {lang: en, level: word, lowercase: yes}
  trg: {lang: de, level: word}
model:
  encoder: {type: transformer, num_layers: 1, num_heads: 2, hidden_size: 16, ff_size: 24, layer_norm: post, alpha: 1.25,
            activation: gelu, embeddings: {embedding_dim: 16, scale: False}}
  decoder: {type: transformer, num_layers: 2, num_heads: 2, hidden_size: 16, ff_size: 24, layer_norm: post, alpha: 1.5,
            activation: gelu, embeddings: {embedding_dim: 16, scale: True}}
"""


def save(model, path):
    """As the trainer of JoeyNMT saves it, with a state of an optimizer."""
    other = torch.nn.Parameter(torch.zeros(2))
    optimizer = torch.optim.Adam([other])
    other.sum().backward()
    optimizer.step()
    torch.save({"model_state": model.state_dict(), "optimizer_state": optimizer.state_dict(), "scaler_state": None,
                "scheduler_state": {"base_lrs": [0.1], "last_epoch": 3},
                "train_iter_state": torch.Generator().get_state()[:8],
                "stats_state": {"steps": 10, "best_ckpt_score": -float("inf"), "minimize_metric": False}}, path)


def make(name, settings, tokens, tokenizers, seed):
    """`tokens`, `tokenizers`: of source and target."""
    folder = DATA / name
    folder.mkdir(exist_ok=True)
    (folder / "config.yaml").write_text(settings)
    source, target = (Vocabulary(one, SPECIAL) for one in tokens)
    source.to_file(folder / "src_vocab.txt")
    target.to_file(folder / "trg_vocab.txt")
    model = build_model(yaml.safe_load(settings)["model"], source, target)
    model.log_parameters_list = None
    randomise(model, seed, [("decoder.output_layer.weight" if seed == 2 else "trg_embed.lut.weight", SPECIAL.eos_id)])
    save(model, folder / "best.ckpt")

    def encode(ids):
        mask = torch.ones(1, 1, len(ids), dtype=torch.bool)
        return model.encoder(model.src_embed(torch.tensor([ids])), torch.tensor([len(ids)]), mask)[0][0]

    def step(states, ids):
        masks = (torch.ones(1, 1, length, dtype=torch.bool) for length in (len(states), len(ids)))
        source_mask, target_mask = masks
        return model.decoder(
            trg_embed=model.trg_embed(torch.tensor([ids])), encoder_output=states[None], encoder_hidden=None,
            src_mask=source_mask, unroll_steps=None, hidden=None, trg_mask=target_mask)[0][0]

    def ids_with(tokenizer, vocabulary):
        tokenizer.set_vocab(vocabulary)
        return lambda text: [vocabulary.lookup(token) for token in tokenizer(" ".join(text.split()))]

    special = {"pad": 1, "unk": 0, "bos": 2, "eos": 3, "start": 2}
    lines = lines_of(encode, step, ids_with(tokenizers[0], source), ids_with(tokenizers[1], target), special, True)
    write_expected(folder / "expected.json", f"joeynmt {joeynmt.__version__ if hasattr(joeynmt, '__version__') else ''}",
                   {"source": source._itos, "target": target._itos} | special, lines, True)


def main():
    folder = DATA / "joeynmt_pre"
    folder.mkdir(exist_ok=True)
    (folder / "both.model").write_bytes(spm(100))
    tokenizers = [SentencePieceTokenizer(model_file=str(folder / "both.model")) for _ in range(2)]
    pieces = [piece for piece in pieces_of(tokenizers[0].spm) if piece not in ("<unk>", "<s>", "</s>")]
    pieces = [piece for number, piece in enumerate(pieces) if number % 7]  # a vocabulary without some of them
    make("joeynmt_pre", PRE, [pieces, pieces], tokenizers, 1)
    words = [sorted({word for line in lines for word in line.split()}) for lines in (SOURCE, TARGET)]
    make("joeynmt_post", POST, words, [BasicTokenizer(level="word") for _ in range(2)], 2)


if __name__ == "__main__":
    main()
