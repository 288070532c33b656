"""The commands of README.md and of docs/tutorial.md, run as they are printed: all blocks of sh and python, in order, in
one shell, in a copy of the folders that they use. The exit code of each must be 0, and each file that a flag -o names
must be there at the end.

This is changed, so that they take a minute instead of an hour:
- Commands that download, build or install are left out (LEFT_OUT); scripts/demo.sh runs with --no-setup.
- Lengths are shortened (SHORTER, SETTINGS, GRAMMAR): a run of 4 minutes has 50 updates, the corpora have some hundred
  lines. Multi30k is replaced by sentences of a few words.
- A free port is used, and the shell waits until a server answers there.

Usage: commands_test.py ROOT BUILD PAGE [PYTHON]
PYTHON has the package of BUILD. Without it, what needs the package is left out.
"""

import gzip
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

FOLDERS = ["configs", "data", "examples/python", "scripts"]
LEFT_OUT = r"git clone|cd ventris$|python3 -m venv|env/bin/pip|cmake |ctest "
OF_PYTHON = r"env/bin/python|ventris-serve |kill "  # the server and its end


def shorter_length(amount, unit):
    """Updates for a number of minutes or updates; never 0, which would be a run without an end."""
    return 10 + round(10 * amount if unit == "m" else amount / 200)


SHORTER = [
    (r"(?m)^scripts/demo\.sh\b", lambda found: "scripts/demo.sh --no-setup"),
    (r"--after ([0-9.]+)([mu])\b", lambda found: f"--after {shorter_length(float(found[1]), found[2])}u"),
    (r"--valid-freq \d+u", lambda found: "--valid-freq 5u"),
    (r"--train 20000\b", lambda found: "--train 400"),
]
SETTINGS = {"phrasebook": "40u", "multi30k": "10u"}
GRAMMAR = [("HELD_OUT = 500 ", "HELD_OUT = 40 "), ("default=26000", "default=1200")]
WAIT = "for i in $(seq 600); do (: < /dev/tcp/127.0.0.1/{port}) 2> /dev/null && break; sleep 0.1; done"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def replaced(path, old, new):
    text = path.read_text()
    assert old in text, f"{path} has no {old!r}; {__file__} shortens it"
    path.write_text(text.replace(old, new))


def without_numbers(text):
    return re.sub(r"\b(\d+ min )?[\d.,]+( s\b)?", "N", text)


def copy_tree(folder):
    """The folders of the repository that the commands use, with shorter runs and a smaller corpus."""
    for name in FOLDERS:
        made = shutil.ignore_patterns("*.en", "*.de", "__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=made)
    (folder / "build").mkdir()
    (folder / "build/release").symlink_to(BUILD)
    for name, after in SETTINGS.items():
        path = folder / f"configs/{name}.json"
        settings = json.loads(path.read_text())
        assert "after" in settings["training"], f"{path} has no training.after"
        settings["training"] |= {"after": after, "save_every": after, "report_every": "10u"}
        settings["validation"] |= {"every": "20u", "max_sentences": 10}
        path.write_text(json.dumps(settings))
    for old, new in GRAMMAR:
        replaced(folder / "data/phrasebook/generate.py", old, new)
    raw = folder / "multi30k/data/task1/raw"
    raw.mkdir(parents=True)
    for part, count in (("train", 300), ("val", 10), ("test_2016_flickr", 10)):
        for language, words in (("en", ("two dogs", "play")), ("de", ("zwei Hunde", "spielen"))):
            with gzip.open(raw / f"{part}.{language}.gz", "wt") as file:
                file.writelines(f"{words[0]} {words[1]} {part} {number}.\n" for number in range(count))
    if PYTHON:
        (folder / "env/bin").mkdir(parents=True)
        wrapper = folder / "env/bin/python"
        wrapper.write_text(f'#!/bin/sh\nPYTHONPATH={BUILD}/python exec {PYTHON} "$@"\n')
        wrapper.chmod(0o755)


def blocks(*languages):
    """(language, text) of the blocks in these languages; "" = what is shown, not typed."""
    found = re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", (ROOT / PAGE).read_text())
    return [block for block in found if block[0] in languages]


def runnable(language, text, port):
    text = text.replace("8000", str(port))
    if language == "python":
        return f"env/bin/python - <<'END_OF_BLOCK'\n{text}END_OF_BLOCK\n" if PYTHON else ""
    for pattern, shorter in SHORTER:
        text = re.sub(pattern, shorter, text)
    lines = []
    for line in text.splitlines():
        if re.match(LEFT_OUT, line) or (not PYTHON and re.match(OF_PYTHON, line)):
            continue
        lines.append(line)
        if line.endswith(" &"):
            lines.append(WAIT.format(port=port))
    return "\n".join(lines) + "\n"


class Commands(unittest.TestCase):
    def test_the_commands_of_the_page_run_as_they_are_printed(self):
        found, port = blocks("sh", "python"), free_port()
        self.assertGreater(len(found), 5)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            copy_tree(folder)
            script = "set -e\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n"
            for number, (language, text) in enumerate(found, 1):
                script += f"echo '== block {number} ({language})'\n" + runnable(language, text, port)
            (folder / "page.sh").write_text(script)
            done = subprocess.run(
                ["bash", "page.sh"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
            )
            self.assertEqual(done.returncode, 0, done.stdout[-6000:])
            outputs = set(re.findall(r" -o (\S+)", script))
            self.assertGreater(len(outputs), 2)
            for output in outputs:
                self.assertTrue((folder / output).exists(), f"{output}\n{done.stdout[-6000:]}")
            self.assertIn("BLEU|", done.stdout)
            if PAGE == "README.md":
                self.check_screen(done.stdout)

    def check_screen(self, output):
        """The end of the demo's screen, as the README shows it: the same lines, apart from numbers and translations."""
        _, screen = blocks("")[0]
        fixed = re.findall(r"(?m)^(?:==|Demo|  demo|README|\[).*", screen)
        self.assertGreater(len(fixed), 6)
        for line in fixed:
            self.assertIn(without_numbers(line), without_numbers(output))


if __name__ == "__main__":
    ROOT, BUILD, PAGE, PYTHON = (sys.argv[1:] + [""])[:4]
    ROOT, BUILD = pathlib.Path(ROOT).resolve(), pathlib.Path(BUILD).resolve()
    unittest.main(argv=sys.argv[:1])
