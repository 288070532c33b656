#!/usr/bin/env python3
"""Compares models that write all tokens at once with the model that taught them: quality and speed.

    nat.py --teacher run/averaged --students nat/averaged --source val.en --reference val.de

Every model translates the source, one sentence at a time, on one core; the programs take turns. The teacher does it
greedily and with its own beam. A student that learnt `mask_predict` does it with each number of --iterations, and one
that learnt CTC with its best path and with a search over the paths (--beam-size). Prints BLEU, chrF, repetitions (words
that equal the word before them, per 100 words), seconds, and how many times as fast as the greedy teacher a model was
in each round: median, smallest and largest value. The seconds are those that ventris-translate reports: reading the
model does not count. With --cpu-time, they are processor time, from which the time of a run with one line is
subtracted; this is for machines that other programs use, too. --more passes arguments to ventris-translate: --more
--precision int8. Only the Python standard library is needed.
"""
import argparse
import json
import pathlib
import re
import resource
import subprocess
import tempfile

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent


def contestants(options, folder):
    """{name: arguments of ventris-translate}"""
    found = {"teacher, greedy": ["-m", options.teacher, "--beam-size", "1"], "teacher, beam": ["-m", options.teacher]}
    for student in options.students:
        name = str(student)
        with open(student / "config.json", encoding="utf-8") as file:
            settings = json.load(file)
        objective = settings["model"]["objective"]
        if objective.startswith("ctc"):
            found[f"{name}, best path"] = ["-m", student, "--beam-size", "1"]
            found[f"{name}, beam {options.beam_size}"] = ["-m", student, "--beam-size", str(options.beam_size)]
            continue
        if objective != "mask_predict":
            found[name] = ["-m", student]
            continue
        for count in options.iterations:
            more = folder / f"{count}.json"
            more.write_text(json.dumps({"iterations": count}))
            found[f"{name}, {count} passes"] = ["-m", student, "-c", more]
    return found


def translate(options, arguments, output, source=None):
    """Returns the seconds that ventris-translate reports, and its processor time."""
    command = ["taskset", "-c", measure.core_list(1), options.programs / "ventris-translate", *arguments, *options.more,
               "-i", source or options.source, "-o", output, "--threads", "1", "--mini-batch", "1"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = re.search(r"in ([\d.]+) s", run.stderr)
    if run.returncode != 0 or not seconds:
        raise SystemExit(f"{' '.join(map(str, command))}: exit code {run.returncode}\n{run.stderr[-2000:]}")
    return float(seconds.group(1)), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(options, arguments, folder):
    """Seconds of one translation of the source."""
    seconds, processor_time = translate(options, arguments, folder / "out")
    if not options.cpu_time:
        return seconds
    line = folder / "line"
    with open(options.source, encoding="utf-8") as file:
        line.write_text(file.readline(), encoding="utf-8")
    return processor_time - translate(options, arguments, folder / "out", line)[1]


def repetitions(path):
    """Words that equal the word before them, per 100 words."""
    repeated = words = 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.split()
            words += len(line)
            repeated += sum(word == before for before, word in zip(line, line[1:]))
    return 100 * repeated / max(words, 1)


def scores(options, output):
    """BLEU and chrF."""
    run = subprocess.run([options.programs / "ventris-evaluate", options.reference, "-i", output, "-m", "bleu", "chrf",
                          "--format", "text", "-w", "2"], capture_output=True, text=True, check=True)
    return [re.search(name + r".*? = ([\d.]+)", run.stdout).group(1) for name in ("BLEU", "chrF")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--teacher", type=pathlib.Path, required=True, help="bundle")
    parser.add_argument("--students", type=pathlib.Path, nargs="+", required=True, help="bundles")
    parser.add_argument("--source", required=True)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build" / "release" / "bin")
    parser.add_argument("--iterations", type=int, nargs="+", default=[1, 4, 10])
    parser.add_argument("--beam-size", type=int, default=5, help="of the search over the paths of CTC")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cpu-time", action="store_true")
    parser.add_argument("--more", nargs=argparse.REMAINDER, default=[], help="arguments of ventris-translate; last")
    options = parser.parse_args()
    print(f"{measure.processor()}; {options.rounds} rounds\n")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        runs = contestants(options, folder)
        seconds = {run: [] for run in runs}
        for _ in range(options.rounds):
            for run, arguments in runs.items():
                seconds[run].append(measured(options, arguments, folder))
        print("| model | BLEU | chrF | repetitions, % | seconds | times as fast as the greedy teacher |")
        print("|-" * 6 + "|")
        greedy = seconds["teacher, greedy"]
        for run, arguments in runs.items():
            translate(options, arguments, folder / "out")
            bleu, chrf = scores(options, folder / "out")
            ratios = measure.spread([theirs / mine for theirs, mine in zip(greedy, seconds[run])], digits=2)
            print(f"| {run} | {bleu} | {chrf} | {repetitions(folder / 'out'):.2f} | "
                  f"{measure.spread(seconds[run], digits=2)} | {ratios} |", flush=True)


if __name__ == "__main__":
    main()
