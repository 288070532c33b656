#!/usr/bin/env python3
"""Translates a text with a model of ventris-export --format ctranslate2. translate.py runs it."""
import argparse
import json
import pathlib

import ctranslate2
import sentencepiece

MOST_TOKENS = 256  # maximum tokens of a hypothesis, unless the model has fewer positions


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path, help="folder that ventris-export wrote")
    parser.add_argument("bundle", type=pathlib.Path, help="the bundle that was exported")
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--beam-size", type=int, default=5)
    parser.add_argument("--alpha", type=float, default=1.0, help="score = log-probability / length^alpha")
    parser.add_argument("--batch", type=int, default=32, help="sentences per batch")
    parser.add_argument("--length", type=int, default=0, help="tokens of every translation; 0 = as the model decides")
    parser.add_argument("--compute-type", default="float32", help="as CTranslate2 names it: float32, bfloat16, int8")
    parser.add_argument("--threads", type=int, default=1, help="batches that are translated at the same time")
    arguments = parser.parse_args()
    source = sentencepiece.SentencePieceProcessor(model_file=str(arguments.model / "source.spm"))
    own_target = arguments.model / "target.spm"
    target = sentencepiece.SentencePieceProcessor(model_file=str(own_target)) if own_target.exists() else source
    positions = json.loads((arguments.bundle / "config.json").read_text())["model"]["max_positions"]
    translator = ctranslate2.Translator(str(arguments.model), device="cpu", inter_threads=arguments.threads,
                                        intra_threads=1, compute_type=arguments.compute_type)
    with open(arguments.input, encoding="utf-8") as file:
        pieces = source.encode([line.rstrip("\n") for line in file], out_type=str)
    never = [[target.id_to_piece(i)] for i in (target.pad_id(), target.unk_id(), target.bos_id())]
    results = translator.translate_batch(
        pieces, max_batch_size=arguments.batch, beam_size=arguments.beam_size, length_penalty=arguments.alpha,
        max_decoding_length=arguments.length or min(MOST_TOKENS, positions - 1),
        min_decoding_length=arguments.length or 1, suppress_sequences=never)
    with open(arguments.output, "w", encoding="utf-8") as file:
        for result in results:
            file.write(target.decode(result.hypotheses[0]) + "\n")


if __name__ == "__main__":
    main()
