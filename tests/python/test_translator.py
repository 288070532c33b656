import concurrent.futures
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import unittest

from support import BACKEND, ModelTest, flags_of, needs_backend, needs_programs

import ventris


def moses(number, candidate, alignment=False):
    """A line of ventris-translate --format moses."""
    links = " ".join(f"{source}-{target}" for source, target in candidate.alignment)
    fields = [str(number), candidate.text, *([links] if alignment else [])]
    utility = "" if candidate.utility is None else f" MBR= {candidate.utility:.6f}"
    fields += [f"F0= {candidate.log_prob:.6f}{utility}", f"{candidate.score:.6f}"]
    return " ||| ".join(fields) + "\n"


class Translates(ModelTest):
    def test_the_lines_in_their_order(self):
        translator = ventris.Translator(self.bundle, threads=2, mini_batch=3)
        self.assertEqual(translator.translate(self.lines, beam_size=2), self.expected)
        self.assertEqual(translator.translate([]), [])
        self.assertEqual(translator.translate(["", "   "]), ["", ""])

    def test_numbers_and_bools_of_numpy_are_settings(self):
        import numpy as np

        settings = ventris.Translator(self.bundle, no_guards=np.True_, beam_size=np.int64(2)).settings
        self.assertEqual((settings["no_guards"], settings["beam_size"]), (True, 2))

    def test_settings_of_a_call_do_not_stay(self):
        translator = ventris.Translator(self.bundle)
        first = translator.translate_detailed(self.lines, beam_size=4, n_best=4)
        self.assertEqual([len(line.candidates) for line in first], [4] * len(self.lines))
        self.assertEqual([len(line.candidates) for line in translator.translate_detailed(self.lines)], [1] * len(first))
        self.assertEqual(translator.settings["beam_size"], 5)  # the model's own
        self.assertEqual(translator.settings["model"], str(self.bundle))
        self.assertNotIn("input", translator.settings)
        for size in range(1, 9):  # more variants than are kept
            translator.translate(self.lines[:1], beam_size=size)
        self.assertEqual(translator.translate_detailed(self.lines, beam_size=4, n_best=4)[0].text, first[0].text)

    def test_a_result_has_scores_tokens_and_links(self):
        translator = ventris.Translator(self.bundle, alignment=True)
        line = translator.translate_detailed(["red house"])[0]
        best = line.candidates[0]
        self.assertEqual((line.text, line.score, line.log_prob), (best.text, best.score, best.log_prob))
        self.assertEqual((line.tokens, line.alignment), (best.tokens, best.alignment))
        self.assertEqual(best.tokens[-1], "</s>")
        self.assertAlmostEqual(sum(best.token_log_probs), best.log_prob, places=5)
        self.assertEqual(len(best.alignment), len(best.text.split()))
        self.assertFalse(line.source_cut or best.truncated or best.repetitive)
        self.assertIsNone(best.utility)
        self.assertEqual(pickle.loads(pickle.dumps(line)), line)
        with self.assertRaises(AttributeError):
            line.seconds = 0
        utilities = ventris.Translator(self.bundle).translate_detailed(["red house"], mbr="chrf")
        self.assertIsNotNone(utilities[0].candidates[0].utility)

    def test_prefixes_begin_their_translations(self):
        translator = ventris.Translator(self.bundle)
        found = translator.translate(["red house", "red house", ""], prefixes=["blue", "", ""])
        self.assertTrue(found[0].startswith("blue"), found)
        self.assertEqual(found[1:], translator.translate(["red house", ""]))
        lazily = translator.translate_iter(["red house", "red house", ""], prefixes=["blue", "", ""], maxi_batch=2)
        self.assertEqual(list(lazily), found)
        for prefixes in (["blue"], ["blue", "", "", ""]):
            for way in (translator.translate, lambda *a, **k: list(translator.translate_iter(*a, maxi_batch=2, **k))):
                with self.assertRaisesRegex(ventris.DataError, r"prefixes: expected one for each line \("):
                    way(["red", "blue", "tree"], prefixes=prefixes)
        with self.assertRaisesRegex(ventris.DataError, "line 2: its prefix has .* tokens"):
            translator.translate(["red", "red"], prefixes=["", "red " * 500])

    def test_line_ends_are_not_part_of_a_line(self):
        translator = ventris.Translator(self.bundle)
        plain = translator.translate(["red house", "blue tree"])
        self.assertEqual(translator.translate(["red house\r\n", "blue\ntree\n"]), plain)
        with open(self.folder / "test.src") as file:
            self.assertEqual(list(translator.translate_iter(file, beam_size=2)), self.expected)

    def test_a_line_that_is_too_long_is_cut(self):
        translator = ventris.Translator(self.bundle, max_source_length=5)
        found = translator.translate_detailed(["red " * 20, "red"])
        self.assertEqual([line.source_cut for line in found], [True, False])

    def test_iterators_are_read_as_far_as_needed(self):
        read = []

        def lines():
            for line in self.lines:
                read.append(line)
                yield line

        translator = ventris.Translator(self.bundle, beam_size=2, maxi_batch=4)
        found = translator.translate_iter(lines())
        self.assertEqual(read, [])
        self.assertEqual(next(found), self.expected[0])
        self.assertEqual(len(read), 4)
        self.assertEqual([self.expected[0], *found], self.expected)
        detailed = translator.translate_detailed_iter(iter(self.lines), n_best=2)
        self.assertEqual([line.text for line in detailed], self.expected)

    def test_samples_depend_on_the_seed_and_the_number_of_the_line(self):
        translator = ventris.Translator(self.bundle, sampling=True, temperature=3.0, seed=7)
        lines = ["red house tree river"] * 12
        found = translator.translate(lines)
        self.assertGreater(len(set(found)), 1)
        self.assertEqual(translator.translate(lines), found)
        self.assertEqual(list(translator.translate_iter(lines, maxi_batch=5)), found)
        self.assertNotEqual(translator.translate(lines, seed=8), found)

    def test_what_is_not_unicode_is_pythons_own_error(self):
        with self.assertRaises(UnicodeEncodeError):
            ventris.Translator(self.bundle).translate(["\ud800"])
        self.assertIsInstance(ventris.Translator(self.bundle).translate(["\0 \u2028 é 漢"])[0], str)


class SaysWhatIsWrong(ModelTest):
    def expect(self, kind, text, **settings):
        with self.assertRaisesRegex(kind, text):
            ventris.Translator(self.bundle, **settings)

    def test_settings_are_checked_as_by_the_program(self):
        self.expect(ventris.ConfigError, r"beam_sise: unknown setting \(did you mean 'beam_size'\?\)", beam_sise=3)
        self.expect(ValueError, "beam_size", beam_size=0)
        self.expect(ventris.ConfigError, "beam_size", beam_size="4")
        self.expect(ventris.ConfigError, "precision", precision="int4")
        self.expect(ventris.ConfigError, "add --sampling", top_k=3)
        self.expect(ventris.ConfigError, "settings: .*JSON", temperature=float("nan"))
        self.expect(ventris.ConfigError, "settings: expected a bool, a number or a text, got object", seed=object())
        self.expect(ventris.ConfigError, "input: belongs to the files of ventris-translate", input="x")
        ventris.Translator(self.bundle, beam_size=None)

    def test_a_setting_of_the_model_cannot_change_with_a_call(self):
        translator = ventris.Translator(self.bundle)
        for name, value in {"precision": "int8", "allow_unk": True, "model": "other"}.items():
            with self.assertRaisesRegex(ventris.ConfigError, f"{name}: decides how the model is opened"):
                translator.translate(["red"], **{name: value})
        with self.assertRaisesRegex(ventris.ConfigError, "did you mean 'n_best'"):
            translator.translate(["red"], n_bst=2)
        self.assertEqual(len(translator.translate(["red"], precision="auto", threads=3)), 1)

    def test_lines_must_be_several_texts(self):
        translator = ventris.Translator(self.bundle)
        for way in (translator.translate, lambda lines: list(translator.translate_iter(lines))):
            with self.assertRaisesRegex(TypeError, "lines: expected several lines, got one str; put it into a list"):
                way("red house")
            with self.assertRaisesRegex(TypeError, r"lines\[1\]: expected a str, got int"):
                way(["red", 3])

    def test_a_model_that_is_not_there_or_damaged(self):
        with self.assertRaisesRegex(ventris.ModelError, "nothing"):
            ventris.Translator(self.folder / "nothing")
        with self.assertRaisesRegex(ventris.ConfigError, "the model is missing"):
            ventris.Translator("")
        broken = self.changed_bundle("broken")
        (broken / "model.safetensors").write_bytes(b"x")
        with self.assertRaisesRegex(ventris.Error, "model.safetensors"):
            ventris.Translator(broken)

    def test_a_model_that_needs_libtorch_says_so(self):
        environment = {key: value for key, value in os.environ.items() if key != "VENTRIS_BACKEND"}
        program = "import sys, ventris\ntry: ventris.Translator(*sys.argv[1:2], **eval(sys.argv[2]))\n"
        program += "except ventris.ConfigError as error: print(error)"
        for model, settings in ((self.export, {}), (self.bundle, {"backend": "torch"})):
            # Another interpreter: a search that fails is repeated, but one that succeeds would be remembered.
            done = subprocess.run(
                [sys.executable, "-c", program, model, repr(settings)], env=environment, capture_output=True, text=True
            )
            self.assertIn("the Python package contains no LibTorch: LibTorch is needed (", done.stdout, done.stderr)
            self.assertIn("VENTRIS_BACKEND must name libventris_backend.so", done.stdout)

    @needs_backend
    def test_the_backend_of_a_build_with_libtorch_can_be_named(self):
        program = "import sys, ventris\n"
        program += "print(*ventris.Translator(sys.argv[1]).translate(sys.stdin, beam_size=2), sep='\\n')"
        done = subprocess.run(
            [sys.executable, "-c", program, self.export], input="\n".join(self.lines), capture_output=True, text=True,
            env={**os.environ, "VENTRIS_BACKEND": BACKEND},
        )  # fmt: skip
        self.assertEqual(done.stdout.splitlines(), self.expected, done.stderr)


class Threads(ModelTest):
    def test_many_may_use_one_translator(self):
        translator = ventris.Translator(self.bundle, threads=2)
        expected = {size: translator.translate(self.lines, beam_size=size) for size in (1, 2, 3, 4, 5, 6)}
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            sizes = [1 + i % 6 for i in range(48)]
            found = pool.map(lambda size: translator.translate(self.lines, beam_size=size), sizes)
            for size, lines in zip(sizes, found, strict=True):
                self.assertEqual(lines, expected[size])

    def test_others_run_while_one_translates(self):
        translator = ventris.Translator(self.bundle)
        done = threading.Event()
        thread = threading.Thread(target=lambda: (translator.translate(self.lines * 500), done.set()))
        ticks, last, longest = 0, time.monotonic(), 0.0
        thread.start()
        while not done.is_set():
            time.sleep(0.001)
            now = time.monotonic()
            longest, last, ticks = max(longest, now - last), now, ticks + 1
        thread.join()
        self.assertGreater(ticks, 10)

    def interrupted(self, program):
        """What a program prints that gets Ctrl-C as soon as it says "ready"."""
        child = subprocess.Popen([sys.executable, "-u", "-c", program, self.bundle], stdout=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "ready\n")
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=120)
        self.assertEqual(child.returncode, 0)
        return out

    def test_ctrl_c_ends_a_long_translation(self):
        program = """if True:
            import signal, sys, ventris
            signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have turned it off
            translator = ventris.Translator(sys.argv[1], maxi_batch=100000, threads=2)
            before = signal.getsignal(signal.SIGINT)
            print("ready")
            try:
                translator.translate(["red house tree river small large"] * 1000000)
            except KeyboardInterrupt:
                print("interrupted", signal.getsignal(signal.SIGINT) is before)
            print(len(translator.translate(["red house"])))"""
        self.assertEqual(self.interrupted(program), "interrupted True\n1\n")

    def test_ctrl_c_does_not_stop_the_calls_of_other_threads(self):
        program = """if True:
            import signal, sys, threading, ventris
            signal.signal(signal.SIGINT, signal.default_int_handler)
            translator = ventris.Translator(sys.argv[1], threads=2)
            lines = ["red house tree river small large"] * 20000
            counts = []
            thread = threading.Thread(target=lambda: counts.append(len(translator.translate(lines))))
            thread.start()
            print("ready")
            try:
                translator.translate(lines * 100)
            except KeyboardInterrupt:
                print("interrupted")
            thread.join()
            print(*counts)"""
        self.assertEqual(self.interrupted(program), "interrupted\n20000\n")

    def test_a_handler_that_raises_nothing_stops_nothing(self):
        # It translates until the signal has come. A program that ends earlier could be killed by it.
        program = """if True:
            import signal, sys, ventris
            handled, counts = [], set()
            signal.signal(signal.SIGINT, lambda *_: handled.append(True))
            translator = ventris.Translator(sys.argv[1])
            print("ready")
            while not handled:
                counts.add(len(translator.translate(["red house tree river small large"] * 20000)))
            print(*counts)"""
        self.assertEqual(self.interrupted(program), "20000\n")


@needs_programs
class EqualsTheProgram(ModelTest):
    def test_texts(self):
        for settings in ({}, {"beam_size": 1}, {"normalize": 0.6, "precision": "int8"}, {"precision": "bf16"},
                         {"sampling": True, "temperature": 2.0, "seed": 5}, {"no_repeat_ngram": 2},
                         {"mbr": "bleu"}, {"max_length_factor": 0.1}, {"threads": 2, "mini_batch": 2}):  # fmt: skip
            with self.subTest(**settings):
                expected = self.program("ventris-translate", "-m", self.bundle, *flags_of(settings))
                found = ventris.Translator(self.bundle, **settings).translate(self.lines)
                self.assertEqual("".join(f"{line}\n" for line in found), expected)

    def test_lists_of_candidates(self):
        for settings in ({"n_best": 4, "beam_size": 4}, {"n_best": 3, "alignment": True},
                         {"n_best": 5, "sampling": True, "seed": 3, "top_k": 9}, {"n_best": 2, "mbr": "chrf"},
                         {"n_best": 3, "alignment": True, "alignment_head": 2, "coverage_penalty": 0.3}):  # fmt: skip
            with self.subTest(**settings):
                expected = self.program("ventris-translate", "-m", self.bundle, *flags_of(settings))
                translator = ventris.Translator(self.bundle)
                found = translator.translate_detailed_iter(self.lines, maxi_batch=7, **settings)
                lines = [
                    moses(number, candidate, "alignment" in settings)
                    for number, line in enumerate(found)
                    for candidate in line.candidates
                ]
                self.assertEqual("".join(lines), expected)

    def test_tokens_and_their_scores(self):
        expected = self.program("ventris-translate", "-m", self.bundle, "--format", "jsonl", "--word-scores", "--alignment")
        translations = ventris.Translator(self.bundle, alignment=True).translate_detailed(self.lines)
        for text, found in zip(expected.splitlines(), translations, strict=True):
            line, best = json.loads(text), found.candidates[0]
            self.assertEqual((line["translation"], line["pieces"]), (best.text, best.tokens))
            self.assertEqual(line["token_scores"], [round(score, 6) for score in best.token_log_probs])
            self.assertEqual(line["alignment"], " ".join(f"{a}-{b}" for a, b in best.alignment))
            self.assertEqual((line["truncated"], line["repetition"]), (best.truncated, best.repetitive))

    def test_settings(self):
        dumped = json.loads(self.program("ventris-translate", "-m", self.bundle, "--dump-config"))
        settings = ventris.Translator(self.bundle).settings
        self.assertEqual(settings, {key: dumped[key] for key in settings})


if __name__ == "__main__":
    unittest.main()
