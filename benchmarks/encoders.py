#!/usr/bin/env python3
"""Compares ventris-embed with CTranslate2's Encoder and Hugging Face's transformers: a BERT with random weights.

    encoders.py --input some.en [--tokens 128] [--lines 64] [--rounds 3] [--layers 12 --width 768]

It makes a BERT (base, unless --layers and --width say otherwise), imports it with ventris-import, converts it for
CTranslate2, and cuts the input into lines of about --tokens tokens. All programs get the same ids on one core, with
batches of 1 and of 32 lines. The time is the processor time of all lines without the start of the program: for
ventris-embed, that of a run with all lines minus that of a run with one line. First, the vectors in f32 are compared.
Run it with a Python that has torch, transformers, ctranslate2, sentencepiece and numpy.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import measure

HERE = pathlib.Path(__file__).resolve().parent
BIN = HERE.parent / "build" / "release" / "bin"

# Runs in a process of its own, so that the number of threads and the core hold from the start.
PEER = r"""
import json, sys, time
import numpy
kind, folder, precision, batch, ids_file, out = sys.argv[1:7]
batch = int(batch)
rows = json.load(open(ids_file))
if kind == "ctranslate2":
    import ctranslate2
    encoder = ctranslate2.Encoder(folder, device="cpu", compute_type={"f32": "float32", "int8": "int8"}[precision],
                                  inter_threads=1, intra_threads=1)
    run = lambda part: numpy.array(encoder.forward_batch(part).last_hidden_state)
else:
    import torch, transformers
    torch.set_num_threads(1)
    model = transformers.BertModel.from_pretrained(folder).eval()
    def run(part):
        width = max(map(len, part))
        ids = torch.tensor([row + [0] * (width - len(row)) for row in part])
        with torch.inference_mode():
            return model(input_ids=ids, attention_mask=(ids != 0).long()).last_hidden_state.numpy()
run(rows[:1])
states = []
started = time.process_time()
for first in range(0, len(rows), batch):
    states.append(run(rows[first:first + batch]))
seconds = time.process_time() - started
means = [one[i, 1:len(row) - 1].mean(0) for number, one in enumerate(states)
         for i, row in enumerate(rows[number * batch:(number + 1) * batch])]
numpy.save(out, numpy.array(means, dtype=numpy.float32))
print(seconds)
"""


def make_models(options, folder):
    """A tokenizer, a BERT of transformers, its bundle, and its folder for CTranslate2."""
    import sentencepiece
    import torch
    import transformers
    subprocess.run([BIN / "ventris-vocab", "-i", options.input, "-o", folder / "text.spm", "--size", "8000",
                    "--user-pieces", "[MASK]", "--quiet"], check=True)
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "text.spm"))
    config = transformers.BertConfig(
        vocab_size=pieces.get_piece_size(), hidden_size=options.width, num_hidden_layers=options.layers,
        num_attention_heads=options.width // 64, intermediate_size=4 * options.width, pad_token_id=0,
        position_embedding_type="absolute")  # the converter of CTranslate2 asks for it
    torch.manual_seed(1)
    model = transformers.BertForPreTraining(config).eval()
    model.save_pretrained(folder / "bert")
    tokens = [f"token{i}" for i in range(config.vocab_size)]
    tokens[:5] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    (folder / "bert" / "vocab.txt").write_text("\n".join(tokens) + "\n", encoding="utf-8")
    (folder / "bert" / "tokenizer_config.json").write_text('{"tokenizer_class": "BertTokenizer"}', encoding="utf-8")
    subprocess.run([BIN / "ventris-import", "-m", folder / "bert", "--tokenizer", folder / "text.spm", "-o",
                    folder / "bundle", "--quiet"], check=True)
    import ctranslate2
    converter = ctranslate2.converters.TransformersConverter(str(folder / "bert"))
    converter.convert(str(folder / "ct2"))
    return pieces


def make_lines(options, pieces, folder):
    """Lines of about options.tokens tokens, and their ids with [CLS] and [SEP]."""
    words = pathlib.Path(options.input).read_text(encoding="utf-8").split()
    lines, line = [], []
    for word in words:
        if len(lines) == options.lines:
            break
        line.append(word)
        if len(pieces.encode(" ".join(line))) > options.tokens - 2:
            lines.append(" ".join(line[:-1]))
            line = [word]
    (folder / "lines").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "line").write_text(lines[0] + "\n", encoding="utf-8")
    ids = [[2] + pieces.encode(line) + [3] for line in lines]
    (folder / "ids.json").write_text(json.dumps(ids))
    return ids


def ventris(folder, precision, batch, core):
    command = [BIN / "ventris-embed", "-m", folder / "bundle", "--precision", precision, "--mini-batch", batch,
               "--mini-batch-words", 1 << 20, "--quiet"]
    whole = measure.run([*command, "-i", folder / "lines", "-o", folder / "ventris.npy"], core)
    start = measure.run([*command, "-i", folder / "line", "-o", folder / "one.npy"], core)
    return measure.beyond_start(whole.cpu_seconds, start.cpu_seconds, "give more --lines"), start.seconds


def peer(kind, folder, precision, batch, core):
    model = folder / ("ct2" if kind == "ctranslate2" else "bert")
    environment = {"OMP_NUM_THREADS": "1", "CT2_FORCE_CPU_ISA": os.environ.get("CT2_FORCE_CPU_ISA", "AVX512")}
    run = measure.run([sys.executable, "-c", PEER, kind, model, precision, batch, folder / "ids.json",
                       folder / f"{kind}.npy"], core, environment)
    return float(run.out.split()[-1])


def compare(folder, core):
    import numpy
    ventris(folder, "f32", 32, core)
    found = numpy.load(folder / "ventris.npy")
    for kind in ("ctranslate2", "transformers"):
        peer(kind, folder, "f32", 32, core)
        difference = numpy.abs(numpy.load(folder / f"{kind}.npy") - found).max()
        print(f"largest difference of a vector in f32 from {kind}: {difference:.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", required=True, help="plain text, one sentence per line")
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--lines", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--width", type=int, default=768)
    options = parser.parse_args()
    core = measure.core_list(1)
    print(measure.processor())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pieces = make_models(options, folder)
        ids = make_lines(options, pieces, folder)
        tokens = sum(map(len, ids))
        print(f"{len(ids)} lines, {tokens} tokens")
        compare(folder, core)
        print("| precision | batch | Ventris, tokens/s | CTranslate2 | transformers | Ventris / CTranslate2 | "
              "Ventris / transformers |\n|---|---|---|---|---|---|---|")
        for precision in ("f32", "int8"):
            for batch in (32, 1):
                row(options, folder, precision, batch, core, tokens)
        print(f"start of ventris-embed with its first line: {statistics.median(ventris(folder, 'f32', 1, core)[1] for _ in range(3)):.2f} s")


def row(options, folder, precision, batch, core, tokens):
    """The programs take turns. A ratio is that of the best runs, which other programs on the machine disturbed least."""
    speeds = {"ventris": [], "ctranslate2": [], "transformers": []}
    for _ in range(options.rounds):
        speeds["ventris"].append(tokens / ventris(folder, precision, batch, core)[0])
        speeds["ctranslate2"].append(tokens / peer("ctranslate2", folder, precision, batch, core))
        if precision == "f32":
            speeds["transformers"].append(tokens / peer("transformers", folder, precision, batch, core))
    def ratio(kind):
        if not speeds[kind]:
            return ""
        return f"{max(speeds['ventris']) / max(speeds[kind]):.2f}"
    cells = [measure.spread(values) if values else "" for values in speeds.values()]
    print(f"| {precision} | {batch} | {cells[0]} | {cells[1]} | {cells[2]} | {ratio('ctranslate2')} | "
          f"{ratio('transformers')} |", flush=True)


if __name__ == "__main__":
    main()
