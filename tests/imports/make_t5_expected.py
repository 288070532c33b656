"""Makes small models of T5 1.0, T5 1.1, mT5 and MADLAD-400 with random weights, and what transformers computes with them.

Needs transformers 5, torch and sentencepiece. Writes data/NAME/ with the files of the model and expected.json. The same
versions give the same files:

    python tests/imports/make_t5_expected.py
"""

import io
import json
import pathlib

import sentencepiece
import torch
import transformers
from lines import LINES, SOURCE, TARGET
from safetensors.torch import save_file

HERE = pathlib.Path(__file__).parent
USUAL = dict(pad_id=0, eos_id=1, unk_id=2, bos_id=-1)
PREFIX = "to German: "  # that of T5 1.0 has more words
BEAM, LONGEST = 4, 29
LONG = " ".join(SOURCE)  # longer than the largest distance
# The sizes are small, but all differ; in one model the width of a head is no power of two.
MODELS = {
    "t5_small": dict(
        spm=USUAL | dict(vocab_size=100), sentinels=4, model_type="t5", feed_forward_proj="relu", d_kv=6, num_layers=2,
        relative_attention_num_buckets=8, relative_attention_max_distance=20,
        task_specific_params={"translation_en_to_de": {"prefix": PREFIX}, "summarization": {"prefix": "summarize: "}}),
    "t5_gated": dict(
        spm=USUAL | dict(vocab_size=90, model_type="bpe"), sentinels=4, model_type="t5", feed_forward_proj="gated-gelu",
        d_kv=4, num_layers=1, num_decoder_layers=2, tie_word_embeddings=False),
    "mt5": dict(
        spm=USUAL | dict(vocab_size=340, byte_fallback=True), sentinels=0, model_type="mt5",
        feed_forward_proj="gated-gelu", d_kv=16, num_layers=1, relative_attention_max_distance=40,
        tie_word_embeddings=False),
    "madlad": dict(
        spm=dict(vocab_size=110, unk_id=0, pad_id=1, eos_id=2, bos_id=-1, pad_piece="<s>",
                 user_defined_symbols=["<2de>", "<2en>"]),
        sentinels=0, model_type="t5", feed_forward_proj="gated-silu", d_kv=8, num_layers=1, relative_attention_num_buckets=12,
        tie_word_embeddings=False, pad_token_id=1, eos_token_id=2, decoder_start_token_id=0),
}


def spm_bytes(settings):
    written = io.BytesIO()  # a file would have its path in the model
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SOURCE + TARGET + [PREFIX] * 20), model_writer=written, character_coverage=1.0,
        normalization_rule_name="identity", hard_vocab_limit=False, num_threads=1, **settings)
    return written.getvalue()


def weights_of(model, untied, eos):
    """Random weights, of sizes with which every part of the model matters, and sentences end."""
    torch.manual_seed(7)
    tensors = {}
    for name, value in model.state_dict().items():
        if name == "lm_head.weight" and untied:
            tensors[name] = torch.randn_like(value) * 0.4
        elif name == "shared.weight":
            tensors[name] = torch.randn_like(value)
        elif "embed_tokens" in name or name == "lm_head.weight":
            continue
        elif "norm" in name:
            tensors[name] = 1 + torch.randn_like(value) * 0.1
        elif "relative_attention_bias" in name:
            tensors[name] = torch.randn_like(value)
        else:
            size = 0.5 if ".q." in name else 4 if ".o." in name or ".wo." in name else 1.5
            tensors[name] = torch.randn_like(value) * size / value.shape[1] ** 0.5
    tensors["lm_head.weight" if untied else "shared.weight"][eos] *= 2
    return tensors


def write_folder(folder, name, settings):
    folder.mkdir(parents=True, exist_ok=True)
    settings = dict(settings)
    (folder / "spiece.model").write_bytes(spm_bytes(settings.pop("spm")))
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "spiece.model"))
    sentinels = settings.pop("sentinels")
    rows = (pieces.get_piece_size() + sentinels + 7) // 8 * 8
    config = dict(
        vocab_size=rows, d_model=16, d_ff=20, num_heads=2, dropout_rate=0.1, layer_norm_epsilon=1e-6, num_beams=4,
        pad_token_id=0, eos_token_id=1, decoder_start_token_id=0, is_encoder_decoder=True) | settings
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "T5Tokenizer", "extra_ids": sentinels}) + "\n")
    kind = transformers.MT5ForConditionalGeneration if config["model_type"] == "mt5" else transformers.T5ForConditionalGeneration
    made = kind(kind.config_class(**{key: value for key, value in config.items() if key != "model_type"}))
    save_file(weights_of(made, not config.get("tie_word_embeddings", True), config["eos_token_id"]), folder / "model.safetensors", {"format": "pt"})
    model = kind.from_pretrained(folder).eval()
    tied = torch.equal(model.lm_head.weight, model.shared.weight)
    assert tied == config.get("tie_word_embeddings", True), f"{name}: the output layer is tied, or it is not"
    return config, pieces, model


def beam_search(model, encoded, config, never):
    """The search of Ventris (lib/inference/decoding/search.h) with the model of transformers, whose own search keeps the
    beam full when a hypothesis ends."""
    live, finished = [([], 0.0)], []
    while live:
        given = torch.tensor([[config["decoder_start_token_id"]] + ids for ids, _ in live])
        states = (encoded.last_hidden_state.expand(len(live), -1, -1),)
        steps = model(encoder_outputs=states, decoder_input_ids=given).logits[:, -1].log_softmax(-1)
        steps[:, never] = -torch.inf
        pool = [(ids + [token], score + step) for (ids, score), row in zip(live, steps)
                for token, step in enumerate(row.tolist())]
        pool = sorted(pool, key=lambda one: -one[1])[: BEAM - len(finished)]
        live = []
        for ids, score in pool:
            ends = ids[-1] == config["eos_token_id"] or len(ids) == LONGEST
            (finished if ends else live).append((ids, score / len(ids) if ends else score))
        best = max((score for _, score in finished), default=-torch.inf)
        live = [(ids, score) for ids, score in live if score / LONGEST > best]
    return max(finished, key=lambda one: one[1])[0]


def line_of(model, source, target, config):
    inputs = torch.tensor([source])
    never = sorted({config["pad_token_id"], 0 if config["pad_token_id"] else 2})  # padding and <unk>
    given = torch.tensor([[config["decoder_start_token_id"]] + target[:-1]])
    with torch.no_grad():
        encoded = model.encoder(input_ids=inputs)
        states = encoded.last_hidden_state[0]
        logits = model(input_ids=inputs, decoder_input_ids=given).logits[0]
        greedy = model.generate(input_ids=inputs, num_beams=1, max_length=LONGEST + 1, forced_eos_token_id=None,
                                suppress_tokens=never, use_cache=False)[0].tolist()
        beam = beam_search(model, encoded, config, never)
    log_probs = logits.log_softmax(-1)
    return {"log_probs": [round(log_probs[i, token].item(), 6) for i, token in enumerate(target)],
            "states": [round(x, 6) for x in states[[0, -1]].flatten().tolist()],
            "greedy": greedy[1:], "beam": beam}


def make(name, settings):
    folder = HERE / "data" / name
    config, pieces, model = write_folder(folder, name, settings)
    tokens = transformers.AutoTokenizer.from_pretrained(folder) if name == "t5_small" else None
    eos = [config["eos_token_id"]]
    before = {"madlad": "<2de> ", "t5_small": PREFIX}.get(name, "")
    lines = []
    for number, line in enumerate(LINES + [LONG]):
        source = pieces.encode(before + line) + eos
        text = TARGET[number % len(TARGET)]
        target = pieces.encode(text) + eos
        entry = {"source": line, "ids": source, "target": text, "target_ids": target}
        if tokens is not None:
            entry["ids_of_transformers"] = tokens(before + line)["input_ids"]
        lines.append(entry | line_of(model, source, target, config))
    wanted = {"transformers": transformers.__version__, "rows": config["vocab_size"], "lines": lines,
              "language": "de" if before else ""}
    (folder / "expected.json").write_text(json.dumps(wanted, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    for name, settings in MODELS.items():
        make(name, settings)
