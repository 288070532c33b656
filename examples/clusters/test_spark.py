#!/usr/bin/env python3
"""Tests spark_job.py on a Spark of this machine.

    python3 -m venv ~/spark && ~/spark/bin/pip install pyspark pandas pyarrow build/python/dist/ventris-*.whl
    ~/spark/bin/python examples/clusters/test_spark.py --model packed --programs build/release/bin

Java 17 or 21 is needed (on Debian 12: default-jre-headless). Kills one of the two processes that translate, in the
middle of the work, and compares the result with that of ventris-translate, line by line and byte by byte. Also checks
rows without a text and rows that cannot be translated. With --speed, measures one process against two.
"""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

import pyarrow
import pyarrow.parquet

HERE = pathlib.Path(__file__).resolve().parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("build/release/bin"))
    parser.add_argument("--input", type=pathlib.Path, help="lines to translate; otherwise those of the phrase book")
    parser.add_argument("--lines", type=int, default=100_000, help="the input is cut or repeated to so many")
    parser.add_argument("--speed", action="store_true")
    return parser.parse_args()


def lines_of(options, folder):
    if options.input is None:
        generate = HERE.parent.parent / "data/phrasebook/generate.py"
        subprocess.run([sys.executable, generate, "--out", folder], check=True, stdout=subprocess.DEVNULL)
        options.input = folder / "train.en"
    lines = options.input.read_bytes().decode().split("\n")[:-1]
    return (lines * (options.lines // len(lines) + 1))[: options.lines]


def run_job(folder, model, table, name, cores, settings=None):
    """Translates a table. Returns the running job and the path of its output."""
    source, output = folder / f"{name}.in.parquet", folder / name
    pyarrow.parquet.write_table(table, source)
    command = [pathlib.Path(sys.executable).parent / "spark-submit", "--master", f"local[{cores},4]", "--conf",
               "spark.ui.enabled=false", HERE / "spark_job.py", "--model", model, "--ship", "--input", source,
               "--output", output]  # fmt: skip
    command += ["--settings", settings] if settings else []
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable}
    with open(folder / f"{name}.log", "wb") as log:
        job = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    return job, output


def finish(job, folder, name):
    if job.wait() != 0:
        sys.exit((folder / f"{name}.log").read_text()[-3000:])


def descendants(process):
    """The processes that a process has started, and those that they have started."""
    parents = {}
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(status.parent.name)] = int(status.read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError):
            continue
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


def workers_of(job):
    """The processes that translate: they have the library of Ventris in their memory."""

    def translates(process):
        try:
            return "ventris" in pathlib.Path(f"/proc/{process}/maps").read_text()
        except OSError:
            return False

    return [process for process in descendants(job.pid) if translates(process)]


def kill_one(job, output, killed):
    """Kills a worker when the first part of the output is there."""
    while job.poll() is None and not killed:
        parts = list(output.rglob("part-*"))
        workers = workers_of(job) if parts else []
        if workers:
            os.kill(workers[0], signal.SIGKILL)
            killed.append(workers[0])
        time.sleep(0.2)


def check_whole(options, folder, lines):
    """All lines, while one of the workers is killed."""
    texts = [*lines, "", None]
    table = pyarrow.table({"id": range(len(texts)), "text": texts})
    job, output = run_job(folder, options.model, table, "killed", 2)
    killed = []
    watch = threading.Thread(target=kill_one, args=(job, output, killed))
    watch.start()
    finish(job, folder, "killed")
    watch.join()
    assert killed, "no worker was killed; give more --lines"
    found = pyarrow.parquet.read_table(output).sort_by("id")
    assert found.column("id").to_pylist() == list(range(len(texts))), "not every line is there once"
    assert found.column("error").null_count == len(texts)
    *translations, empty, null = found.column("translation").to_pylist()
    assert (empty, null) == ("", None)
    source, expected = folder / "lines", folder / "expected"
    source.write_bytes("".join(f"{line}\n" for line in lines).encode())
    program = options.programs / "ventris-translate"
    command = [program, "-m", options.model, "-i", source, "-o", expected, "--quiet", "--threads", "2"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    assert "".join(f"{line}\n" for line in translations).encode() == expected.read_bytes()
    print(f"{len(lines)} lines, worker {killed[0]} killed: each line once, equal to ventris-translate")


def check_rows(options, folder):
    """Rows without a text, and one that cannot be translated, among other columns with nulls."""
    texts = [None, "<p>a dog</p>", "<p>not closed", "<p>two dogs</p>", None]
    table = pyarrow.table({"text": texts, "number": pyarrow.array([None, 2**62 + 1, None, 4, 5], pyarrow.int64())})
    job, output = run_job(folder, options.model, table, "rows", 1, '{"markup": "xml"}')
    finish(job, folder, "rows")
    rows = pyarrow.parquet.read_table(output).to_pylist()
    kept = [(row["text"], row["number"]) for row in rows]
    assert sorted(kept, key=str) == sorted(zip(texts, table.column("number").to_pylist(), strict=True), key=str), rows
    for row in rows:
        if row["text"] is None:
            assert row["translation"] is None and row["error"] is None
        elif row["text"] == "<p>not closed":
            assert row["translation"] is None and "not well-formed XML" in row["error"]
        else:
            assert row["error"] is None and row["translation"].startswith("<p>"), row
    print("rows without a text, and one that cannot be translated: all are kept")


def processor_seconds(process):
    """What a process has used so far; 0 if it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seconds_of(folder, options, table, cores):
    """Seconds of a job on the clock, and of processor time of each worker."""
    started, used = time.perf_counter(), {}
    name = f"speed-{cores}"
    job, _ = run_job(folder, options.model, table, name, cores)
    while job.poll() is None:
        used |= {worker: processor_seconds(worker) or used.get(worker, 0) for worker in workers_of(job)}
        time.sleep(0.2)
    finish(job, folder, name)
    return time.perf_counter() - started, used


def measure(options, folder, lines):
    """One worker and two, with the same lines."""
    table = pyarrow.table({"id": range(len(lines)), "text": lines})
    one, two = (seconds_of(folder, options, table, cores) for cores in (1, 2))
    print(f"seconds on the clock: {one[0]:.1f} with one worker, {two[0]:.1f} with two: {one[0] / two[0]:.2f} times")
    alone, together = sum(one[1].values()), sum(two[1].values())
    each = ", ".join(f"{seconds:.1f}" for seconds in two[1].values())
    print(f"seconds of processor time: {alone:.1f} of one worker, {each} of two, {together / alone:.2f} times as many")
    print(f"with a free core for each, two are {alone / max(two[1].values()):.2f} times as fast")


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lines = lines_of(options, folder)
        check_rows(options, folder)
        check_whole(options, folder, lines)
        if options.speed:
            measure(options, folder, lines)


if __name__ == "__main__":
    main()
