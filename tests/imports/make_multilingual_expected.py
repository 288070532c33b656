"""Makes small models of M2M-100, NLLB and mBART-50 with random weights, and what transformers computes with them.

Needs transformers 4.57, torch and sentencepiece. Writes data/NAME/ with the files of the model and expected.json. The
same versions give the same files:

    python tests/imports/make_multilingual_expected.py
"""

import io
import json
import pathlib

import sentencepiece
import torch
import transformers
from lines import LINES, SOURCE, TARGET

HERE = pathlib.Path(__file__).parent


def spm_bytes(lines):
    written = io.BytesIO()  # a file would have its path in the model
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=written, vocab_size=110, model_type="bpe", character_coverage=1.0,
        normalization_rule_name="identity", hard_vocab_limit=False, num_threads=1)
    return written.getvalue()


def tokenizer_of(name, folder):
    path = str(folder / "sentencepiece.bpe.model")
    if name == "m2m100":
        pieces = sentencepiece.SentencePieceProcessor(model_file=path)
        texts = ["<s>", "<pad>", "</s>", "<unk>"] + [pieces.id_to_piece(i) for i in range(3, pieces.get_piece_size() - 1)]
        (folder / "vocab.json").write_text(json.dumps({t: i for i, t in enumerate(texts)}, ensure_ascii=False))
        return transformers.M2M100Tokenizer(str(folder / "vocab.json"), path, src_lang="en", tgt_lang="de"), "en", "de"
    if name == "nllb":
        codes = ["deu_Latn", "eng_Latn", "fra_Latn"]
        return transformers.NllbTokenizer(path, src_lang="eng_Latn", tgt_lang="deu_Latn",
                                          additional_special_tokens=codes), "eng_Latn", "deu_Latn"
    return transformers.MBart50Tokenizer(path, src_lang="en_XX", tgt_lang="de_DE"), "en_XX", "de_DE"


def make(name, layers):
    folder = HERE / "data" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sentencepiece.bpe.model").write_bytes(spm_bytes(SOURCE + TARGET))
    tokens, source_language, target_language = tokenizer_of(name, folder)
    tokens.save_pretrained(folder)
    ids = tokens.get_vocab()
    languages = tokens.lang_token_to_id if name == "m2m100" else ids
    rows = max(languages.values()) + 4
    sizes = dict(
        vocab_size=rows, d_model=16, encoder_layers=layers, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=24, decoder_ffn_dim=24, max_position_embeddings=48,
        scale_embedding=True, pad_token_id=1, bos_token_id=0, eos_token_id=2, decoder_start_token_id=2,
        encoder_layerdrop=0, decoder_layerdrop=0, tie_word_embeddings=True, num_beams=5, max_length=40)
    torch.manual_seed(5)
    if name == "mbart50":
        model = transformers.MBartForConditionalGeneration(
            transformers.MBartConfig(activation_function="gelu", tokenizer_class="MBart50Tokenizer", **sizes))
    else:
        model = transformers.M2M100ForConditionalGeneration(
            transformers.M2M100Config(activation_function="relu", **sizes))
    with torch.no_grad():
        for key, value in model.named_parameters():
            if "norm" in key:
                value.add_(torch.randn_like(value) * 0.1)
            elif "shared" in key or "embed" in key:
                value.copy_(torch.randn_like(value) * 0.25)
            elif value.dim() == 2:
                value.copy_(torch.randn_like(value) * 1.5 / value.shape[1] ** 0.5)
            else:
                value.copy_(torch.randn_like(value) * 0.1)
        model.model.shared.weight[1] = 0
    model.save_pretrained(folder, max_shard_size="10KB" if name == "nllb" else "1GB")
    model = type(model).from_pretrained(folder).eval()
    language = tokens.convert_tokens_to_ids(f"__{target_language}__" if name == "m2m100" else target_language)
    lines = []
    for number, line in enumerate(LINES):
        source = tokens(line, return_tensors="pt")
        text = TARGET[number % len(TARGET)]
        target = tokens(text_target=text)["input_ids"]  # the language first
        with torch.no_grad():
            log_probs = model(**source, decoder_input_ids=torch.tensor([[2] + target[:-1]])).logits.log_softmax(-1)[0]
            options = dict(max_length=30, forced_bos_token_id=language, forced_eos_token_id=None,
                           suppress_tokens=[1, 3], length_penalty=1.0)
            greedy = model.generate(**source, num_beams=1, **options)[0].tolist()
            beam = model.generate(**source, num_beams=4, **options)[0].tolist()
        lines.append({
            "source": line, "ids": source["input_ids"][0].tolist(), "target": text, "target_ids": target,
            "log_probs": [round(log_probs[i, token].item(), 6) for i, token in enumerate(target)],
            "greedy": greedy[1:], "beam": beam[1:]})
    wanted = {"transformers": transformers.__version__, "rows": rows, "source_language": source_language,
              "target_language": target_language, "lines": lines}
    (folder / "expected.json").write_text(json.dumps(wanted, ensure_ascii=False, indent=1) + "\n")
    for file in folder.glob("tokenizer.json"):
        file.unlink()


if __name__ == "__main__":
    make("m2m100", 2)
    make("nllb", 1)
    make("mbart50", 2)
