"""Threads, the end of Python, copies by pickle, and what a Translator and a Tokenizer show of themselves."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
import unittest

import ventris
from support import ModelTest
from ventris.settings import TranslatorSettings

SERVER = """
import sys, threading, time, ventris
translator = ventris.Translator(sys.argv[1])
lines = open(sys.argv[2]).read().splitlines() * 20
def work():
    while True:
        translator.translate(lines, beam_size=4)
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
print("ready", flush=True)
try:
    time.sleep({seconds})
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


class EndOfPython(ModelTest):
    def start(self, seconds):
        return subprocess.Popen(
            [sys.executable, "-c", SERVER.format(seconds=seconds), self.bundle, self.folder / "test.src"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def test_daemon_threads_that_translate_do_not_abort_it(self):
        for seconds in (0.1, 0.33, 0.5, 0.77, 1):
            with self.start(seconds) as process:
                out, error = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out, error), (0, "ready\n", ""))

    def test_ctrl_c_ends_a_server_with_threads(self):
        for _ in range(3):
            with self.start(60) as process:
                self.assertEqual(process.stdout.readline(), "ready\n")
                time.sleep(0.2)
                process.send_signal(signal.SIGINT)
                out, error = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out, error), (0, "stopped\n", ""))

    def test_a_call_after_the_end_began_is_an_error(self):
        program = (
            "import atexit, sys\n"
            "def late():\n"
            "    try:\n"
            "        translator.translate(['a'])\n"
            "    except RuntimeError as error:\n"
            "        print(error)\n"
            "atexit.register(late)\n"
            "import ventris\n"
            "translator = ventris.Translator(sys.argv[1])\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, self.bundle], capture_output=True, text=True, check=True, timeout=60
        )
        self.assertEqual((done.stdout, done.stderr), ("Python is about to end\n", ""))


def translated(translator, lines):
    return translator.translate(lines)


class Pickled(ModelTest):
    def test_a_copy_has_the_model_and_the_settings(self):
        translator = ventris.Translator(self.bundle, beam_size=2)
        copy = pickle.loads(pickle.dumps(translator))
        self.assertEqual(copy.settings, {**translator.settings, "model": os.path.abspath(self.bundle)})
        self.assertEqual(copy.translate(self.lines), translator.translate(self.lines))

    def test_a_path_is_found_from_another_folder(self):
        here = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, here)
        pickled = [pickle.dumps(one) for one in (ventris.Translator("bundle"), ventris.Tokenizer("bundle/source.spm"))]
        os.chdir("/")
        translator, tokenizer = map(pickle.loads, pickled)
        self.assertEqual(len(translator.translate(self.lines)), len(self.lines))
        self.assertEqual(tokenizer.encode("a"), ventris.Tokenizer(self.bundle / "source.spm").encode("a"))

    def test_processes_of_multiprocessing_translate(self):
        translator = ventris.Translator(self.bundle)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            found = pool.apply(translated, (translator, self.lines[:3]))
        self.assertEqual(found, translator.translate(self.lines[:3]))


class Shown(ModelTest):
    def test_a_translator_shows_its_model_and_settings(self):
        translator = ventris.Translator(str(self.bundle), beam_size=2, precision="int8")
        self.assertEqual(repr(translator), f"ventris.Translator('{self.bundle}', beam_size=2, precision='int8')")

    def test_a_tokenizer_shows_its_file(self):
        path = str(self.bundle / "source.spm")
        self.assertEqual(repr(ventris.Tokenizer(path)), f"ventris.Tokenizer('{path}')")

    def test_the_types_of_settings_are_those_of_all_settings(self):
        known = ventris.Translator(self.bundle).settings
        self.assertEqual(sorted([*TranslatorSettings.__annotations__, "model"]), sorted(known))


class WithoutNumPy(unittest.TestCase):
    def test_what_is_missing_is_said(self):
        program = (
            "import sys, ventris\n"
            "sys.modules['numpy'] = None\n"
            "try:\n"
            "    ventris.load_safetensors('none')\n"
            "except ImportError as error:\n"
            "    print(error)\n"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "load_safetensors needs NumPy, which is not installed: pip install numpy\n")


if __name__ == "__main__":
    unittest.main()
