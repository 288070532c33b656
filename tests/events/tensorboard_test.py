"""Reads event files of a training run, killed and gone on with, with TensorBoard's own reader.

Usage: tensorboard_test.py VENTRIS_TRAIN. Skips (exit code 77) where Python has no package tensorboard.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
except ImportError:
    EventAccumulator = None

SETTINGS = {
    "model": {"d_model": 16, "d_ff": 16, "heads": 2, "encoder_layers": 1, "decoder_layers": 1, "max_positions": 64},
    "data": {"max_length": 60},
    "tokenizer": {"vocab_size": 40},
    "training": {"batch_tokens": 128, "save_every": "10u", "report_every": "5u",
                 "schedule": {"learning_rate": 0.005, "warmup_updates": 20}},
    "validation": {"every": "10u", "beam_size": 1},
    "decoding": {"beam_size": 1},
}


class EventFiles(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ventris-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        words = "red blue green small large house tree river runs sings".split()
        lines = [" ".join(words[(i * 7 + j * 3) % 10] for j in range(1 + i % 5)) for i in range(60)]
        for name in ("train", "valid"):
            (self.folder / f"{name}.src").write_text("\n".join(lines) + "\n")
            (self.folder / f"{name}.tgt").write_text("\n".join(line[::-1] for line in lines) + "\n")
        (self.folder / "settings.json").write_text(json.dumps(SETTINGS))
        self.run_folder = self.folder / "run"

    def train(self, length):
        path = lambda name: str(self.folder / name)
        subprocess.run([TRAINER, "-c", path("settings.json"), "--train", path("train.src"), path("train.tgt"),
                        "--valid", path("valid.src"), path("valid.tgt"), "-m", str(self.run_folder),
                        "--after", length, "--quiet"], check=True)

    def scalars(self):
        reader = EventAccumulator(str(self.run_folder), size_guidance={"scalars": 0})
        reader.Reload()
        return {tag: reader.Scalars(tag) for tag in reader.Tags()["scalars"]}

    def logged(self, kind):
        lines = map(json.loads, (self.run_folder / "metrics.jsonl").read_text().splitlines())
        return [line for line in lines if line["kind"] == kind]

    def expect_as_logged(self):
        found = self.scalars()
        self.assertEqual(set(found), {"train/loss", "train/nll", "train/ppl", "train/lr", "train/gnorm",
                                      "train/tokens_per_s", "valid/loss", "valid/nll", "valid/ppl", "valid/bleu",
                                      "valid/chrf"})
        for tag, kind, key in (("train/loss", "train", "loss"), ("train/lr", "train", "learning_rate"),
                               ("train/gnorm", "train", "gradient_norm"),
                               ("train/tokens_per_s", "train", "target_tokens_per_second"),
                               ("valid/ppl", "valid", "perplexity"), ("valid/bleu", "valid", "bleu")):
            expected = self.logged(kind)
            self.assertEqual([event.step for event in found[tag]], [line["updates"] for line in expected], tag)
            for event, line in zip(found[tag], expected):
                self.assertAlmostEqual(event.value, line[key], delta=1e-5 * max(1.0, abs(line[key])), msg=tag)

    def test_a_run_that_goes_on_has_every_step_once_and_in_order(self):
        self.train("20u")
        self.expect_as_logged()
        self.train("35u")
        self.assertEqual(len(list(self.run_folder.glob("*tfevents*"))), 2)
        self.expect_as_logged()

    def test_what_a_killed_start_wrote_past_its_checkpoint_is_forgotten(self):
        self.train("10u")
        kept = self.folder / "kept"
        shutil.copytree(self.run_folder, kept, symlinks=True)
        self.train("30u")
        for events in self.run_folder.glob("*tfevents*"):  # as if it had been killed before the next checkpoint
            shutil.copy2(events, kept)
        shutil.rmtree(self.run_folder)
        os.rename(kept, self.run_folder)
        self.train("25u")
        self.assertEqual(len(list(self.run_folder.glob("*tfevents*"))), 3)
        self.expect_as_logged()

    def test_every_record_can_be_read(self):
        self.train("10u")
        (path,) = self.run_folder.glob("*tfevents*")
        events = list(EventFileLoader(str(path)).Load())
        self.assertEqual(events[0].file_version, "brain.Event:2")
        self.assertEqual([event.step for event in events[2:]], [5, 10, 10])


if __name__ == "__main__":
    TRAINER = sys.argv.pop(1)
    if EventAccumulator is None:
        print("skipped: this Python has no package tensorboard, whose reader is asked here")
        sys.exit(77)
    unittest.main()
