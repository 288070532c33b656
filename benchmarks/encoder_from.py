#!/usr/bin/env python3
"""Measures what --encoder-from brings with few sentence pairs: validation BLEU with and without a BERT.

    benchmarks/encoder_from.py --corpora CORPORA --folder WORK --bert-minutes 60 --updates 3000

1. Running text: the English side (train*.en, train*.en.gz) of every folder in CORPORA, each line a document of its own.
   A line that is also in a validation or test file of CORPORA is left out. Each file and each count is printed.
2. A BERT with the settings of configs/bert-tiny.json, but without next-sentence prediction, learns from it.
3. For each seed, two translation models learn from the first pairs of CORPORA/multi30k-en-de: one whose encoder starts
   from the BERT, and one whose encoder starts from random weights. Everything else is the same: settings, tokenizers,
   number of updates.
4. A table has the best validation BLEU of each run, the means, and their difference.

All runs are kept in WORK. The same command resumes them, so it can be stopped at any time. Only the Python standard
library is needed. For a first look at all steps, in about two minutes:
--bert-minutes 0.5 --bert-warmup 20 --updates 30 --warmup 10 --seeds 1 --valid-sentences 50
"""
import argparse
import gzip
import json
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
HELD_OUT = 1000  # lines of the running text with which the BERT is validated


def open_text(path):
    opener = gzip.open if path.suffix == ".gz" else open
    return opener(path, "rt", encoding="utf-8", newline="\n")


def lines_of(path):
    with open_text(path) as file:
        return [line.rstrip("\r\n") for line in file]


def english_files(corpora):
    """The English training files, and the other English files."""
    files = sorted(path for pattern in ("*/*.en", "*/*.en.gz") for path in corpora.glob(pattern))
    training = [path for path in files if path.name.startswith("train")]
    if not training:
        raise SystemExit(f"{corpora}: expected folders with files train*.en or train*.en.gz, found none")
    return training, [path for path in files if path not in training]


def build_text(corpora, folder):
    """Writes running.txt and held-out.txt, and prints what was taken and what was not."""
    training, others = english_files(corpora)
    hidden = set()
    for path in others:
        lines = lines_of(path)
        hidden.update(line.strip() for line in lines)
        print(f"  {path.relative_to(corpora)}: {len(lines)} lines, not read: validation or test")
    kept = []
    for path in training:
        lines = lines_of(path)
        empty = sum(not line.strip() for line in lines)
        seen = sum(bool(line.strip()) and line.strip() in hidden for line in lines)
        taken = [line for line in lines if line.strip() and line.strip() not in hidden]
        kept += taken
        print(f"  {path.relative_to(corpora)}: {len(lines)} lines, {empty} empty, {seen} also in validation or test, "
              f"{len(taken)} taken")
    step = max(2, len(kept) // HELD_OUT)
    held = kept[::step]
    running = [line for i, line in enumerate(kept) if i % step != 0]
    for name, lines in (("running.txt", running), ("held-out.txt", held)):
        (folder / name).write_text("".join(line + "\n\n" for line in lines), encoding="utf-8")
    print(f"  running text: {len(running)} lines; held out to validate the BERT: {len(held)}")


def write_pairs(corpus, count, folder):
    """Writes the first `count` pairs."""
    for language in ("en", "de"):
        lines = lines_of(corpus / f"train.{language}.gz")
        if len(lines) < count:
            raise SystemExit(f"{corpus}: expected at least {count} pairs, found {len(lines)}")
        (folder / f"train.{language}").write_text("".join(line + "\n" for line in lines[:count]), encoding="utf-8")
    print(f"  {corpus.name}: the first {count} of {len(lines)} pairs")


def run(command):
    print("+ " + " ".join(map(str, command)), flush=True)
    subprocess.run([str(word) for word in command], check=True)


def train_bert(options, folder):
    """Returns the bundle with the best validation."""
    if options.bert_updates:
        length = f"{options.bert_updates}u"
        schedule = {"kind": "linear", "total_updates": options.bert_updates + 1}
    else:  # how many updates there will be is not known
        length = f"{options.bert_minutes}m"
        schedule = {"kind": "inverse_sqrt", "total_updates": 0}
    settings = folder / "bert.json"
    settings.write_text(json.dumps({"model": {"next_sentence": False}, "training": {"schedule": schedule}}, indent=2))
    run([options.programs / "ventris-train", "-c", ROOT / "configs/bert-tiny.json", "-c", settings, "--train-text",
         folder / "running.txt", "--valid-text", folder / "held-out.txt", "-m", folder / "bert", "--after", length,
         "--warmup", options.bert_warmup, "--threads", options.threads, "--device", options.device])
    return folder / "bert" / "best"


def train_translation(options, folder, bert, seed, with_bert):
    """Returns the validation BLEU of each validation."""
    corpus = options.corpora / "multi30k-en-de"
    name = folder / f"{'with' if with_bert else 'without'}-{seed}"
    start = ["--encoder-from", bert] if with_bert else ["--source-tokenizer", bert / "source.spm"]
    more = [word for file in options.config for word in ("-c", file)]
    if options.warmup:
        more += ["--warmup", options.warmup]
    if options.valid_sentences:
        limit = folder / "valid.json"
        limit.write_text(json.dumps({"validation": {"max_sentences": options.valid_sentences}}))
        more += ["-c", limit]
    run([options.programs / "ventris-train", "-c", ROOT / "configs/multi30k-from-bert.json", *more, *start, "--train",
         folder / "train.en", folder / "train.de", "--valid", corpus / "val.en", corpus / "val.de", "-m", name,
         "--after", f"{options.updates}u", "--seed", seed, "--threads", options.threads, "--device", options.device])
    entries = [json.loads(line) for line in (name / "metrics.jsonl").read_text().splitlines()]
    return {entry["updates"]: entry["bleu"] for entry in entries if entry["kind"] == "valid"}


def show(results):
    """`results` has the validations of the models with and without the BERT, by seed."""
    print(f"\n{'seed':>6} {'without':>16} {'with':>16} {'difference':>11}")
    best = {}
    for seed, pair in results.items():
        best[seed] = [max(bleu.items(), key=lambda item: item[1]) for bleu in pair]
        cells = [f"{value:.2f} (at {updates})" for updates, value in best[seed]]
        print(f"{seed:>6} {cells[0]:>16} {cells[1]:>16} {best[seed][1][1] - best[seed][0][1]:>+11.2f}")
    means = [statistics.mean(pair[i][1] for pair in best.values()) for i in (0, 1)]
    print(f"{'mean':>6} {means[0]:>16.2f} {means[1]:>16.2f} {means[1] - means[0]:>+11.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=pathlib.Path, required=True, help="folder of the corpora")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="folder for texts and runs")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/release/bin", help="folder of the programs")
    parser.add_argument("--bert-minutes", type=float, default=60, help="length of the pre-training")
    parser.add_argument("--bert-updates", type=int, default=0, help="the same in updates, with a linear schedule")
    parser.add_argument("--bert-warmup", type=int, default=1000, help="warm-up of the pre-training, in updates")
    parser.add_argument("--pairs", type=int, default=3000, help="pairs of the translation models")
    parser.add_argument("--updates", type=int, default=3000, help="updates of each translation model")
    parser.add_argument("--warmup", type=int, default=0, help="warm-up of the translation models; 0 = as in the settings")
    parser.add_argument("--config", action="append", default=[], help="more settings for all translation models")
    parser.add_argument("--valid-sentences", type=int, default=0, help="validation sentences to translate; 0 = all")
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu", help="device of all runs: cpu, cuda or cuda:N")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    print("texts:")
    build_text(options.corpora, options.folder)
    write_pairs(options.corpora / "multi30k-en-de", options.pairs, options.folder)
    bert = train_bert(options, options.folder)
    results = {}
    for seed in range(1, options.seeds + 1):
        results[seed] = [train_translation(options, options.folder, bert, seed, with_bert) for with_bert in (False, True)]
    show(results)


if __name__ == "__main__":
    main()
