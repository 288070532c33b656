"""Makes small models of CTranslate2 with random weights, a package of Argos Translate, and what CTranslate2 computes.

Needs ctranslate2 4.8, numpy, sentencepiece and, for bfloat16, torch. Writes data/NAME/ with the files of each model and
expected.json. With the folder of the trained transliteration models of CTranslate2's own tests, also writes
data/ctranslate2_aren.json. The same versions give the same files:

    python tests/imports/make_ctranslate2_expected.py [FOLDER]
"""

import io
import json
import pathlib
import shutil
import sys
import zipfile

import ctranslate2
import numpy
import sentencepiece
from ctranslate2.specs import common_spec, transformer_spec

DATA = pathlib.Path(__file__).parent / "data"
WIDTH, HEADS, LAYERS = 16, 2, (2, 1)
NEVER = ["<unk>", "<s>", "<pad>", "<blank>"]  # tokens that Ventris never generates
SOURCE = [
    "the old man sees a green book", "my sister carries bread", "a dog runs in the snow", "two men play football",
    "the girl reads a letter from her brother", "children sing under the tall tree", "she drinks cold water",
]
TARGET = [
    "der alte mann sieht ein grünes buch", "meine schwester trägt brot", "ein hund läuft im schnee",
    "zwei männer spielen fußball", "das mädchen liest einen brief von ihrem bruder",
    "kinder singen unter dem hohen baum", "sie trinkt kaltes wasser",
]


def tokenizer(lines):
    written = io.BytesIO()  # a file would have its path in the model
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=written, vocab_size=60, model_type="unigram",
        character_coverage=1.0, hard_vocab_limit=False, num_threads=1, normalization_rule_name="identity",
        minloglevel=2)
    return written.getvalue()


def pieces_of(spm):
    model = sentencepiece.SentencePieceProcessor(model_proto=spm)
    return [model.id_to_piece(i) for i in range(model.get_piece_size())]


def without(tokens, *left_out):
    return [token for token in tokens if token not in left_out]


class Filler:
    """Fills the variables of a specification with random numbers."""

    def __init__(self, seed):
        self.random = numpy.random.default_rng(seed)

    def numbers(self, *shape, deviation=1.0, mean=0.0):
        return (mean + deviation * self.random.standard_normal(shape)).astype(numpy.float32)

    def norm(self, spec, rms):
        spec.gamma = self.numbers(WIDTH, deviation=0.1, mean=1)
        if not rms:
            spec.beta = self.numbers(WIDTH, deviation=0.1)

    def linear(self, spec, rows, columns, bias):
        spec.weight = self.numbers(rows, columns, deviation=1.5 / columns**0.5)
        if bias:
            spec.bias = self.numbers(rows, deviation=0.1)

    def attention(self, spec, rms, bias, queries_scale):
        rows = [3, 1] if len(spec.linear) == 2 else [1, 2, 1]
        for linear, count in zip(spec.linear, rows):
            self.linear(linear, count * WIDTH, WIDTH, bias)
        self.norm(spec.layer_norm, rms)
        if queries_scale:
            spec.queries_scale = numpy.dtype("float32").type(queries_scale)

    def side(self, spec, ffn, rms, bias, queries_scale, positions):
        for layer in spec.layer:
            self.attention(layer.self_attention, rms, bias, queries_scale)
            if hasattr(layer, "attention"):
                self.attention(layer.attention, rms, bias, queries_scale)
            self.linear(layer.ffn.linear_0, ffn, WIDTH, bias)
            if hasattr(layer.ffn, "linear_0_noact"):
                self.linear(layer.ffn.linear_0_noact, ffn, WIDTH, bias)
            self.linear(layer.ffn.linear_1, WIDTH, ffn, bias)
            self.norm(layer.ffn.layer_norm, rms)
        for name in ("layer_norm", "layernorm_embedding"):
            if hasattr(spec, name):
                self.norm(getattr(spec, name), rms)
        if positions:
            spec.position_encodings.encodings = self.numbers(positions, WIDTH, deviation=0.3)


def make(name, vocabularies, spms, sources, targets, *, seed, quantization=None, pre_norm=True,
         activation=common_spec.Activation.RELU, embedding_norm=False, rms=False, gated=False, bias=True,
         ffn=(24, 24), queries_scale=None, positions=None, scale=True, scale_outputs=None, from_zeros=False, tied=False,
         config=None, spaced=False, end=2.5):
    filler = Filler(seed)
    common = {"pre_norm": pre_norm, "activation": activation, "layernorm_embedding": embedding_norm, "rms_norm": rms,
              "ffn_glu": gated}
    encoder = transformer_spec.TransformerEncoderSpec(LAYERS[0], HEADS, **common)
    decoder = transformer_spec.TransformerDecoderSpec(LAYERS[1], HEADS, **common)
    spec = transformer_spec.TransformerSpec(encoder, decoder)
    filler.side(encoder, ffn[0], rms, bias, queries_scale, positions)
    filler.side(decoder, ffn[1], rms, bias, queries_scale, positions)
    source, target = vocabularies
    encoder.embeddings[0].weight = filler.numbers(len(source), WIDTH, deviation=0.25)
    decoder.embeddings.weight = (encoder.embeddings[0].weight if tied
                                 else filler.numbers(len(target), WIDTH, deviation=0.25))
    decoder.projection.weight = (decoder.embeddings.weight if tied
                                 else filler.numbers(len(target), WIDTH, deviation=0.4))
    if bias:
        decoder.projection.bias = filler.numbers(len(target), deviation=0.3)
        decoder.projection.bias[target.index("</s>")] += end
        for token in set(NEVER) & set(target):
            decoder.projection.bias[target.index(token)] = -20  # their probabilities are 0 in the scores of a search
    encoder.scale_embeddings = decoder.scale_embeddings = scale
    if scale_outputs:
        decoder.scale_outputs = numpy.dtype("float32").type(scale_outputs)
    decoder.start_from_zero_embedding = from_zeros
    for key, value in (config or {}).items():
        setattr(spec.config, key, value)
    spec.register_source_vocabulary(source)
    spec.register_target_vocabulary(target)
    spec.validate()
    spec.optimize(quantization)
    folder = DATA / name
    folder.mkdir(parents=True, exist_ok=True)
    spec.save(str(folder))
    for file, spm in spms.items():
        (folder / file).write_bytes(spm)
    encoders = [sentencepiece.SentencePieceProcessor(model_proto=spm) for spm in spms.values()]
    rows = []
    for line, translation in zip(sources, targets):
        if spaced:
            tokens = [line.split(), translation.split()]
        else:
            tokens = [encoders[0].encode(line, out_type=str), encoders[-1].encode(translation, out_type=str)]
        rows.append({"source": line, "source_tokens": " ".join(tokens[0]), "target": translation,
                     "target_tokens": " ".join(tokens[1])})
    (folder / "expected.json").write_text(
        json.dumps({"ctranslate2": ctranslate2.__version__, "rows": computed(folder, rows, target, bias)}, ensure_ascii=False,
                   indent=1) + "\n")


def computed(folder, rows, target, scores_of_search=True):
    """Adds what CTranslate2 computes in float32. `target`: the tokens of the target."""
    never = [token for token in NEVER[1:] if token in target]
    model = ctranslate2.Translator(str(folder), device="cpu", compute_type="float32", intra_threads=1)
    for row in rows:
        source, target = [row["source_tokens"].split(" ")], [row["target_tokens"].split(" ")]
        scores = model.score_batch(source, target)[0]
        row["log_probs"] = [round(value, 6) for value in scores.log_probs]
        options = {"max_decoding_length": 30, "min_decoding_length": 0, "disable_unk": True, "return_scores": True,
                   "suppress_sequences": [[token] for token in never]}
        for name, beam in (("greedy", 1), ("beam", 4)):
            found = model.translate_batch(source, beam_size=beam, **options)[0]
            row[name] = " ".join(found.hypotheses[0])
            if scores_of_search:
                row[name + "_score"] = round(found.scores[0], 6)
    return rows


def make_argos(name, folder, spm):
    """A package with the model of a folder: deflated, as they are, with a sentence splitter that is not needed."""
    entries = {"metadata.json": json.dumps({"package_version": "1.0", "argos_version": "1.9", "from_code": "en",
                                            "from_name": "English", "to_code": "de", "to_name": "German"}),
               "README.md": "# English to German\n", "sentencepiece.model": spm, "stanza/en/tokenize/x.pt": b"\0" * 500}
    for file in sorted((DATA / folder).iterdir()):
        if file.name != "expected.json" and not file.name.endswith(".spm"):
            entries["model/" + file.name] = file.read_bytes()
    with zipfile.ZipFile(DATA / name, "w", zipfile.ZIP_DEFLATED) as package:
        for entry, content in entries.items():
            package.writestr(zipfile.ZipInfo("en_de/" + entry, (2026, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)


def make_aren(folder):
    """The trained models of CTranslate2's tests. They are not part of this repository."""
    words = ["آتزمون", "آتشيسون", "آتشينسون", "باريس", "سميث", "لندن"]
    targets = ["atzmon", "achison", "atchinson", "paris", "smith", "london"]
    found = {}
    for model in sorted(pathlib.Path(folder).iterdir()):
        if model.name.startswith("aren"):
            rows = [{"source_tokens": " ".join(word), "target_tokens": " ".join(target)}
                    for word, target in zip(words, targets)]
            found[model.name] = computed(model, rows, (model / "target_vocabulary.txt").read_text().split("\n"))
    (DATA / "ctranslate2_aren.json").write_text(
        json.dumps({"ctranslate2": ctranslate2.__version__, "models": found}, ensure_ascii=False, indent=1) + "\n")


def main():
    special = ["<blank>", "<s>", "</s>"]
    letters = [special + sorted(set("".join(lines)) - {" "}) for lines in (SOURCE, TARGET)]
    spaced_lines = [[" ".join(line.replace(" ", "")) for line in lines] for lines in (SOURCE, TARGET)]
    spaced_lines[0][0] += " Q"  # unknown
    # Characters, no tokenizer, computed positions; unk is the last token, which the file of an old model need not have.
    make("ctranslate2_letters", [side + ["<unk>"] for side in letters], {}, *spaced_lines, seed=7, spaced=True,
         end=-1.5)
    shutil.move(DATA / "ctranslate2_letters/source_vocabulary.json", DATA / "ctranslate2_letters/source.json")
    tokens = json.loads((DATA / "ctranslate2_letters/source.json").read_text())
    (DATA / "ctranslate2_letters/source.json").unlink()
    (DATA / "ctranslate2_letters/source_vocabulary.txt").write_text("\n".join(tokens[:-1]) + "\n")
    source, target = tokenizer(SOURCE), tokenizer(TARGET)
    dropped = pieces_of(source)[-1]
    # Both sides together, as converted from Marian: tied, post-norm, positions in the file, no start.
    both = ["</s>", "<unk>"] + without(dict.fromkeys(pieces_of(source) + pieces_of(target)), "<unk>", "<s>", "</s>",
                                       dropped) + ["<pad>"]
    lines = [SOURCE + ["the ßüö book", "жж ж the"], TARGET + TARGET[:2]]
    make("ctranslate2_shared", [both, both], {"source.spm": source, "target.spm": target}, *lines, seed=2, end=2.5,
         pre_norm=False, activation=common_spec.Activation.SWISH, positions=40, from_zeros=True, tied=True,
         config={"add_source_eos": True, "decoder_start_token": "<pad>", "layer_norm_epsilon": 1e-6},
         quantization="int8_float16")
    # All other settings.
    separate = [["<unk>", "<s>", "</s>"] + without(pieces_of(spm), "<unk>", "<s>", "</s>") for spm in (source, target)]
    spms = {"source.spm": source, "target.spm": target}
    make("ctranslate2_rms", separate, spms, *lines, seed=3, rms=True, gated=True, bias=False, ffn=(24, 16),
         activation=common_spec.Activation.GELUTanh, scale=False, scale_outputs=0.7, queries_scale=0.5, positions=40,
         quantization="bfloat16")
    make("ctranslate2_norms", separate, spms, *lines, seed=4, end=3, pre_norm=False, embedding_norm=True, scale=2.5,
         activation=common_spec.Activation.GELUSigmoid, quantization="int16", config={"add_source_eos": True})
    # A package for both sides with one tokenizer.
    common = tokenizer(SOURCE + TARGET)
    pieces = ["<unk>", "<s>", "</s>"] + without(pieces_of(common), "<unk>", "<s>", "</s>")
    make("ctranslate2_argos", [pieces, pieces], {"source.spm": common}, *lines, seed=5, end=0, quantization="int8",
         activation=common_spec.Activation.GELU)
    make_argos("en_de.argosmodel", "ctranslate2_argos", common)
    (DATA / "en_de.json").write_bytes((DATA / "ctranslate2_argos/expected.json").read_bytes())
    shutil.rmtree(DATA / "ctranslate2_argos")
    if len(sys.argv) > 1:
        make_aren(sys.argv[1])


if __name__ == "__main__":
    main()
