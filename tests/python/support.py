"""What the tests of the Python package share: models, and the programs to compare with."""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import tarfile
import tempfile
import unittest
import zlib

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = os.environ.get("VENTRIS_PROGRAMS", "")
"""The folder of the programs of the same version; "" = the tests that compare with them are skipped."""
BACKEND = os.environ.get("VENTRIS_TEST_BACKEND", "")
"""libventris_backend.so of the same version; "" = the tests that need it are skipped."""

needs_programs = unittest.skipUnless(PROGRAMS, "VENTRIS_PROGRAMS is not set: no programs to compare with")
needs_backend = unittest.skipUnless(BACKEND, "VENTRIS_TEST_BACKEND is not set: no backend with LibTorch")


def program_of_page(page, phrase):
    """The program in Python with this phrase on a page of docs/."""
    blocks = (SOURCE / "docs" / page).read_text().split("```python\n")[1:]
    (found,) = (block.split("```")[0] for block in blocks if phrase in block.split("```")[0])
    return found


def flags_of(settings):
    """The flags of a program for settings of the Python package."""
    for name, value in settings.items():
        flag = "--" + name.replace("_", "-")
        yield from [flag] if value is True else [flag, str(value)]


class ModelTest(unittest.TestCase):
    """Has a small trained model, which writes the words of a line in reverse order, and lines for it."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        with tarfile.open(SOURCE / "tests/golden/version-0.1.tar.gz") as archive:
            if hasattr(tarfile, "data_filter"):  # since Python 3.11.4
                archive.extraction_filter = tarfile.data_filter
            archive.extractall(cls.folder)
        cls.bundle = cls.folder / "bundle"
        cls.export = cls.folder / "export.pt"
        cls.lines = (cls.folder / "test.src").read_text().splitlines()
        cls.expected = (cls.folder / "expected.tgt").read_text().splitlines()

    def program(self, name, *arguments, lines=None):
        """The standard output of a program; `lines` are its standard input."""
        text = "".join(f"{line}\n" for line in self.lines) if lines is None else lines
        done = subprocess.run(
            [f"{PROGRAMS}/{name}", "--quiet", *map(str, arguments)], input=text, capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def changed_bundle(self, name, **settings):
        """A bundle of the same tokenizer with these settings of the model, and weights from a formula."""
        folder = self.folder / name
        if folder.exists():
            return folder
        shutil.copytree(self.bundle, folder)
        config = json.loads((folder / "config.json").read_text())
        config["model"] |= settings
        (folder / "config.json").write_text(json.dumps(config))
        write_safetensors(folder / "model.safetensors", tensors_of(config["model"]))
        files = ["config.json", "model.safetensors", "source.spm"]
        rows = [f"{len(data)} {zlib.crc32(data):08x} {file}\n" for file in files for data in [(folder / file).read_bytes()]]
        (folder / "MANIFEST").write_text("".join(rows) + "END\n")
        return folder


def tensors_of(model):
    """(name, shape) of the parameters of a Transformer; each has its own weights, also with tied embeddings."""
    width, inner = model["d_model"], model["d_ff"]
    keys = model["heads"] * model["d_k"] if "d_k" in model else width  # and values
    bias = model.get("attention_bias", True)

    def linear(name, inside, outside, biased=True):
        yield f"{name}.weight", [outside, inside]
        if biased:
            yield f"{name}.bias", [outside]

    def norm(name):
        yield f"{name}.weight", [width]
        if model.get("norm_kind", "layer") == "layer":
            yield f"{name}.bias", [width]

    def attention(name):
        for i in range(3):
            yield from linear(f"{name}.linears.{i}", width, keys, bias)
        yield from linear(f"{name}.linears.3", keys, width, bias)

    for side, blocks in (("encoder", ["self_attn"]), ("decoder", ["self_attn", "src_attn"])):
        if model["positions"] == "relative_bias":
            yield f"{side}.relative_bias.weight", [model["relative_buckets"], model["heads"]]
        for number in range(model[f"{side}_layers"]):
            layer = f"{side}.layers.{number}"
            for block in blocks:
                yield from attention(f"{layer}.{block}")
            yield from linear(f"{layer}.feed_forward.w_1", width, inner)
            yield from linear(f"{layer}.feed_forward.w_2", inner, width)
            if model.get("gated_feed_forward"):
                yield from linear(f"{layer}.feed_forward.w_3", width, inner)
            for i in range(len(blocks) + 1):
                yield from norm(f"{layer}.sublayer.{i}.norm")
        if model["norm"] == "pre":
            yield from norm(f"{side}.norm")
    for side, vocab in (("src", "src_vocab"), ("tgt", "tgt_vocab")):
        yield f"{side}_embed.0.lut.weight", [model[vocab], width]
        if model["positions"] == "learned":
            yield f"{side}_embed.1.pe", [1, model["max_positions"], width]
        if model.get("embedding_norm"):
            yield from norm(f"{side}_embed.1.norm")
    yield from linear("generator.proj", width, model["tgt_vocab"])


def write_safetensors(path, tensors, kind="F32"):
    """Tensor i has the values of a wave."""
    header, data, count = {}, b"", 0
    for name, shape in tensors:
        size = 1
        for length in shape:
            size *= length
        values = [((count + i) * 7919 % 1000 / 500 - 1) * 0.4 for i in range(size)]
        count += size
        packed = struct.pack(f"<{size}f", *values)
        if kind == "BF16":
            packed = b"".join(packed[4 * i + 2 : 4 * i + 4] for i in range(size))
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(data), len(data) + len(packed)]}
        data += packed
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
