"""Trains small models of Marian on a toy task, and has Marian compute what a test expects of them.

Needs pymarian 1.12.42, numpy 1.26 and sentencepiece, and a few minutes. Writes data/marian/: models in several forms,
vocabularies, and expected.json. Marian's training does not give the same numbers on every machine, so that the files
are made together:

    python tests/imports/make_marian_files.py

With names of models, only these are trained; their files and their values in expected.json are replaced:

    python tests/imports/make_marian_files.py rms
"""

import io
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

import numpy
import pymarian
import sentencepiece

DATA = pathlib.Path(__file__).resolve().parent / "data" / "marian"
WORDS = "ka lo mi ne po ru sa te vu xi za bo".split()
SETTINGS = "special:model.yml"
COMMON = ("--type transformer --dim-emb 16 --transformer-heads 2 --cpu-threads 1 "
          "--mini-batch 64 --maxi-batch 10 --after-batches 250 --learn-rate 0.006 --sync-sgd --seed 7 "
          "--cost-type ce-mean-words --overwrite --quiet --quiet-translation --workspace 200 --transformer-dropout 0 ")
POST = "--enc-depth 1 --dec-depth 1 --transformer-postprocess dan --transformer-dim-ffn 32 "
PRE = ("--enc-depth 2 --dec-depth 1 --transformer-preprocess n --transformer-postprocess da "
       "--transformer-postprocess-top n ")
SSRU = "--transformer-decoder-autoreg rnn --dec-cell ssru --transformer-ffn-activation relu "
MODELS = {
    "post": ("yml", POST + "--tied-embeddings-all --transformer-ffn-activation swish"),
    "pre": ("two", PRE + "--tied-embeddings --transformer-ffn-activation gelu --transformer-dim-ffn 32 "
            "--transformer-postprocess-emb nd"),
    "ssru": ("spm", "--enc-depth 1 --dec-depth 1 --transformer-dim-ffn 32 --transformer-decoder-dim-ffn 24 "
             "--tied-embeddings-all " + SSRU),
    "positions": ("yml", POST + "--transformer-postprocess-top n --transformer-train-position-embeddings "
                  "--tied-embeddings-src --transformer-ffn-activation relu "
                  "--transformer-guided-alignment-layer 1"),
    "layers": ("yml", POST.replace("dec-depth 1", "dec-depth 2") + "--transformer-tied-layers 1 1 "
               "--transformer-ffn-activation relu --output-omit-bias"),
    "rms": ("spm", PRE.replace(" n ", " r ").replace("enc-depth 2", "enc-depth 1") + SSRU + "--tied-embeddings-all "
            "--transformer-dim-ffn 32 --transformer-postprocess-emb r"),
}
VOCABULARIES = {"yml": ["both.yml", "both.yml"], "two": ["source.yml", "target.yml"], "spm": ["both.spm", "both.spm"]}
SOURCES = ["xi lo po", "te te", "za sa ne lo te ka sa sa", "ka qq lo", "bo", "vu xi za bo ka lo mi ne po ru"]


def write_texts():
    randoms = random.Random(3)
    source = [" ".join(randoms.choices(WORDS, k=randoms.randint(1, 10))) for _ in range(3000)]
    # Neighbours in alphabetical order change their places.
    target = []
    for line in source:
        words = line.upper().split()
        for i in range(0, len(words) - 1, 2):
            words[i:i + 2] = sorted(words[i:i + 2])
        target.append(" ".join(words))
    pathlib.Path("t.src").write_text("\n".join(source) + "\n")
    pathlib.Path("t.trg").write_text("\n".join(target) + "\n")
    return source, target


def write_vocabularies(lines):
    upper = [word.upper() for word in WORDS]
    for name, words in {"both": WORDS + upper, "source": WORDS, "target": upper + ["\u00e9\"", ":"]}.items():
        rows = ["</s>", "<unk>"] + words
        text = "".join(f"{json.dumps(word, ensure_ascii=name != 'source')}: {row}\n" for row, word in enumerate(rows))
        (DATA / f"{name}.yml").write_text(text)
    written = io.BytesIO()  # a file would have its path in the model
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=written, vocab_size=60, bos_id=-1, eos_id=0, unk_id=1,
        character_coverage=1.0, hard_vocab_limit=False, num_threads=1, normalization_rule_name="identity",
        minloglevel=2)
    (DATA / "both.spm").write_bytes(written.getvalue())


def vocabularies(kind):
    return " --vocabs " + " ".join(str(DATA / name) for name in VOCABULARIES[kind])


def train(name, kind, options):
    pymarian.Trainer(f"{COMMON} {options} --model {name}.npz --train-sets t.src t.trg" + vocabularies(kind)).train()


def translate(name, kind, options):
    translator = pymarian.Translator(f"--models {name}.npz --cpu-threads 1 --quiet --quiet-translation "
                                     f"--no-spm-decode --workspace 200 {options}" + vocabularies(kind))
    return [translator.translate([line]) for line in SOURCES]


def hypotheses(lines):
    found = []
    for line in "\n".join(lines).split("\n"):
        _, tokens, _, score = (part.strip() for part in line.split("|||"))
        found.append({"tokens": tokens, "score": float(score)})
    return found


def expected_rows(name, kind):
    lists = [hypotheses(lines) for lines in translate(name, kind, "--beam-size 4 --n-best")]
    greedy = translate(name, kind, "--beam-size 1")
    return [{"source": source, "greedy": one[0].strip(), "hypotheses": many}
            for source, one, many in zip(SOURCES, greedy, lists)]


def loss(name, kind, options, source, target):
    """The cross-entropy of a given translation, as in training."""
    pathlib.Path("one.src").write_text(source + "\n")
    pathlib.Path("one.trg").write_text(target + "\n")
    for old in pathlib.Path(".").glob("one.npz*"):
        old.unlink()
    options = (COMMON + options).replace("--after-batches 250", "--after-batches 1").replace("0.006", "0")
    options = options.replace("--quiet ", " ")
    options += (f" --model one.npz --pretrained-model {name}.npz --train-sets t.src t.trg --valid-sets one.src one.trg "
                "--valid-metrics cross-entropy --valid-freq 1u --no-restore-corpus" + vocabularies(kind))
    # In a process of its own, because the log of a process does not change.
    code = "import sys, pymarian; pymarian.Trainer(sys.argv[1]).train()"
    log = subprocess.run([sys.executable, "-c", code, options], capture_output=True, text=True, check=True).stderr
    return float(re.search(r"\[valid\].*cross-entropy : ([-0-9.e]+)", log)[1])


def pre_rows(name, kind, options, targets):
    """marian-decoder leaves out a norm of a model with norms before blocks, but its training does not."""
    rows = []
    for source, target in zip(SOURCES, targets):
        score = -loss(name, kind, options, source, target)
        rows.append({"source": source, "hypotheses": [{"tokens": target, "score": score}]})
    return rows


def padded(data):
    return data + b"\0" * (-len(data) % 256)


def write_bin(path, tensors):
    """tensors: name -> (type, shape, bytes)"""
    data = [padded(item[2]) for item in tensors.values()]
    head = struct.pack("<QQ", 1, len(tensors))
    for (name, (kind, shape, _)), one in zip(tensors.items(), data):
        head += struct.pack("<QQQQ", len(name) + 1, kind, len(shape), len(one))
    head += b"".join(name.encode() + b"\0" for name in tensors)
    head += b"".join(struct.pack(f"<{len(shape)}i", *shape) for _, shape, _ in tensors.values())
    gap = -(len(head) + 8) % 256
    path.write_bytes(head + struct.pack("<Q", gap) + b"\0" * gap + b"".join(data))


def as_bin(tensors, eight_bits=None):
    made = {}
    for name, values in tensors.items():
        matrix = values.ndim == 2 and values.shape[0] > 1 and eight_bits
        if name == SETTINGS:
            made[name] = (0x0101, values.shape, values.tobytes())
        elif matrix and (eight_bits == 0x4101 or name != "Wemb"):
            multiplier = numpy.float32(127) / numpy.abs(values).max()
            whole = numpy.clip(numpy.rint(values * multiplier), -127, 127).astype(numpy.int8)
            stored = whole if name == "Wemb" else whole.T
            made[name] = (eight_bits, values.shape, stored.tobytes() + struct.pack("<f", multiplier))
            tensors[name] = whole.astype(numpy.float32) / multiplier
        else:
            made[name] = (0x0404, values.shape, values.tobytes())
    if eight_bits:
        made["none_QuantMultA"] = (0x0404, (1, 1), struct.pack("<f", 20))
    return made


def load(name):
    return dict(numpy.load(f"{name}.npz"))


def main():
    DATA.mkdir(exist_ok=True)
    os.chdir(tempfile.mkdtemp())
    source, target = write_texts()
    write_vocabularies(source + target)
    names = sys.argv[1:]
    expected = json.loads((DATA / "expected.json").read_text()) if names else {}
    for name, (kind, options) in MODELS.items():
        if names and name not in names:
            continue
        train(name, kind, options)
        if name == "pre":
            targets = [words.upper().replace("QQ", "KA") for words in SOURCES]
            rows = pre_rows(name, kind, options, targets)
        else:
            rows = expected_rows(name, kind)
        expected[name] = {"vocabularies": sorted(set(VOCABULARIES[kind])), "rows": rows}
        if name in ("pre", "positions", "layers", "rms"):
            numpy.savez_compressed(DATA / f"{name}.npz", **load(name))
    if "post" in names or not names:
        (DATA / "post.npz").write_bytes(pathlib.Path("post.npz").read_bytes())
    if "ssru" in names or not names:
        write_forms(expected)
    (DATA / "expected.json").write_text(json.dumps(expected, indent=1, ensure_ascii=False) + "\n")


def write_forms(expected):
    """The model with an SSRU in all types of elements."""
    write_bin(DATA / "ssru.bin", as_bin(load("ssru")))
    for name, kind in {"ssru_int8": 0x10001, "ssru_bergamot": 0x4101}.items():
        tensors = load("ssru")
        write_bin(DATA / f"{name}.bin", as_bin(tensors, kind))
        numpy.savez(f"{name}.npz", **tensors)
        expected[name] = {"vocabularies": ["both.spm"], "rows": expected_rows(name, "spm")}
    half = {name: values if name == SETTINGS else values.astype(numpy.float16) for name, values in load("ssru").items()}
    numpy.savez_compressed(DATA / "ssru_half.npz", **half)
    numpy.savez("ssru_half.npz", **{name: values if name == SETTINGS else values.astype(numpy.float32)
                                    for name, values in half.items()})
    expected["ssru_half"] = {"vocabularies": ["both.spm"], "rows": expected_rows("ssru_half", "spm")}


main()
