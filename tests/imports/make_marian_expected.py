"""Makes small models of Hugging Face's MarianMT with random weights, and what transformers computes with them.

Needs transformers 4.57 or later, torch and sentencepiece. Writes data/NAME/ with the files of the model and
expected.json. The same versions give the same files:

    python tests/imports/make_marian_expected.py
"""

import io
import json
import pathlib

import sentencepiece
import torch
import transformers
from lines import LINES, SOURCE, TARGET

HERE = pathlib.Path(__file__).parent

def tokenizer(lines, path, kind):
    written = io.BytesIO()  # a file would have its path in the model
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=written, vocab_size=70, model_type=kind, character_coverage=1.0,
        normalization_rule_name="identity", hard_vocab_limit=False, num_threads=1)
    path.write_bytes(written.getvalue())
    model = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return [model.id_to_piece(i) for i in range(model.get_piece_size())]


def vocabulary(pieces, dropped):
    """Marian's order: </s>, <unk>, pieces; transformers adds <pad>. `dropped`: a piece without a row."""
    texts = ["</s>", "<unk>"]
    texts += [piece for piece in dict.fromkeys(pieces) if piece not in ("<s>", "</s>", "<unk>", dropped)]
    return {text: row for row, text in enumerate(texts + ["<pad>"])}


def make(name, separate, activation, half, safe, decoder_heads=2, decoder_width=24):
    folder = HERE / "data" / name
    folder.mkdir(parents=True, exist_ok=True)
    source = tokenizer(SOURCE, folder / "source.spm", "unigram")
    target = tokenizer(TARGET, folder / "target.spm", "unigram")
    if separate:
        vocab, target_vocab = vocabulary(source, source[-1]), vocabulary(target, target[-1])
        width = max(len(vocab), len(target_vocab))  # one number for <pad> in both
        for table in (vocab, target_vocab):
            table.pop("<pad>")
            while len(table) < width:
                table[f"unused {len(table)}"] = len(table)
            table["<pad>"] = width
        (folder / "target_vocab.json").write_text(json.dumps(target_vocab, ensure_ascii=False))
    else:
        vocab = vocabulary(source + target, target[-1])
    (folder / "vocab.json").write_text(json.dumps(vocab, ensure_ascii=False))
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"source_lang": "en", "target_lang": "de", "separate_vocabs": separate}))
    pad = vocab["<pad>"]
    config = transformers.MarianConfig(
        vocab_size=len(vocab), decoder_vocab_size=len(vocab) if separate else None, max_position_embeddings=48,
        encoder_layers=2, decoder_layers=1, encoder_ffn_dim=24, decoder_ffn_dim=decoder_width, encoder_attention_heads=2,
        decoder_attention_heads=decoder_heads, d_model=16, activation_function=activation, scale_embedding=True, pad_token_id=pad,
        eos_token_id=0, decoder_start_token_id=pad, forced_eos_token_id=0, share_encoder_decoder_embeddings=not separate,
        tie_word_embeddings=True, num_beams=4, max_length=40, bad_words_ids=[[pad]])
    torch.manual_seed(3)
    model = transformers.MarianMTModel(config).eval()
    with torch.no_grad():
        for key, value in model.named_parameters():
            if "embed_positions" in key:
                continue
            if "layer_norm" in key:
                value.add_(torch.randn_like(value) * 0.1)
            elif "shared" in key or "embed_tokens" in key:
                value.copy_(torch.randn_like(value) * 0.25)
                value[pad] = 0
            elif value.dim() == 2:
                value.copy_(torch.randn_like(value) * 1.5 / value.shape[1] ** 0.5)
            else:
                value.copy_(torch.randn_like(value) * 0.1)
        model.final_logits_bias.copy_(torch.randn_like(model.final_logits_bias) * 0.3)
    model = (model.half() if half else model)
    model.save_pretrained(folder, safe_serialization=safe)
    model = transformers.MarianMTModel.from_pretrained(folder, dtype=torch.float32).eval()  # with exact positions
    (folder / "expected.json").write_text(json.dumps(expected(folder, model, vocab), ensure_ascii=False, indent=1) + "\n")


def expected(folder, model, vocab):
    tokens = transformers.MarianTokenizer.from_pretrained(folder)
    rows = []
    for number, line in enumerate(LINES):
        source = tokens(line, return_tensors="pt")
        target = tokens(text_target=TARGET[number % len(TARGET)])["input_ids"]
        decoder = torch.tensor([[model.config.decoder_start_token_id] + target[:-1]])
        with torch.no_grad():
            log_probs = model(**source, decoder_input_ids=decoder).logits.log_softmax(-1)[0]
            options = {"max_length": 30, "suppress_tokens": [vocab["<unk>"]]}
            greedy = model.generate(**source, num_beams=1, **options)[0].tolist()
            beam = model.generate(**source, num_beams=4, **options)[0].tolist()
        rows.append({"source": line, "ids": source["input_ids"][0].tolist(), "target": TARGET[number % len(TARGET)],
                     "target_ids": target,
                     "log_probs": [round(log_probs[i, token].item(), 6) for i, token in enumerate(target)],
                     "greedy": greedy[1:], "beam": beam[1:]})
    return {"transformers": transformers.__version__, "pad": model.config.pad_token_id, "rows": rows}


if __name__ == "__main__":
    make("marian_shared", separate=False, activation="swish", half=False, safe=True)
    make("marian_separate", separate=True, activation="relu", half=True, safe=False)
    make("marian_sides", separate=False, activation="gelu", half=False, safe=True, decoder_heads=4, decoder_width=40)
