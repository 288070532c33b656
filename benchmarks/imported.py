#!/usr/bin/env python3
"""Compares translating with an imported model of OPUS-MT's shape: Ventris, CTranslate2, transformers and Marian.

    imported.py --tokenizer FOLDER --input some.en [--lines 64] [--rounds 3] [--skip marian]

FOLDER has the tokenizer and the config.json of a model of OPUS-MT (source.spm, target.spm, vocab.json). The script
makes a MarianMT with random weights of this shape (6 and 6 layers, 512 features, SiLU, tied tables), imports it with
ventris-import, and converts it for CTranslate2. Marian gets a model of the same shape with other random weights. All
programs translate the same lines of 20 tokens to 20 tokens, on one core, and the time is that of all lines without the
start of the program. They take turns in each round; the table has medians. Run it with a Python that has torch,
transformers, ctranslate2, sentencepiece and numpy; --marian names one that has pymarian.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BIN = HERE.parent / "build" / "release" / "bin"
LENGTH = 20  # tokens of each source, with eos, and of each translation

# Each runs in a process of its own, so that the number of threads and the core hold from the start.
CTRANSLATE2 = r"""
import json, sys, time
import ctranslate2
folder, rows, beam, batch, precision, length = sys.argv[1:]
rows, beam, batch, length = json.load(open(rows))["pieces"], int(beam), int(batch), int(length)
translator = ctranslate2.Translator(folder, device="cpu", inter_threads=1, intra_threads=1,
                                    compute_type={"f32": "float32", "int8": "int8"}[precision])
run = lambda part: translator.translate_batch(part, beam_size=beam, max_batch_size=batch, min_decoding_length=length,
                                              max_decoding_length=length)
run(rows[:1])
started = time.perf_counter()
for first in range(0, len(rows), batch):
    run(rows[first:first + batch])
print(time.perf_counter() - started)
"""
TRANSFORMERS = r"""
import json, sys, time
import torch, transformers
folder, rows, beam, batch, precision, length = sys.argv[1:]
rows, beam, batch, length = json.load(open(rows))["ids"], int(beam), int(batch), int(length)
torch.set_num_threads(1)
model = transformers.MarianMTModel.from_pretrained(folder).eval()
if precision == "int8":
    model = torch.quantization.quantize_dynamic(model, {torch.nn.Linear}, dtype=torch.qint8)
def run(part):
    with torch.inference_mode():
        model.generate(input_ids=torch.tensor(part), num_beams=beam, min_new_tokens=length, max_new_tokens=length,
                       do_sample=False)
run(rows[:1])
started = time.perf_counter()
for first in range(0, len(rows), batch):
    run(rows[first:first + batch])
print(time.perf_counter() - started)
"""
MARIAN = r"""
import json, sys, time
import pymarian
model, rows, beam, batch, precision, length = sys.argv[1:]
lines = json.load(open(rows))["marian"]
translator = pymarian.Translator(
    f"--models {model} --vocabs {model}.yml {model}.yml --cpu-threads 1 --beam-size {beam} --mini-batch {batch} "
    f"--maxi-batch {'100' if int(batch) > 1 else '1'} --max-length-factor 1 --quiet --quiet-translation "
    "--workspace 1000")
translator.translate(lines[:1])
started = time.perf_counter()
translator.translate(lines)
print(time.perf_counter() - started)
"""


def make_model(arguments, folder):
    """A MarianMT with random weights, its bundle, and its folder for CTranslate2."""
    import ctranslate2
    import torch
    import transformers
    config = transformers.MarianConfig.from_pretrained(arguments.tokenizer)
    torch.manual_seed(1)
    model = transformers.MarianMTModel(config).eval()
    transformers.MarianTokenizer.from_pretrained(arguments.tokenizer).save_pretrained(folder / "marian")
    with torch.no_grad():
        model.final_logits_bias[0, config.eos_token_id] = -100  # no translation ends before its last token
    model.save_pretrained(folder / "marian")
    subprocess.run([BIN / "ventris-import", "-m", folder / "marian", "-o", folder / "bundle", "--quiet"], check=True)
    ctranslate2.converters.TransformersConverter(str(folder / "marian")).convert(str(folder / "ct2"), force=True)
    return config


def make_marian(config, folder):
    """A model of Marian of the same shape, as .npz and in 8 bits as .bin."""
    import numpy
    random = numpy.random.default_rng(1)
    width, inner, vocab = config.d_model, config.encoder_ffn_dim, config.vocab_size
    tensors = {"Wemb": random.normal(0, width ** -0.5, (vocab, width)), "decoder_ff_logit_out_b": numpy.zeros((1, vocab))}
    tensors["decoder_ff_logit_out_b"][0, 0] = -100

    def block(name, rows, columns, number=""):
        tensors[f"{name}W{number}"] = random.normal(0, rows ** -0.5, (rows, columns))
        tensors[f"{name}b{number}"] = numpy.zeros((1, columns))

    def norm(name):
        tensors[f"{name}_ln_scale"], tensors[f"{name}_ln_bias"] = numpy.ones((1, width)), numpy.zeros((1, width))

    for side, blocks, layers in (("encoder", ["self"], config.encoder_layers),
                                 ("decoder", ["self", "context"], config.decoder_layers)):
        for layer in range(1, layers + 1):
            prefix = f"{side}_l{layer}"
            for name in blocks:
                for part in "qkvo":
                    block(f"{prefix}_{name}_", width, width, part)
                norm(f"{prefix}_{name}_Wo")
            block(f"{prefix}_ffn_", width, inner, "1")
            block(f"{prefix}_ffn_", inner, width, "2")
            norm(f"{prefix}_ffn_ffn")
    settings = {
        "type": "transformer", "dim-emb": width, "dim-vocabs": [vocab, vocab], "enc-depth": config.encoder_layers,
        "dec-depth": config.decoder_layers, "transformer-heads": config.encoder_attention_heads,
        "transformer-dim-ffn": inner, "transformer-decoder-dim-ffn": 0, "transformer-ffn-depth": 2,
        "transformer-decoder-ffn-depth": 0, "transformer-ffn-activation": "swish", "transformer-preprocess": "",
        "transformer-postprocess": "dan", "transformer-postprocess-emb": "d", "transformer-postprocess-top": "",
        "transformer-decoder-autoreg": "self-attention", "transformer-train-position-embeddings": False,
        "transformer-no-projection": False, "transformer-tied-layers": [], "transformer-pool": False,
        "tied-embeddings": False, "tied-embeddings-src": False, "tied-embeddings-all": True, "skip": False,
        "right-left": False, "input-types": [], "ulr": False, "lemma-dim-emb": 0, "layer-normalization": False,
        "version": "v1.12.42 0000000 2025-01-01 00:00:00 +0000"}
    text = "\n".join(f"{key}: {json.dumps(value)}" for key, value in settings.items()) + "\n"
    arrays = {name: value.astype("float32") for name, value in tensors.items()}
    numpy.savez(folder / "marian.npz", **arrays, **{"special:model.yml": numpy.frombuffer(text.encode() + b"\0", "int8")})
    words = ["</s>", "<unk>"] + [f"t{i}" for i in range(2, vocab)]
    (folder / "marian.npz.yml").write_text("".join(f"{json.dumps(word)}: {i}\n" for i, word in enumerate(words)))


def lines_of(arguments, folder):
    """Lines of LENGTH tokens, as text, as pieces with </s>, as ids of transformers, and as words of make_marian()."""
    import transformers
    tokenizer = transformers.MarianTokenizer.from_pretrained(folder / "marian")
    rows = {"text": [], "pieces": [], "ids": [], "marian": []}
    words = pathlib.Path(arguments.input).read_text(encoding="utf-8").split()
    at = 0
    while len(rows["text"]) < arguments.lines:
        count = LENGTH
        ids = tokenizer(" ".join(words[at:at + count])).input_ids
        while len(ids) > LENGTH and count > 1:
            count -= 1
            ids = tokenizer(" ".join(words[at:at + count])).input_ids
        at += max(1, count)
        if len(ids) != LENGTH:
            continue
        rows["text"].append(" ".join(words[at - count:at]))
        rows["ids"].append(ids)
        rows["pieces"].append(tokenizer.convert_ids_to_tokens(ids))
        rows["marian"].append(" ".join(f"t{max(2, i)}" for i in ids[:-1]))
    (folder / "rows.json").write_text(json.dumps(rows))
    for name, count in (("all", None), ("one", 1)):
        (folder / f"{name}.txt").write_text("".join(line + "\n" for line in rows["text"][:count]), encoding="utf-8")


def time_of_peer(python, script, model, folder, beam, batch, precision):
    command = ["taskset", "-c", "0", python, "-c", script, model, folder / "rows.json", beam, batch, precision, LENGTH]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "CT2_FORCE_CPU_ISA": "AVX512" if has("avx512f") else "AVX2"}
    found = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, env=environment)
    return float(found.stdout.split("\n")[-2]) if found.returncode == 0 else float("nan")


def has(flag):
    return flag in pathlib.Path("/proc/cpuinfo").read_text()


def time_of_ventris(folder, beam, batch, precision):
    def run(name):
        found = subprocess.run(
            ["taskset", "-c", "0", BIN / "ventris-translate", "-m", folder / "bundle", "-i", folder / f"{name}.txt",
             "-o", folder / "out.txt", "-b", str(beam), "--mini-batch", str(batch), "--precision", precision,
             "--min-length", str(LENGTH), "--max-length-factor", str((LENGTH - 10) / LENGTH), "--no-guards"],
            text=True, stderr=subprocess.PIPE, check=True)
        return float(found.stderr.split(" in ")[-1].split(" s,")[0])
    return run("all") - run("one")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", type=pathlib.Path, required=True)
    parser.add_argument("--input", required=True)
    parser.add_argument("--lines", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--marian", default=sys.executable, help="a Python that has pymarian")
    parser.add_argument("--skip", action="append", default=[], help="ctranslate2, transformers or marian")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        config = make_model(arguments, folder)
        make_marian(config, folder)
        lines_of(arguments, folder)
        peers = {"CTranslate2": lambda *case: time_of_peer(sys.executable, CTRANSLATE2, folder / "ct2", folder, *case),
                 "transformers": lambda *case: time_of_peer(sys.executable, TRANSFORMERS, folder / "marian", folder, *case),
                 "Marian": lambda *case: time_of_peer(arguments.marian, MARIAN, folder / "marian.npz", folder, *case)}
        peers = {peer: run for peer, run in peers.items() if peer.lower() not in arguments.skip}
        tokens = arguments.lines * LENGTH
        print("| precision, search, batch | Ventris, tokens/s | " + " | ".join(f"times {peer}" for peer in peers) + " |")
        print("|---|---|" + "---|" * len(peers))
        for precision in ("f32", "int8"):
            for beam in (4, 1):
                for batch in (32, 1):
                    times = {peer: [] for peer in ["Ventris", *peers]}
                    for _ in range(arguments.rounds):
                        times["Ventris"].append(time_of_ventris(folder, beam, batch, precision))
                        for peer, run in peers.items():
                            if peer == "Marian" and precision == "int8":
                                times[peer].append(float("nan"))
                            else:
                                times[peer].append(run(beam, batch, precision))
                    own = statistics.median(times["Ventris"])
                    ratios = [f"{statistics.median(times[peer]) / own:.2f}" for peer in peers]
                    print(f"| {precision}, {'beam 4' if beam > 1 else 'greedy'}, {batch} | {tokens / own:.0f} | "
                          + " | ".join(ratios) + " |", flush=True)


if __name__ == "__main__":
    main()
