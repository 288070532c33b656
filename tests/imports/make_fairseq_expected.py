"""Makes small models of fairseq with random weights, and what fairseq computes with them.

Needs fairseq 0.12.2, and of what it needs hydra-core 1.0, omegaconf 2.0, bitarray, regex and sacrebleu. Writes data/NAME/
with the checkpoint, its dictionaries and expected.json. The same versions give the same files:

    pip install --no-deps fairseq==0.12.2 hydra-core==1.0.7 omegaconf==2.0.6 antlr4-python3-runtime==4.8
    pip install bitarray regex sacrebleu
    python tests/imports/make_fairseq_expected.py

fairseq_old.pt has the weights of fairseq_post/model.pt under the names of old versions.
"""

import argparse
import dataclasses
import types

process_class = dataclasses._process_class


def process_with_hashes(cls, *args):
    """Since Python 3.11, a default of a data class must have a hash; those of fairseq and its hydra have none."""
    for value in vars(cls).values():
        kind = type(value.default if isinstance(value, dataclasses.Field) else value)
        if dataclasses.is_dataclass(kind) and kind.__hash__ is None:
            kind.__hash__ = object.__hash__
    return process_class(cls, *args)


dataclasses._process_class = process_with_hashes

import fairseq
import sentencepiece
import torch
from fairseq.data import Dictionary
from fairseq.models.transformer import TransformerModel
from fairseq.models.transformer.transformer_legacy import base_architecture, transformer_iwslt_de_en
from lines import SOURCE, TARGET
from toolkit_models import DATA, lines_of, pieces_of, randomise, spm, write_expected

SIZES = dict(encoder_embed_dim=16, decoder_embed_dim=16, encoder_ffn_embed_dim=24, encoder_attention_heads=2, decoder_attention_heads=2,
             decoder_ffn_embed_dim=20, source_lang="en", target_lang="de", dropout=0.3)
POST = SIZES | dict(arch="transformer_iwslt_de_en", task="translation", encoder_layers=2, decoder_layers=1,
                    share_decoder_input_output_embed=True, max_source_positions=100, max_target_positions=90)
PRE = SIZES | dict(arch="transformer_wmt_en_de", encoder_layers=1, decoder_layers=2, encoder_normalize_before=True,
                   decoder_normalize_before=True, encoder_learned_pos=True, decoder_learned_pos=True,
                   layernorm_embedding=True, activation_fn="gelu_fast", share_all_embeddings=True, no_scale_embedding=True,
                   max_source_positions=60, max_target_positions=60)


def dictionary(tokens):
    made = Dictionary()
    for number, token in enumerate(tokens):
        made.add_symbol(token, n=len(tokens) - number)
    made.finalize()
    return made


def old_names(state):
    """Projections in one tensor, norms by number, no output layer, and a table of sinusoids."""
    found = {}
    for key, value in state.items():
        if key == "decoder.output_projection.weight" or key.endswith("_float_tensor"):
            continue
        for i, name in enumerate(("self_attn_layer_norm", "encoder_attn_layer_norm", "final_layer_norm")):
            if key.startswith("decoder.layers"):
                key = key.replace(name, f"layer_norms.{i}")
        if ".q_proj." in key:
            parts = [state[key.replace("q_proj", name)] for name in ("q_proj", "k_proj", "v_proj")]
            found[key.replace("q_proj.", "in_proj_")] = torch.cat(parts)
        elif ".k_proj." not in key and ".v_proj." not in key:
            found[key] = value
    found["encoder.embed_positions.weights"] = torch.zeros(4, 16)
    return found


def make(name, settings, architecture, tokens, ids_of, seed):
    folder = DATA / name
    folder.mkdir(exist_ok=True)
    args = argparse.Namespace(**settings)
    architecture(args)
    source, target = (dictionary(one) for one in tokens)
    source.save(str(folder / "dict.en.txt"))
    target.save(str(folder / "dict.de.txt"))
    model = TransformerModel.build_model(args, types.SimpleNamespace(source_dictionary=source, target_dictionary=target))
    randomise(model, seed, [("decoder.embed_tokens.weight", target.eos())])
    for key, buffer in model.named_buffers():
        if key.endswith("_float_tensor"):
            buffer.zero_()  # fairseq leaves it as it finds the memory
    for layer in model.encoder.layers:
        layer.can_use_fastpath = False
    state = {"model": model.state_dict(), "last_optimizer_state": {"state": {0: {"step": 3, "exp_avg": torch.zeros(2)}}},
             "optimizer_history": [{"criterion_name": "CrossEntropyCriterion", "num_updates": 3}],
             "extra_state": {"train_iterator": {"epoch": 2}, "val_loss": 4.5, "best": None}, "task_state": {}}
    if name == "fairseq_post":
        torch.save({"args": args} | state, folder / "model.pt")
        torch.save({"args": args} | state | {"model": old_names(state["model"])}, DATA / "fairseq_old.pt")
    else:  # as fairseq 0.12 does
        cfg = {"_name": None, "common": {"seed": 1, "fp16": False}, "model": args,
               "task": {"_name": "translation", "source_lang": "en", "target_lang": "de", "left_pad_source": True}}
        torch.save({"args": None, "cfg": cfg} | state, folder / "model.pt")

    def encode(ids):
        return model.encoder(torch.tensor([ids]), torch.tensor([len(ids)]))["encoder_out"][0][:, 0]

    def step(states, ids):
        return model.decoder(torch.tensor([ids]), {"encoder_out": [states[:, None]], "encoder_padding_mask": []})[0][0]

    rows = {"pad": source.pad(), "unk": source.unk(), "bos": source.bos(), "eos": source.eos(), "start": source.eos()}
    lines = lines_of(encode, step, ids_of(source), ids_of(target), rows, True)
    write_expected(folder / "expected.json", f"fairseq {fairseq.__version__}",
                   {"source": source.symbols, "target": target.symbols} | rows, lines, True)


def main():
    words = [sorted({word for line in lines for word in line.split()}) for lines in (SOURCE, TARGET)]
    make("fairseq_post", POST, transformer_iwslt_de_en, words,
         lambda vocabulary: lambda text: [vocabulary.index(word) for word in text.split()], 0)
    both = sentencepiece.SentencePieceProcessor(model_proto=spm(90))
    (DATA / "fairseq.spm").write_bytes(both.serialized_model_proto())
    pieces = [piece for piece in pieces_of(both) if piece not in ("<s>", "</s>", "<unk>")][:-4]
    make("fairseq_pre", PRE, base_architecture, [pieces, pieces],
         lambda vocabulary: lambda text: [vocabulary.index(piece) for piece in both.encode(text, out_type=str)], 1)


if __name__ == "__main__":
    main()
