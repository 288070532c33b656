"""Kills programs at random instants, and looks whether they end with the bytes of a run that was never killed.

Trains a small model of each family with a cache on disk, averages of weights and two validation corpora, and translates
a file with --resume. Each run is killed with SIGKILL at an instant drawn between its start and the time of a whole run,
up to three times; then the same command runs to its end. The weights, the metrics (without what a clock decides) and
the translation must be those of a run that nobody killed.

With --processes 2, two processes train a model together, and one of them, drawn, is killed; the other one notices it.

Usage: kills.py --programs FOLDER [--kills N] [--seed N] [--families LIST] [--processes N] [--translate-only]
"""

import argparse
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
from every_call import Train, Translate  # noqa: E402


class Translation(Translate):
    """Long enough that a kill meets it at work."""

    name = "translate"

    def prepare(self):
        super().prepare()
        text = (self.base / "text").read_text()
        (self.base / "text").write_text(text * 60)

    def begin(self, folder):
        """No older output: --resume refuses it."""

    def command(self, folder):
        return [*super().command(folder), "--resume"]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start(case, folder):
    """Starts all processes of a run."""
    name, *arguments = case.command(folder)
    count = getattr(case, "processes", 1)
    shared = {"WORLD_SIZE": str(count), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()),
              "VENTRIS_JOIN_SECONDS": "20"} if count > 1 else {}
    return [subprocess.Popen([case.programs / name, *map(str, arguments)], stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, env={**os.environ, **shared, "RANK": str(rank)})
            for rank in range(count)]


def finish(case, folder):
    """Returns the seconds that it took."""
    began = time.monotonic()
    for process in start(case, folder):
        _, said = process.communicate(timeout=300)
        if process.returncode != 0:
            raise SystemExit(f"{case.name}: exit code {process.returncode}: {said.decode(errors='replace')}")
    return time.monotonic() - began


def kill_once(case, folder, seconds, draw):
    """Returns whether a process was killed; otherwise it was done before."""
    processes = start(case, folder)
    time.sleep(draw.uniform(0.05, 1.0) * seconds)
    victim = draw.choice(processes)
    victim.send_signal(signal.SIGKILL)
    for process in processes:
        process.communicate(timeout=300)
    return victim.returncode == -signal.SIGKILL


def try_case(case, kills, draw):
    """Returns how often its result differed."""
    case.prepare()
    place = case.base.parent
    whole = place / "whole"
    whole.mkdir()
    case.begin(whole)
    seconds = finish(case, whole)
    expected = case.result(whole)
    killed = runs = wrong = 0
    while killed < kills:
        folder = place / f"run{runs}"
        folder.mkdir()
        case.begin(folder)
        for _ in range(min(3, kills - killed)):
            if not kill_once(case, folder, seconds, draw):
                break
            killed += 1
        finish(case, folder)
        runs += 1
        if case.result(folder) != expected:
            wrong += 1
            print(f"{case.name}: run {runs}: other bytes than those of a run that was never killed", flush=True)
        shutil.rmtree(folder)
    print(f"{case.name} {getattr(case, 'family', '')}: {killed} kills in {runs} runs, {wrong} differ, "
          f"a whole run: {seconds:.1f} s", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--kills", type=int, default=30, help="of each family and of the translation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--families", default=",".join(Train.models))
    parser.add_argument("--processes", type=int, default=1, help="that train a model together")
    parser.add_argument("--translate-only", action="store_true")
    given = parser.parse_args()
    draw = random.Random(given.seed)
    kinds = [(Translation, None)]
    if not given.translate_only:
        kinds += [(Train, family) for family in given.families.split(",")]
    wrong = 0
    for kind, family in kinds:
        with tempfile.TemporaryDirectory() as place:
            base = pathlib.Path(place) / "base"
            base.mkdir()
            case = kind(given.programs, base)
            if family:
                case.family, case.processes = family, given.processes
            wrong += try_case(case, given.kills, draw)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
