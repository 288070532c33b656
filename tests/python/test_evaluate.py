import json
import unittest

from support import SOURCE, ModelTest, needs_programs

import ventris
from ventris import evaluate

HYPOTHESES = ["The cat sat on the mat .", "a man sleeps ", "zwei Hunde spielen", "Ein Mann, der schläft!"]
REFERENCES = ["The cat is on the mat .", "a man is sleeping", "zwei Hunde spielen\n", "ein Mann schläft!"]
OTHERS = ["There is a cat on the mat .", "a man sleeps", "Hunde spielen", "Ein Mann schläft."]


class Evaluates(unittest.TestCase):
    def test_what_is_right_and_what_is_not(self):
        for metric, best in ((evaluate.bleu, 100), (evaluate.chrf, 100), (evaluate.ter, 0)):
            self.assertAlmostEqual(metric(REFERENCES, REFERENCES).score, best)
            found = metric(HYPOTHESES, REFERENCES)
            self.assertTrue(0 < found.score < 100)
            self.assertEqual(len(found.sentences), 4)
            self.assertAlmostEqual(found.sentences[2], best)
            self.assertIsNone(found.confidence)

    def test_several_references_are_given_as_in_sacrebleu(self):
        one = evaluate.chrf(HYPOTHESES, REFERENCES)
        self.assertEqual(evaluate.chrf(HYPOTHESES, [REFERENCES]), one)
        both = evaluate.chrf(HYPOTHESES, [REFERENCES, OTHERS])
        self.assertGreater(both.score, one.score)
        self.assertIn("nrefs:2", both.signature)

    def test_counts(self):
        bleu = evaluate.bleu(["a b c d e"], ["a b c d f g"])
        self.assertEqual((bleu.counts, bleu.totals), ([4, 3, 2, 1], [5, 4, 3, 2]))
        self.assertEqual((bleu.sys_len, bleu.ref_len), (5, 6))
        ter = evaluate.ter(["a b c"], ["a x c d"])
        self.assertEqual((ter.num_edits, ter.ref_length, ter.score), (2, 4.0, 50.0))
        chrf = evaluate.chrf(HYPOTHESES, REFERENCES, word_order=2)
        self.assertEqual((chrf.name, chrf.word_order), ("chrF2++", 2))

    def test_mistakes(self):
        for error, text, call in (
            (ventris.DataError, r"references\[0\]: expected one for each hypothesis \(1\), got 2",
             lambda: evaluate.bleu(["a"], ["a", "b"])),
            (ventris.DataError, "hypotheses: expected at least one line", lambda: evaluate.ter([], [])),
            (TypeError, "hypotheses: expected a list of lines, got one str", lambda: evaluate.ter("a", ["a"])),
            (TypeError, "references.*: expected a list of lines, got one str", lambda: evaluate.ter(["a"], "a")),
            (TypeError, r"hypotheses\[1\]: expected a str, got int", lambda: evaluate.ter(["a", 2], ["a", "b"])),
            (ventris.ConfigError, "tokenize: expected one of 13a, .*, got '14b'",
             lambda: evaluate.bleu(["a"], ["a"], tokenize="14b")),
            (ventris.ConfigError, "^smooth_value", lambda: evaluate.bleu(["a"], ["a"], smooth_value=1.0)),
            (ventris.ConfigError, "^tokenize", lambda: evaluate.bleu(["a"], ["a"], tokenize="spm")),
            (ventris.ConfigError, "^char_order", lambda: evaluate.chrf(["a"], ["a"], char_order=0)),
            (ventris.ConfigError, "beta: expected a number from 1", lambda: evaluate.chrf(["a"], ["a"], beta=0)),
            (ventris.ConfigError, "threads", lambda: evaluate.ter(["a"], ["a"], threads=-1)),
            (ventris.ConfigError, "confidence_n", lambda: evaluate.ter(["a"], ["a"], confidence=True, confidence_n=1)),
        ):  # fmt: skip
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                call()


@needs_programs
class EqualsTheProgram(ModelTest):
    def check(self, metric, flags, **options):
        hypotheses, references = self.folder / "hyp", self.folder / "ref"
        hypotheses.write_text("".join(f"{line}\n" for line in HYPOTHESES))
        references.write_text("".join(f"{line.rstrip()}\n" for line in REFERENCES))
        arguments = [references, "-i", hypotheses, "-m", metric, *flags]
        found = getattr(evaluate, metric)(HYPOTHESES, REFERENCES, **options)
        self.assertEqual(f"{found}\n", self.program("ventris-evaluate", *arguments, "-f", "text"))
        exact = json.loads(self.program("ventris-evaluate", *arguments, "-w", "17"))
        self.assertEqual((exact["score"], exact["signature"]), (found.score, found.signature))
        if found.confidence is not None:
            self.assertEqual(exact["confidence_mean"], found.confidence.mean)
            return
        sentences = self.program("ventris-evaluate", *arguments, "--sentence-level", "-b", "-w", "6")
        self.assertEqual(sentences.split(), [f"{score:.6f}" for score in found.sentences])

    def test_bleu(self):
        self.check("bleu", [])
        self.check("bleu", ["--tokenize", "intl", "--lowercase"], tokenize="intl", lowercase=True)
        self.check("bleu", ["-s", "add-k", "--smooth-value", "2"], smooth_method="add-k", smooth_value=2.0)
        self.check("bleu", ["--confidence", "--confidence-n", "50", "--seed", "3"], confidence=True, confidence_n=50, seed=3)
        spm = SOURCE / "tests/parity/metrics.spm"
        self.check("bleu", ["--tokenize", "spm", "--spm-model", spm], tokenize="spm", spm_model=spm)

    def test_chrf(self):
        self.check("chrf", [])
        self.check("chrf", ["--chrf-word-order", "2", "--chrf-beta", "3"], word_order=2, beta=3)
        flags = ["--chrf-whitespace", "--chrf-lowercase", "--chrf-eps-smoothing", "--chrf-char-order", "4"]
        self.check("chrf", flags, whitespace=True, lowercase=True, eps_smoothing=True, char_order=4)

    def test_ter(self):
        self.check("ter", [])
        flags = ["--ter-normalized", "--ter-no-punct", "--ter-asian-support", "--ter-case-sensitive"]
        self.check("ter", flags, normalized=True, no_punct=True, asian_support=True, case_sensitive=True)


if __name__ == "__main__":
    unittest.main()
