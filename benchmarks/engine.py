#!/usr/bin/env python3
"""Compares the inference engine with CTranslate2 in all cases that benchmarks/README.md lists.

    engine.py --train train.en train.de --input some.en [--like-avx2] [--only 'tiny, int8'] [--rounds 3]

It makes two models with random weights (--models keeps them for the next time), checks that both programs give the same
greedy lines in f32, and then measures one case after the other: speed, peak memory and the time of a run with one
line. The programs take turns, as in translate.py, on one core. Then it measures two workers on two cores against one.
The output is a table in Markdown. Run it with a Python that has ctranslate2 and sentencepiece.
"""
import argparse
import contextlib
import dataclasses
import json
import pathlib
import statistics
import sys
import tempfile

import measure
import translate

HERE = pathlib.Path(__file__).resolve().parent
LENGTH = 20  # tokens of every translation
LEAST_AGREEMENT = 0.98  # of greedy lines in f32
LIKE_AVX2 = {"VENTRIS_KERNELS": "avx2", "CT2_FORCE_CPU_ISA": "AVX2", "ONEDNN_MAX_CPU_ISA": "AVX2"}
LIKE_AVX512 = {"CT2_FORCE_CPU_ISA": "AVX512"}  # otherwise, CTranslate2 uses it only on processors from Intel


@dataclasses.dataclass
class Case:
    model: str
    precision: str
    beam: int
    batch: int
    target: float       # how many times as fast as CTranslate2 the engine shall be, with AVX-512-VNNI
    target_avx2: float  # the same with AVX2 only

    @property
    def name(self):
        search = f"beam {self.beam}" if self.beam > 1 else "greedy"
        return f"{self.model}, {self.precision}, {search}, batch {self.batch}"


CASES = [
    Case("base", "int8", 4, 32, 3, 1.4),
    Case("base", "int8", 1, 1, 4, 3),
    Case("base", "f32", 4, 32, 1.5, 1.3),
    Case("base", "f32", 1, 32, 1.5, 1.3),
    Case("tiny", "int8", 5, 32, 4, 2),
    Case("tiny", "int8", 1, 32, 4, 2),
]
SETTINGS = {"base": (HERE / "base-2048.json", 32000), "tiny": (HERE.parent / "configs" / "multi30k-tiny.json", 10000)}


def make_model(name, arguments):
    """Trains for one update, which leaves the weights random. Returns the bundle."""
    run = arguments.models / name
    bundle = run / "final"
    if bundle.exists():
        return bundle
    source, vocab_size = SETTINGS[name]
    settings = json.loads(source.read_text())
    settings["tokenizer"]["vocab_size"] = vocab_size
    settings.pop("validation", None)
    config = arguments.models / f"{name}.json"
    config.write_text(json.dumps(settings))
    measure.run([arguments.programs / "ventris-train", "-c", config, "--train", *arguments.train, "-m", run, "--after",
                 "1u"], measure.core_list(1))
    return bundle


def packed(case, bundle, arguments):
    """The packed model of a bundle in the precision of the case."""
    folder = bundle.parent / f"packed-{case.precision}"
    if not folder.exists():
        measure.export_packed(arguments.programs, bundle, case.precision, folder)
    return folder


def options(case, bundle, arguments, threads=1):
    """The options of translate.py for a case."""
    return translate.make_parser().parse_args([
        "--model", str(bundle), "--input", str(arguments.input), "--programs", str(arguments.programs),
        "--beam-size", str(case.beam), "--batch", str(case.batch), "--precision", case.precision, "--alpha", "0",
        "--lengths", str(LENGTH), "--rounds", str(arguments.rounds), "--backend", "engine", "--threads", str(threads),
        *([] if arguments.bundles else ["--packed", str(packed(case, bundle, arguments))]),
        *(["--cpu-time"] if arguments.cpu_time else [])])


@contextlib.contextmanager
def task_of(case, bundle, arguments, threads=1):
    with tempfile.TemporaryDirectory() as folder:
        task = translate.Task(options(case, bundle, arguments, threads), pathlib.Path(folder), arguments.environment)
        task.convert()
        yield task


def check_agreement(name, bundle, arguments):
    with task_of(Case(name, "f32", 1, 32, 0, 0), bundle, arguments) as task:
        outputs = {program: task.run(program, task.input)[1] for program in (translate.OURS, translate.THEIRS)}
    same, lines = translate.same_lines(outputs), len(outputs[translate.OURS])
    print(f"{name}, f32, greedy: {same} of {lines} lines are the same.", flush=True)
    if same < LEAST_AGREEMENT * lines:
        raise SystemExit(f"Fewer than {LEAST_AGREEMENT:.0%} of the lines are the same: no speed is compared.")


def compare(case, bundle, arguments):
    """The row of a case."""
    with task_of(case, bundle, arguments) as task:
        results, outputs = translate.measure_both(task, task.arguments.rounds)

    def medians(key, digits):
        ours, theirs = (statistics.median(results[name][key]) for name in (translate.OURS, translate.THEIRS))
        return f"{ours:,.{digits}f} | {theirs:,.{digits}f}"

    target = case.target_avx2 if arguments.like_avx2 else case.target
    print(f"| {case.name} | {medians('speed', 0)} | {measure.spread(translate.ratios(results), digits=2)} | {target:g} "
          f"| {medians('peak', 0)} | {medians('start', 2)} "
          f"| {translate.same_lines(outputs)} of {len(outputs[translate.OURS])} |", flush=True)


def compare_workers(bundle, arguments):
    """Two workers on two cores: against one, and against two workers of CTranslate2."""
    case = Case("tiny", "int8", 5, 32, 0, 0)
    speeds = {}
    for threads in (1, 2):
        with task_of(case, bundle, arguments, threads) as task:
            speeds[threads], _ = translate.measure_both(task, task.arguments.rounds)
    print(f"\nTwo workers on two cores ({case.name}) against one, target 1.9:")
    for program in (translate.OURS, translate.THEIRS):
        ratios = [two / one for one, two in zip(speeds[1][program]["speed"], speeds[2][program]["speed"])]
        print(f"- {program}: {measure.spread(ratios, digits=2)} times as fast")
    print(f"- with two workers each, {translate.OURS} is {measure.spread(translate.ratios(speeds[2]), digits=2)} times as "
          f"fast as {translate.THEIRS}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--train", type=pathlib.Path, nargs=2, required=True, help="text for the tokenizers")
    parser.add_argument("--input", type=pathlib.Path, required=True, help="text to translate")
    parser.add_argument("--models", type=pathlib.Path, help="folder for the models, which are kept")
    parser.add_argument("--programs", type=pathlib.Path, default=HERE.parent / "build" / "release" / "bin")
    parser.add_argument("--only", default="",
                        help="measure only cases whose name contains this text; the last one is \"two workers\"")
    parser.add_argument("--like-avx2", action="store_true", help="limit both programs to AVX2")
    parser.add_argument("--bundles", action="store_true", help="ventris-translate reads bundles, not packed models")
    parser.add_argument("--cpu-time", action="store_true", help="processor time instead of wall time")
    parser.add_argument("--rounds", type=int, default=3, help="rounds that count, after one that does not")
    arguments = parser.parse_args()
    arguments.environment = LIKE_AVX2 if arguments.like_avx2 else LIKE_AVX512
    with contextlib.ExitStack() as stack:
        if arguments.models is None:
            arguments.models = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        arguments.models.mkdir(parents=True, exist_ok=True)
        bundles = {name: make_model(name, arguments) for name in SETTINGS}
        print(f"{measure.processor()}{', limited to AVX2' if arguments.like_avx2 else ''}", flush=True)
        cases = [case for case in CASES if arguments.only in case.name]
        for name in dict.fromkeys(case.model for case in cases):
            check_agreement(name, bundles[name], arguments)
        print("\n| case | Ventris, target tokens/s | CTranslate2 | times as fast | target | peak MiB: Ventris | CTranslate2 "
              "| one line, s: Ventris | CTranslate2 | same lines |\n|-|-|-|-|-|-|-|-|-|-|", flush=True)
        for case in cases:
            compare(case, bundles[case.model], arguments)
        if arguments.only in "two workers":
            compare_workers(bundles["tiny"], arguments)


if __name__ == "__main__":
    main()
