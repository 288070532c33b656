"""Makes small models of M2M-100, NLLB and mBART-50 with random weights, and what transformers computes with them.

Needs transformers 4.57 or later, torch and sentencepiece. Writes data/NAME/ with the files of the model and
expected.json. The same versions give the same files:

    python tests/imports/make_multilingual_expected.py
"""

import io
import json
import pathlib
import shutil
import tempfile

import sentencepiece
import torch
import transformers

DATA = pathlib.Path(__file__).parent / "data"
TEXT = [
    "the old man sees a green book", "my sister carries bread", "a dog runs in the snow", "two men play football",
    "der alte mann sieht ein grünes buch", "meine schwester trägt brot", "ein hund läuft im schnee",
]
PAIRS = [(TEXT[0], TEXT[4]), (TEXT[1], TEXT[5]), (TEXT[2], TEXT[6]), ("ж a  ß", "ein ж"), ("two men", "zwei")]
MOST = 24  # tokens of a translation
PIECES = 80


def train(path):
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT), model_writer=written, vocab_size=PIECES, model_type="bpe", character_coverage=1.0,
        normalization_rule_name="identity", hard_vocab_limit=False, num_threads=1)
    path.write_bytes(written.getvalue())
    model = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    return [model.id_to_piece(i) for i in range(model.get_piece_size())]


def m2m(folder):
    pieces = train(folder / "sentencepiece.bpe.model")
    texts = ["<s>", "<pad>", "</s>", "<unk>"] + [piece for piece in pieces[3:-2]]  # two pieces have no row
    (folder / "vocab.json").write_text(json.dumps({text: row for row, text in enumerate(texts)}, ensure_ascii=False))
    tokenizer = transformers.M2M100Tokenizer(str(folder / "vocab.json"), str(folder / "sentencepiece.bpe.model"),
                                             src_lang="en", tgt_lang="de")
    return tokenizer, ("en", "de"), transformers.M2M100Config


def nllb(folder):
    train(folder / "sentencepiece.bpe.model")
    tokenizer = transformers.NllbTokenizer(str(folder / "sentencepiece.bpe.model"), src_lang="eng_Latn",
                                           tgt_lang="deu_Latn", additional_special_tokens=["deu_Latn", "eng_Latn"])
    return tokenizer, ("eng_Latn", "deu_Latn"), transformers.M2M100Config


def mbart(folder):
    train(folder / "sentencepiece.bpe.model")
    tokenizer = transformers.MBart50Tokenizer(str(folder / "sentencepiece.bpe.model"), src_lang="en_XX", tgt_lang="de_DE")
    return tokenizer, ("en_XX", "de_DE"), transformers.MBartConfig


def make(name, tokenizer_of):
    folder = DATA / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tokenizer, languages, config_type = tokenizer_of(folder)
    ids = [*tokenizer.get_vocab().values(), *getattr(tokenizer, "lang_code_to_id", {}).values()]
    rows = max(ids) + 4  # some that no token has
    config = config_type(
        vocab_size=rows, d_model=16, encoder_layers=2, decoder_layers=1, encoder_ffn_dim=24, decoder_ffn_dim=24,
        encoder_attention_heads=2, decoder_attention_heads=2, max_position_embeddings=40, scale_embedding=True,
        activation_function="gelu" if config_type is transformers.MBartConfig else "relu", pad_token_id=1,
        bos_token_id=0, eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=2)
    torch.manual_seed(5)
    model = config_type.__name__.replace("Config", "ForConditionalGeneration")
    model = getattr(transformers, model)(config).eval()
    with torch.no_grad():
        for key, value in model.named_parameters():
            if "norm" in key:
                value.add_(torch.randn_like(value) * 0.1)
            else:
                value.copy_(torch.randn_like(value) * (0.3 if value.dim() > 1 else 0.1))
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    model = type(model).from_pretrained(folder).eval()
    found = [row_of(model, tokenizer, languages, *pair) for pair in PAIRS]
    expected = {"transformers": transformers.__version__, "source_language": languages[0],
                "target_language": languages[1], "rows": found}
    (folder / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1) + "\n")


@torch.no_grad()
def row_of(model, tokenizer, languages, source, target):
    inputs = tokenizer(source, return_tensors="pt")
    labels = tokenizer(text_target=target)["input_ids"]  # the language, the tokens, </s>
    decoder = torch.tensor([[model.config.decoder_start_token_id] + labels[:-1]])
    log_probs = model(**inputs, decoder_input_ids=decoder).logits.log_softmax(-1)[0]
    language = tokenizer.convert_tokens_to_ids(f"__{languages[1]}__" if len(languages[1]) == 2 else languages[1])
    searched = {}
    for name, beam in (("greedy", 1), ("beam", 4)):
        ids = model.generate(**inputs, num_beams=beam, max_new_tokens=MOST, forced_bos_token_id=language,
                             suppress_tokens=[0, 1, 3])[0].tolist()
        searched[name] = tokenizer.convert_ids_to_tokens(ids[2:])
    return {"source": source, "tokens": tokenizer.convert_ids_to_tokens(inputs.input_ids[0].tolist()), "target": target,
            "target_tokens": tokenizer.convert_ids_to_tokens(labels),
            "log_probs": [round(log_probs[i, token].item(), 6) for i, token in enumerate(labels)], **searched}


if __name__ == "__main__":
    for each in (m2m, nllb, mbart):
        make(each.__name__, each)
