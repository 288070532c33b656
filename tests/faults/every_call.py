"""Lets each call of the system that a program makes fail once, one after the other, and looks at what is left.

For each call (open, read, write, fsync, rename, mmap, close, and operator new) and each error, the N-th call fails, for
N = 1, 2, 3, ... until a run has no such call. After each run:
- the program ended with a documented exit code, and if that is not 0, with a sentence; it did not crash;
- with exit code 0, its output has the bytes of a run without faults;
- its inputs are as they were, and an older output is whole, or replaced by the whole new one;
- the same command, without faults, then ends with the bytes of a run without faults.

Usage: every_call.py --programs FOLDER --shim LIBRARY [--sample K] [--calls LIST] [--families LIST] [CASE...]
With --sample, only K of the calls of each kind are tried, evenly spread. --calls: open,read,... instead of all kinds.
--families: some of transformer,rnn,transformer-nat,bert,bert-classifier, for training.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "tests/imports/data"
ERRORS = {
    "open": ["EIO", "EMFILE", "EINTR", "ENOSPC"],
    "read": ["EIO", "EINTR", "SHORT"],
    "write": ["ENOSPC", "EIO", "EINTR", "SHORT", "KILL"],
    "fsync": ["EIO", "ENOSPC", "KILL"],
    "rename": ["EIO", "ENOSPC", "KILL"],
    "mmap": ["ENOMEM"],
    "close": ["EIO", "EINTR"],
    "new": ["ENOMEM"],
}
EXIT_CODES = {0, 2, 3, 4, 5, 74}
# What a run writes that depends on the clock.
CLOCK = ("target_tokens_per_second", "peak_memory_mib", "minutes", "seconds")


def tree(path):
    """The files below a path, and their bytes."""
    if path.is_file():
        return {"": path.read_bytes()}
    return {str(f.relative_to(path)): f.read_bytes() for f in sorted(path.rglob("*")) if f.is_file() and not f.is_symlink()}


def without_clock(value):
    """A JSON value without the members that depend on the clock."""
    if not isinstance(value, dict):
        return value
    return {key: without_clock(inner) for key, inner in value.items() if key not in CLOCK}


class Case:
    """A command, what it reads and what it writes."""

    name = ""
    outputs = ["out"]  # in the folder of a trial
    keeps_old = True  # whether an older output is there before
    has_libtorch = False  # whose code may not survive without memory, so allocations do not fail

    def __init__(self, programs, base):
        self.programs, self.base = programs, base

    def prepare(self):
        """Makes what all trials read, in self.base."""

    def begin(self, folder):
        """Makes what a trial finds in its folder."""

    def command(self, folder):
        raise NotImplementedError

    def result(self, folder):
        return {name: tree(folder / name) for name in self.outputs}

    def is_as_expected(self, result, expected):
        return result == expected

    def run(self, *command):
        return subprocess.run([self.programs / command[0], *map(str, command[1:])], check=True, capture_output=True)


class Translate(Case):
    name = "translate"

    def prepare(self):
        self.run("ventris-import", "-m", MODELS / "marian_shared", "-o", self.base / "model")
        words = ["ab", "ba", "c", "abc", "cab b", "a", "", "b c a"]
        (self.base / "text").write_text("".join(f"{words[i % 8]} {words[i // 8 % 8]}\n" for i in range(64)))

    def begin(self, folder):
        (folder / "out").write_text("an older output\n")

    def command(self, folder):
        return ["ventris-translate", "-m", self.base / "model", "-i", self.base / "text", "-o", folder / "out",
                "--beam-size", "2", "--quiet"]


class Resume(Translate):
    name = "resume"
    keeps_old = False

    def prepare(self):
        super().prepare()
        self.partial = self.base / "partial"
        self.partial.mkdir()
        for number in range(1, 40):  # killed when something was written, but not all
            fault(self, self.partial, f"write KILL {number}")
            lines = [f for f in self.partial.iterdir() if "out" in f.name and f.stat().st_size > 0]
            if (self.partial / "out").exists() or len(lines) > 1:
                break

    def begin(self, folder):
        for file in self.partial.iterdir():
            shutil.copy2(file, folder / file.name)

    def command(self, folder):
        return [*super().command(folder), "--resume"]


class Import(Case):
    name = "import"

    def begin(self, folder):
        self.run("ventris-import", "-m", MODELS / "t5_small", "-o", folder / "out")

    def command(self, folder):
        return ["ventris-import", "-m", MODELS / "marian_shared", "-o", folder / "out", "--quiet"]


class Average(Case):
    name = "average"

    def prepare(self):
        for name in ("a", "b"):
            self.run("ventris-import", "-m", MODELS / "marian_shared", "-o", self.base / name)

    def begin(self, folder):
        self.run("ventris-import", "-m", MODELS / "t5_small", "-o", folder / "out")

    def command(self, folder):
        return ["ventris-average", "-m", self.base / "a", self.base / "b", "-o", folder / "out", "--quiet"]


class Export(Translate):
    name = "export"
    has_libtorch = True
    keeps_old = False

    def begin(self, folder):
        """There is no older export."""

    def command(self, folder):
        return ["ventris-export", "-m", self.base / "model", "-o", folder / "out", "--format", "ctranslate2", "--quiet"]


class Train(Case):
    """A run of a few updates of a family, with a cache on disk, averages of weights and two validation corpora."""

    name = "train"
    has_libtorch = True
    keeps_old = False
    family = "transformer"
    models = {
        "transformer": {"d_model": 16, "d_ff": 16, "heads": 2, "encoder_layers": 1, "decoder_layers": 1},
        "rnn": {"d_embedding": 8, "d_hidden": 8},
        "transformer-nat": {"d_model": 16, "d_ff": 16, "heads": 2, "encoder_layers": 1, "decoder_layers": 1},
        "bert": {"layers": 1, "d_model": 16, "d_ff": 16, "heads": 2, "max_positions": 64},
        "bert-classifier": {"layers": 1, "d_model": 16, "d_ff": 16, "heads": 2, "max_positions": 64},
    }

    @property
    def outputs(self):
        return [f"run/{name}" for name in ("final", "best", "averaged")]

    @property
    def translates(self):
        return not self.family.startswith("bert")

    def prepare(self):
        words = "red blue green small large house tree river".split()
        lines = [" ".join(words[(i * k) % 8] for k in range(1, 2 + i % 5)) for i in range(120)]
        backwards = [" ".join(reversed(line.split())) for line in lines]
        labelled = [f"{'odd' if len(line) % 2 else 'even'}\t{line}" for line in lines]
        for name, content in (("a", lines), ("b", backwards), ("labelled", labelled)):
            (self.base / name).write_text("\n".join(content) + "\n")
        validation = {"beam_size": 1} if self.translates else {"metric": "loss"}
        length = {"max_length": 60} if not self.translates else {}
        (self.base / "settings.json").write_text(json.dumps({
            "architecture": self.family, "model": self.models[self.family], "tokenizer": {"vocab_size": 40},
            "data": length, "validation": {"every": "4u", **validation},
            "training": {"batch_tokens": 256, "save_every": "4u", "report_every": "4u", "after": "8u",
                         "ema_decay": 0.5, "average_last": 2}}))

    def corpora(self):
        a, b, labelled = (self.base / name for name in ("a", "b", "labelled"))
        if self.family == "bert":
            return ["--train-text", a, "--valid-text", a, "--valid-text", b]
        if self.family == "bert-classifier":
            return ["--train-labels", labelled, "--valid-labels", labelled, "--valid-labels", labelled]
        return ["--train", a, b, "--valid", a, b, "--valid", b, a]

    def command(self, folder):
        return ["ventris-train", "-c", self.base / "settings.json", *self.corpora(), "-m", folder / "run", "--cache",
                folder / "cache", "--quiet"]

    def result(self, folder):
        lines = [without_clock(json.loads(line)) for line in (folder / "run/metrics.jsonl").read_text().splitlines()]
        weights = {name: (folder / name / "model.safetensors").read_bytes() for name in self.outputs}
        return {**weights, "metrics": lines}

    def is_as_expected(self, result, expected):
        """With all weights. A line of metrics.jsonl that could not be written is left out, with a warning."""
        rest = iter(expected["metrics"])
        return all(line in rest for line in result["metrics"]) and {**result, "metrics": 0} == {**expected, "metrics": 0}


CASES = {case.name: case for case in (Translate, Resume, Import, Average, Export, Train)}


def fault(case, folder, plan):
    """Runs the command of a case. Returns its exit code, what it wrote to standard error, and whether the fault came."""
    done, counts = case.base / "done", case.base / "counts"
    done.unlink(missing_ok=True)
    environment = {"PATH": "/usr/bin:/bin", "LD_PRELOAD": str(case.shim), "VENTRIS_FAULT": plan, "LC_ALL": "C.UTF-8",
                   "VENTRIS_FAULT_DONE": str(done), "VENTRIS_FAULT_COUNTS": str(counts), "OMP_NUM_THREADS": "1"}
    name, *arguments = case.command(folder)
    ended = subprocess.run([case.programs / name, *map(str, arguments)], env=environment, capture_output=True, timeout=300)
    return ended.returncode, ended.stderr.decode(errors="replace"), done.exists()


class Trials:
    """All trials of a case."""

    def __init__(self, case, sample, calls):
        self.case, self.sample, self.calls = case, sample, calls
        self.trials, self.refused, self.problems = 0, 0, []
        case.prepare()
        for name in ("counts", "done"):
            (case.base / name).unlink(missing_ok=True)
        self.inputs = tree(case.base)
        whole = case.base.parent / (case.base.name + "-whole")
        whole.mkdir()
        case.begin(whole)
        self.old = None if not case.keeps_old else case.result(whole)
        code, said, _ = fault(case, whole, "none")
        if code != 0:
            raise SystemExit(f"{case.name}: without a fault: exit code {code}: {said}")
        self.counts = dict((n, int(c)) for n, c in map(str.split, (case.base / "counts").read_text().splitlines()))
        self.expected = case.result(whole)
        for name in ("counts", "done"):
            (case.base / name).unlink(missing_ok=True)

    def numbers(self, call):
        if self.sample is None:
            return range(1, 100_000)
        count = self.counts[call]
        return sorted({1 + i * (count - 1) // max(1, self.sample - 1) for i in range(min(self.sample, count))})

    def run(self):
        for call, errors in ERRORS.items():
            if call not in self.calls or call == "new" and self.case.has_libtorch:
                continue
            for error in errors:
                for number in self.numbers(call):
                    if not self.one(f"{call} {error} {number}"):
                        break

    def one(self, plan):
        """Returns whether the fault came."""
        case = self.case
        with tempfile.TemporaryDirectory(dir=case.base.parent) as name:
            folder = pathlib.Path(name)
            case.begin(folder)
            code, said, came = fault(case, folder, plan)
            if not came:
                return False
            self.trials += 1
            self.refused += code != 0
            self.look(plan, folder, code, said)
        return True

    def problem(self, plan, text):
        self.problems.append(plan)
        print(f"{self.case.name}: {plan}: {text}", flush=True)

    def look(self, plan, folder, code, said):
        case, killed = self.case, " KILL " in plan
        if killed and code != -9 or not killed and code not in EXIT_CODES:
            self.problem(plan, f"exit code {code}: {said}")
        sentences = [line for line in said.splitlines() if line.startswith("ventris-")]
        if code > 0 and not sentences:
            self.problem(plan, f"exit code {code} without a sentence: {said!r}")
        if code == 0 and not case.is_as_expected(case.result(folder), self.expected):
            self.problem(plan, "exit code 0, but other output")
        if code != 0 and self.old is not None and case.result(folder) not in (self.old, self.expected):
            self.problem(plan, "the older output is neither whole nor replaced")
        for name in ("counts", "done"):
            (case.base / name).unlink(missing_ok=True)
        if tree(case.base) != self.inputs:
            self.problem(plan, "the inputs have changed")
        code, said, _ = fault(case, folder, "none")
        (case.base / "counts").unlink(missing_ok=True)
        if code != 0:
            self.problem(plan, f"the next run ends with exit code {code}: {said}")
        elif not case.is_as_expected(case.result(folder), self.expected):
            self.problem(plan, "the next run ends with other output")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--shim", type=pathlib.Path, required=True)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--calls", default=",".join(ERRORS))
    parser.add_argument("--families", default="transformer")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    given = parser.parse_args()
    failed = 0
    for name in given.cases or list(CASES):
        for family in given.families.split(",") if name == "train" else [""]:
            memory = "/dev/shm" if pathlib.Path("/dev/shm").is_dir() else None
            with tempfile.TemporaryDirectory(dir=memory) as place:
                base = pathlib.Path(place) / "base"
                base.mkdir()
                case = CASES[name](given.programs, base)
                case.shim, case.family = given.shim, family
                started = time.time()
                trials = Trials(case, given.sample, given.calls.split(","))
                trials.run()
                print(f"{name} {family}: {trials.trials} faults, {trials.refused} ended with an error, "
                      f"{len(trials.problems)} problems, {time.time() - started:.0f} s", flush=True)
                failed += len(trials.problems)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
