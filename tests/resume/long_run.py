"""Trains a tiny model for very many updates in many runs, and looks whether memory, files or time grow.

The run is resumed again and again: each process adds as many updates as the one before it. Of each, the script takes the
peak memory, the CPU time, and the files and bytes of the run folder. At the end, the medians of the first and of the
last fifth of the processes are compared. metrics.jsonl and the report may grow, by a line for each report.

Usage: long_run.py --programs FOLDER [--updates N] [--resumes N] [--folder FOLDER]
With --folder, a run that was interrupted goes on. Exit code 1: memory grew by over 5 %, CPU time by over 30 %, or there
are more files than after the first fifth.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
from every_call import Train  # noqa: E402


def settings(case, leg):
    """Those of the case, for a model that is as small as can be, and few reports."""
    given = json.loads((case.base / "settings.json").read_text())
    given["model"] = {"d_model": 8, "d_ff": 8, "heads": 1, "encoder_layers": 1, "decoder_layers": 1}
    given["training"].update(batch_tokens=64, save_every=f"{leg}u", report_every=f"{max(1, leg // 5)}u", average_last=0)
    given["validation"]["every"] = f"{leg}u"
    return given


def measured(command):
    """Runs it. Returns its peak memory in MiB and its CPU time in seconds."""
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"exit code {os.waitstatus_to_exitcode(status)}: {said.decode(errors='replace')}")
    return usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def run_all(case, folder, updates, resumes):
    """Returns (memory, CPU time, files, bytes) of each process."""
    leg, results = updates // resumes, []
    (case.base / "settings.json").write_text(json.dumps(settings(case, leg)))
    for number in range(1, resumes + 1):
        program, *arguments = case.command(folder)
        memory, seconds = measured([case.programs / program, *arguments, "--after", f"{number * leg}u"])
        files = [file for file in folder.rglob("*") if file.is_file() and not file.is_symlink()
                 and ".tfevents." not in file.name]  # of TensorBoard: each process writes one
        results.append((memory, seconds, len(files), sum(file.stat().st_size for file in files)))
        if number % max(1, resumes // 20) == 0:
            print(f"{number * leg:>10} updates: {memory:.0f} MiB, {seconds:.1f} s, {results[-1][2]} files, "
                  f"{results[-1][3] / 1024:.0f} KiB", flush=True)
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--updates", type=int, default=1_000_000)
    parser.add_argument("--resumes", type=int, default=100)
    parser.add_argument("--folder", type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = given.folder or pathlib.Path(place) / "long"
        base = folder / "base"
        base.mkdir(parents=True, exist_ok=True)
        case = Train(given.programs, base)
        case.prepare()
        results = run_all(case, folder, given.updates, given.resumes)
    fifth = max(1, given.resumes // 5)
    first, last = (list(map(statistics.median, zip(*part))) for part in (results[:fifth], results[-fifth:]))
    print(f"first fifth: {first[0]:.1f} MiB, {first[1]:.2f} s, {first[2]:.0f} files; "
          f"last fifth: {last[0]:.1f} MiB, {last[1]:.2f} s, {last[2]:.0f} files")
    sys.exit(last[0] > 1.05 * first[0] or last[1] > 1.3 * first[1] or last[2] > results[fifth - 1][2])


if __name__ == "__main__":
    main()
