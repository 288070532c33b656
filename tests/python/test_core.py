"""The extension itself, with arguments that the modules in Python would not give it."""

import math
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from support import ModelTest

import ventris
from ventris import _core

NAME = b"mod\xff\xfeell"  # not UTF-8


class Lists(unittest.TestCase):
    def test_texts_need_as_many_of_everything(self):
        for lists in (
            (["a", "b"], ["x"], [], []),
            (["a"], ["x", "y"], [], []),
            (["a", "b"], [], [["x"]], []),
            (["a", "b"], [], [], [["x"], [], []]),
            ([], ["x"], [], []),
        ):
            with self.assertRaisesRegex(ValueError, "expected one for each text"):
                _core.Texts(*lists)
        _core.Texts(["a", "b"], ["x", ""], [["y"], []], [[], []])

    def test_lists_of_something_else_are_refused(self):
        for lists in (
            ([1], [], [], []),
            ([None], [], [], []),
            (["a"], [b"x"], [], []),
            (["a"], [], ["phrase"], []),
            (["a"], [], [[1]], []),
            (["a"], [], [], [None]),
            ("text", [], [], []),
            (None, [], [], []),
        ):
            with self.assertRaises(TypeError):
                _core.Texts(*lists)
        with self.assertRaises(ValueError):
            _core.Texts(["\ud800"], [], [], [])


class Metrics(unittest.TestCase):
    OPTIONS = ("13a", None, False, "exp", None, False, None, 1, 1)

    def functions(self):
        yield lambda lines, columns, *rest: _core.bleu(lines, columns, *self.OPTIONS[:6], *(rest or self.OPTIONS[6:]))
        yield lambda lines, columns, *rest: _core.chrf(lines, columns, _core.ChrfOptions(), *(rest or (None, 1, 1)))
        yield lambda lines, columns, *rest: _core.ter(lines, columns, _core.TerOptions(), *(rest or (None, 1, 1)))

    def test_each_hypothesis_needs_its_references(self):
        for score in self.functions():
            for lines, columns in (
                (["a", "b"], [["a"]]),
                (["a"], [["a", "b"]]),
                (["a"], [["a"], []]),
                (["a"], []),
                ([], []),
                ([], [[]]),
                ([], [["a"]]),
            ):
                with self.assertRaises(ValueError):
                    score(lines, columns)
            for lines, columns in (([1], [["a"]]), (["a"], ["a"]), (["a"], [None]), (["a"], [[None]]), ("a", [["a"]])):
                with self.assertRaises(TypeError):
                    score(lines, columns)
            self.assertEqual(score(["a"], [["a"]])[1], score(["a"], [["a"], ["b"]])[1])

    def test_numbers_have_limits(self):
        for score in self.functions():
            for samples in (0, 1, 1_000_001, 2**63, 2**64 - 1):
                with self.assertRaisesRegex(ValueError, "samples: expected a number from 2"):
                    score(["a"], [["a"]], samples, 1, 1)
            for threads in (-1, 1025, 2**31 - 1, -(2**31)):
                with self.assertRaisesRegex(ValueError, "threads: expected a number from 0 to 1024"):
                    score(["a"], [["a"]], None, 1, threads)
            for numbers in ((-1, 1, 1), (2**64, 1, 1), (None, -1, 1), (None, 2**64, 1), (None, 1, 2**31), (1.5, 1, 1)):
                with self.assertRaises(TypeError):
                    score(["a"], [["a"]], *numbers)
        for value in (math.nan, math.inf, -math.inf, -1.0):
            with self.assertRaisesRegex(ValueError, "smooth_value: expected a number of at least 0"):
                _core.bleu(["a"], [["a"]], "13a", None, False, "floor", value, False, None, 1, 1)
        for name, least in (("char_order", 0), ("word_order", 0), ("beta", 1)):
            for value in (least - 1, 101, 2**31 - 1, -(2**31)):
                options = _core.ChrfOptions()
                setattr(options, name, value)
                with self.assertRaisesRegex(ValueError, f"{name}: expected a number from {least} to 100"):
                    _core.chrf(["a"], [["a"]], options, None, 1, 1)
            for wrong in (2**31, -(2**31) - 1, math.nan, "1", None):
                with self.assertRaises(TypeError):
                    setattr(_core.ChrfOptions(), name, wrong)

    def test_null_is_no_list(self):
        for call in (_core.bleu, _core.chrf, _core.ter):
            with self.assertRaises(TypeError):
                call(None)


class Ids(ModelTest):
    def test_tokenizers_know_only_their_own(self):
        tokenizer = _core.Tokenizer(self.bundle / "source.spm")
        for wrong in (-1, 31, 2**31 - 1, -(2**31)):
            for call in (lambda number: tokenizer.decode([5, number]), tokenizer.piece):
                with self.assertRaises((ValueError, IndexError)):
                    call(wrong)
        for wrong in (2**31, 2**70, None, "1", math.nan):
            for call in (lambda number: tokenizer.decode([number]), tokenizer.piece):
                with self.assertRaises(TypeError):
                    call(wrong)

    def test_samples_need_a_finite_number(self):
        tokenizer = _core.Tokenizer(self.bundle / "source.spm")
        for alpha in (math.nan, math.inf, -math.inf, -0.1):
            with self.assertRaisesRegex(ValueError, "alpha: expected a number of at least 0"):
                tokenizer.sample("red house", alpha, 1)
        for alpha in (0.0, 1e-300, 1e300):
            self.assertEqual(tokenizer.decode(tokenizer.sample("red house", alpha, 1)), "red house")
        for seed in (-1, 2**64, 1.5, None):
            with self.assertRaises(TypeError):
                tokenizer.sample("red house", 0.1, seed)


class Objects(ModelTest):
    def test_those_that_were_not_made_are_refused(self):
        """In a process of its own, because it might crash."""
        program = (
            "from ventris import _core\n"
            "import warnings\n"
            "warnings.simplefilter('ignore')\n"
            "for kind in (_core.Texts, _core.Report, _core.OpenTranslator, _core.Tokenizer, _core.ChrfOptions):\n"
            "    empty = kind.__new__(kind)\n"
            "    for call in (lambda: empty.warnings(), lambda: empty.settings('{}'), lambda: len(empty),\n"
            "                 lambda: empty.beta, lambda: _core.OpenTranslator.translate(empty, empty, '{}', empty),\n"
            "                 lambda: _core.chrf(['a'], [['a']], empty, None, 1, 1)):\n"
            "        try:\n"
            "            call()\n"
            "        except (TypeError, AttributeError):\n"
            "            pass\n"
            "print('alive')\n"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, "alive\n"), done.stderr)

    def test_texts_are_used_up(self):
        opened = _core.OpenTranslator('{"model": "%s"}' % self.bundle)
        texts = _core.Texts(self.lines, [], [], [])
        report = _core.Report()
        self.assertEqual(opened.translate_texts(texts, '{"beam_size": 2}', report), self.expected)
        self.assertEqual(opened.translate_texts(texts, "{}", report), [])

    def test_settings_are_one_object(self):
        for text in ("[]", "1", '"x"', "", "{", '{"model": 1}', '{"model": {"bytes": "f"}}', '{"model": {"bytes": "zz"}}'):
            with self.assertRaises(ventris.Error):
                _core.OpenTranslator(text)


class Paths(ModelTest):
    """Any path that the operating system has, as str, bytes or os.PathLike."""

    def kinds(self, path):
        raw = os.fsencode(path)
        return raw, os.fsdecode(raw), pathlib.Path(os.fsdecode(raw))

    def copied_bundle(self):
        path = os.fsencode(self.folder) + b"/" + NAME
        if not os.path.exists(path):
            shutil.copytree(os.fsencode(self.bundle), path)
        return path

    def copied(self, name):
        path = self.copied_bundle() + b"-" + os.fsencode(name)
        shutil.copy(os.fsencode(self.bundle / name), path)
        return path

    def test_models(self):
        for path in self.kinds(self.copied_bundle()):
            translator = ventris.Translator(path)
            self.assertEqual(translator.translate(self.lines, beam_size=2), self.expected)
            self.assertEqual(os.fsencode(translator.settings["model"]), os.fsencode(path))
        for path in self.kinds(self.bundle):
            self.assertEqual(ventris.Translator(path).translate(self.lines, beam_size=2), self.expected)
        both = ventris.Translator([self.bundle, self.copied_bundle()])
        self.assertEqual(len(both.translate(self.lines)), len(self.lines))

    def test_terms_of_a_call(self):
        translator = ventris.Translator(self.bundle)
        results = []
        for name, word in ((b"\xff", "tree"), (b"\xfe", "red")):
            path = os.fsencode(self.folder) + b"/" + name
            with open(path, "w") as file:
                file.write(f"{self.lines[0].split()[0]}\t{word}\n")
            results += [translator.translate(self.lines[:1], terms=kind, beam_size=4) for kind in self.kinds(path)]
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[3], results[4])
        self.assertIn("tree", results[0][0].split())
        self.assertIn("red", results[3][0].split())

    def test_files(self):
        for path in self.kinds(self.copied("source.spm")):
            self.assertEqual(len(ventris.Tokenizer(path)), 31)
            score = ventris.evaluate.bleu(["a red house is here"], ["a red house is here"], tokenize="spm", spm_model=path)
            self.assertGreater(score.score, 0)
        for path in self.kinds(self.copied("model.safetensors")):
            self.assertGreater(len(_core.read_safetensors(path)[0]), 5)
        for path in self.kinds(self.copied_bundle()):
            self.assertIn("architecture", _core.read_bundle(path)[0])

    def test_errors_show_them(self):
        missing = os.fsdecode(os.fsencode(self.folder) + b"/no\xff")
        for call in (ventris.Translator, ventris.Tokenizer, _core.read_bundle, _core.read_safetensors):
            with self.assertRaisesRegex(ventris.Error, r"no\\xff"):
                call(missing)

    def test_null_characters_and_other_things_are_refused(self):
        for call in (ventris.Translator, ventris.Tokenizer, _core.read_bundle, _core.read_safetensors):
            for path in (f"{self.bundle}\0", os.fsencode(self.bundle) + b"\0x"):
                with self.assertRaises(ValueError):
                    call(path)
        for wrong in (1, None, 1.5, []):
            for call in (ventris.Tokenizer, _core.read_bundle, _core.read_safetensors):
                with self.assertRaises(TypeError):
                    call(wrong)


if __name__ == "__main__":
    unittest.main()
