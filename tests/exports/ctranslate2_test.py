"""Translates and scores with exports for CTranslate2, and compares with ventris-translate and ventris-score.

Usage: ctranslate2_test.py FOLDER_OF_PROGRAMS. Skips (exit code 77) where Python has no packages ctranslate2 and
sentencepiece.
"""

import os
import pathlib
import subprocess
import sys
import unittest

os.environ["VENTRIS_PROGRAMS"] = sys.argv.pop(1)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

from support import ModelTest, program_of_page

try:
    import ctranslate2
    import sentencepiece
except ImportError:
    ctranslate2 = None

LEAST_AGREEMENT = 0.98  # of greedy lines
LONGEST = 10  # tokens of a translation; that of ventris-translate with a factor of 0
NEVER = [["<pad>"], ["<unk>"], ["<s>"]]  # what Ventris never writes


class Exports(ModelTest):
    def opened(self, bundle):
        """The folder, and its model and tokenizers as CTranslate2 and SentencePiece load them."""
        folder = self.folder / f"{bundle.name}-ctranslate2"
        self.program("ventris-export", "-m", bundle, "--format", "ctranslate2", "-o", folder, lines="")
        tokenizers = [
            sentencepiece.SentencePieceProcessor(model_file=str(folder / name))
            for name in ("source.spm", "target.spm" if (folder / "target.spm").exists() else "source.spm")
        ]
        return ctranslate2.Translator(str(folder), device="cpu", intra_threads=1), *tokenizers

    def check(self, bundle):
        """Compares greedy translations, and the log-probabilities of the expected ones."""
        translator, source, target = self.opened(bundle)
        pieces = source.encode(self.lines, out_type=str)
        results = translator.translate_batch(
            pieces, beam_size=1, max_decoding_length=LONGEST, suppress_sequences=NEVER
        )
        theirs = [target.decode(result.hypotheses[0]) for result in results]
        ours = self.program(
            "ventris-translate", "-m", bundle, "-b", 1, "--max-length-factor", 0, "--precision", "f32"
        ).splitlines()
        same = sum(a == b for a, b in zip(ours, theirs, strict=True))
        self.assertGreaterEqual(same, LEAST_AGREEMENT * len(ours), f"{bundle.name}: {same} of {len(ours)}")
        self.check_scores(bundle, translator, pieces, target)
        return same

    def check_scores(self, bundle, translator, pieces, target):
        scored = translator.score_batch(pieces, target.encode(self.expected, out_type=str))
        source_file, target_file = self.folder / "lines.src", self.folder / "lines.tgt"
        source_file.write_text("".join(f"{line}\n" for line in self.lines))
        target_file.write_text("".join(f"{line}\n" for line in self.expected))
        ours = self.program("ventris-score", "-m", bundle, "--precision", "f32", source_file, target_file, lines="")
        for mine, score in zip(map(float, ours.splitlines()), scored, strict=True):
            self.assertAlmostEqual(mine, sum(score.log_probs), delta=2e-3, msg=bundle.name)

    def test_a_trained_model_translates_the_same(self):
        print(f"{self.check(self.bundle)} of {len(self.lines)} lines are the same")

    def test_every_setting_that_is_not_refused_computes_the_same(self):
        settings = {
            "tying": "none", "norm": "pre", "activation": "relu", "positions": "sinusoidal", "attention_bias": True,
            "embedding_norm": False,
        }
        for number, change in enumerate((
            {}, {"norm": "post"}, {"activation": "gelu"}, {"positions": "learned"}, {"attention_bias": False},
            {"embedding_norm": True}, {"embedding_norm": True, "norm": "post", "norm_epsilon": 0.1},
            {"encoder_layers": 1, "decoder_layers": 3}, {"tying": "all"}, {"norm_kind": "rms"}, {"activation": "silu"},
            {"gated_feed_forward": True, "activation": "gelu", "norm": "post"},
            {"gated_feed_forward": True, "activation": "silu", "norm_kind": "rms", "norm_epsilon": 0.1},
        )):
            self.check(self.changed_bundle(f"changed-{number}", **(settings | change)))

    def test_the_program_of_the_page_translates(self):
        self.opened(self.bundle)
        (self.folder / "ct2").symlink_to(f"{self.bundle.name}-ctranslate2")
        program = program_of_page("exports.md", "import ctranslate2").replace("A small house.", self.lines[0])
        done = subprocess.run([sys.executable, "-c", program], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, f"{[self.expected[0]]}\n", done.stderr)

    def test_int8_is_a_type_of_loading(self):
        self.opened(self.bundle)
        folder = self.folder / f"{self.bundle.name}-ctranslate2"
        translator = ctranslate2.Translator(str(folder), device="cpu", compute_type="int8")
        self.assertEqual(translator.compute_type, "int8_float32")


if __name__ == "__main__":
    if ctranslate2 is None:
        print("skipped: this Python has no packages ctranslate2 and sentencepiece (scripts/setup.sh --test-tools)")
        sys.exit(77)
    unittest.main()
