#!/usr/bin/env python3
"""Compares speed and memory of ventris-train with those of a plain PyTorch loop.

With --eole, --marian and --huggingface, also with those of Eole, Marian and the Trainer of transformers.

    train.py --train train.en.gz train.de.gz --tokenizer source.spm

For each number of cores, the programs take turns (A B A B ...) on these cores. Prints target tokens per second, peak
memory, and the ratios of the speeds in each round: median, smallest and largest value. Run it with a Python that has
torch and sentencepiece.
"""
import argparse
import json
import pathlib
import sys
import tempfile

import measure

HERE = pathlib.Path(__file__).resolve().parent
# With these thresholds, a program keeps large blocks that it frees, instead of returning them to the system in every
# update. ventris-train always does this.
TUNED_MALLOC = {"MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TRIM_THRESHOLD_": str(1 << 30),
                "MALLOC_TOP_PAD_": str(64 << 20)}
# Without AVX-512 there is no bf16, so --like-avx2 also selects f32. These variables do not limit lib/modules/kernels.
LIKE_AVX2 = {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"}


def run_ours(arguments, cores):
    """Returns (target tokens per second, peak MiB)."""
    with tempfile.TemporaryDirectory() as folder:
        run = measure.run([arguments.programs / "ventris-train", "-c", arguments.config, "--train", *arguments.train,
                           "--source-tokenizer", arguments.tokenizer, "-m", pathlib.Path(folder) / "run",
                           "--threads", cores, "--disp-freq", f"{arguments.warm_up}u",
                           "--after", f"{arguments.warm_up + arguments.updates}u",
                           "--device", arguments.device, "--precision", arguments.precision],
                          measure.core_list(cores), environment_of(arguments))
        return speed_after_warm_up(pathlib.Path(folder) / "run" / "metrics.jsonl"), run.peak_mib


def speed_after_warm_up(metrics):
    """Target tokens per second without the first report, which covers the warm-up."""
    with open(metrics, encoding="utf-8") as file:
        reports = [report for report in map(json.loads, file) if report["kind"] == "train"]
    tokens = seconds = 0.0
    for before, report in zip(reports, reports[1:]):
        count = report["target_tokens"] - before["target_tokens"]
        if count > 0:
            tokens += count
            seconds += count / report["target_tokens_per_second"]
    return tokens / seconds


def environment_of(arguments, more=None):
    return (LIKE_AVX2 if arguments.like_avx2 else {}) | (more or {})


def run_script(arguments, cores, python, script, environment=None, more=()):
    run = measure.run([python, HERE / script, "--config", arguments.config, "--train", *arguments.train,
                       "--tokenizer", arguments.tokenizer, "--threads", cores, "--warm-up", arguments.warm_up,
                       "--updates", arguments.updates, *more], measure.core_list(cores),
                      environment_of(arguments, environment))
    return json.loads(run.out)["target_tokens_per_second"], run.peak_mib


def run_plain(arguments, cores, environment=None, precision="f32", more=()):
    return run_script(arguments, cores, sys.executable, "train_plain_pytorch.py", environment,
                      ["--device", arguments.device, "--precision", precision, *more])


def run_huggingface(arguments, cores):
    return run_script(arguments, cores, sys.executable, "train_huggingface.py", None,
                      ["--device", arguments.device, "--precision", "bf16" if arguments.device == "cuda" else "f32"])


def contestants(arguments):
    """{name: function that runs it: (arguments, cores) -> (target tokens per second, peak MiB)}"""
    found = {"ventris-train": run_ours}
    if not arguments.without_pytorch:
        found["plain PyTorch"] = run_plain
    if arguments.device == "cuda":
        found["plain PyTorch, bf16"] = lambda arguments, cores: run_plain(arguments, cores, precision="bf16")
        found["plain PyTorch, bf16, without cuDNN's attention"] = lambda arguments, cores: run_plain(
            arguments, cores, precision="bf16", more=["--without-cudnn-attention"])
    if arguments.huggingface:
        found["Trainer of transformers"] = run_huggingface
    if arguments.tuned_malloc:
        found["plain PyTorch, tuned malloc"] = lambda arguments, cores: run_plain(arguments, cores, TUNED_MALLOC)
    if arguments.eole:
        found["Eole"] = lambda arguments, cores: run_script(arguments, cores, arguments.eole, "train_eole.py")
    if arguments.marian:
        found["Marian"] = lambda arguments, cores: run_script(arguments, cores, arguments.marian, "train_marian.py")
    return found


def measure_all(arguments, cores):
    """{name: [(target tokens per second, peak MiB) of each round]}"""
    runners = contestants(arguments)
    results = {name: [] for name in runners}
    for number in range(arguments.rounds):
        for name, runner in runners.items():
            results[name].append(runner(arguments, cores))
            speed, memory = results[name][-1]
            print(f"{cores} cores, round {number + 1}: {name}: {speed:,.0f} tokens/s, {memory:,.0f} MiB",
                  file=sys.stderr)
    return results


def report(cores, results):
    ours = [speed for speed, _ in results["ventris-train"]]
    for name, rounds in results.items():
        speeds = [speed for speed, _ in rounds]
        ratio = measure.spread([mine / theirs for mine, theirs in zip(ours, speeds)], digits=2)
        memory = measure.spread([memory for _, memory in rounds])
        print(f"| {name} | {cores} | {measure.spread(speeds)} | {memory} | {ratio} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--train", nargs=2, required=True, metavar=("SRC", "TGT"))
    parser.add_argument("--tokenizer", required=True, help="shared SentencePiece model, such as source.spm of a bundle")
    parser.add_argument("--config", default=HERE.parent / "configs" / "multi30k-tiny.json")
    parser.add_argument("--programs", type=pathlib.Path, default=HERE.parent / "build" / "release" / "bin")
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--warm-up", type=int, default=50, help="updates before the measurement")
    parser.add_argument("--updates", type=int, default=100, help="updates that are measured; a multiple of --warm-up")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--precision", choices=["auto", "f32", "bf16"], default="auto", help="of ventris-train")
    parser.add_argument("--tuned-malloc", action="store_true", help="also the plain loop with higher malloc thresholds")
    parser.add_argument("--like-avx2", action="store_true", help="limit all programs to AVX2, and ventris-train to f32")
    parser.add_argument("--eole", metavar="PYTHON", help="also measure Eole, which this Python has")
    parser.add_argument("--marian", metavar="PYTHON", help="also measure Marian, whose pymarian this Python has")
    parser.add_argument("--huggingface", action="store_true",
                        help="also measure the Trainer of Hugging Face transformers, which this Python has")
    parser.add_argument("--without-pytorch", action="store_true",
                        help="do not measure the plain PyTorch loop (on a GPU: not in f32)")
    arguments = parser.parse_args()
    if (arguments.eole or arguments.marian) and arguments.device != "cpu":
        parser.error("--eole and --marian run only on a CPU")
    if arguments.like_avx2 and arguments.precision == "bf16":
        parser.error("--like-avx2 needs f32")
    if arguments.like_avx2:
        arguments.precision = "f32"
    if arguments.updates % arguments.warm_up != 0:
        parser.error("--updates must be a multiple of --warm-up")
    print(f"{measure.processor()}; {arguments.rounds} rounds of {arguments.updates} updates\n")
    print("| program | cores | target tokens/s | peak MiB | ventris-train is this many times as fast |\n|-|-|-|-|-|")
    for cores in arguments.cores:
        report(cores, measure_all(arguments, cores))


if __name__ == "__main__":
    main()
