import importlib.util
import pathlib
import struct
import subprocess
import sys
import unittest

from support import ModelTest, needs_programs, tensors_of, write_safetensors

import ventris

has_numpy = importlib.util.find_spec("numpy") is not None
has_torch = importlib.util.find_spec("torch") is not None
PACKAGE = pathlib.Path(ventris.__file__).parent


class Tokenizer(ModelTest):
    def test_text_becomes_ids_and_text_again(self):
        tokenizer = ventris.Tokenizer(self.bundle / "source.spm")
        ids = tokenizer.encode("red house")
        self.assertEqual(tokenizer.decode(ids), "red house")
        self.assertEqual(tokenizer.pieces("red house"), [tokenizer.piece(number) for number in ids])
        self.assertEqual(len(tokenizer), 31)
        self.assertEqual(tokenizer.piece(0), "<pad>")
        self.assertEqual(tokenizer.encode(""), [])
        self.assertEqual(tokenizer.decode(iter(ids)), "red house")
        sampled = {tuple(tokenizer.sample("red house", 0.1, seed)) for seed in range(20)}
        self.assertGreater(len(sampled), 1)
        self.assertEqual({tokenizer.decode(list(ids)) for ids in sampled}, {"red house"})

    def test_mistakes(self):
        tokenizer = ventris.Tokenizer(self.bundle / "source.spm")
        for wrong in (31, -1, 2**40):
            with self.assertRaisesRegex(ValueError, f"id: expected a number from 0 to 30, got {wrong}"):
                tokenizer.decode([wrong])
            with self.assertRaisesRegex(ValueError, "id: expected"):
                tokenizer.piece(wrong)
        with self.assertRaises(ventris.ModelError):
            ventris.Tokenizer(self.bundle / "config.json")
        with self.assertRaises(ventris.Error):
            ventris.Tokenizer(self.folder / "nothing")


@unittest.skipUnless(has_numpy, "NumPy is not installed")
class Safetensors(ModelTest):
    def test_tensors_are_arrays_with_all_their_names(self):
        arrays = ventris.load_safetensors(self.bundle / "model.safetensors")
        self.assertEqual(arrays["src_embed.0.lut.weight"].shape, (31, 16))
        self.assertIs(arrays["generator.proj.weight"], arrays["src_embed.0.lut.weight"])  # tied
        arrays["generator.proj.bias"] += 1  # it can be changed

    def test_types(self):
        import numpy as np

        path = self.folder / "types.safetensors"
        for kind, expected in (("F32", np.float32), ("BF16", np.float32)):
            write_safetensors(path, [("a", [3, 4]), ("none", [0, 2])], kind)
            arrays = ventris.load_safetensors(path)
            self.assertEqual((arrays["a"].dtype, arrays["a"].shape), (expected, (3, 4)))
            self.assertEqual(arrays["none"].shape, (0, 2))
            self.assertAlmostEqual(arrays["a"][0, 1], (7919 % 1000 / 500 - 1) * 0.4, places=2 if kind == "BF16" else 6)
        header = b'{"h":{"dtype":"F16","shape":[2],"data_offsets":[0,4]},"i":{"dtype":"I64","shape":[],"data_offsets":[4,12]}}'
        header += b" " * (-len(header) % 8)
        path.write_bytes(struct.pack("<Q", len(header)) + header + struct.pack("<eeq", 0.5, -2, -3))
        arrays = ventris.load_safetensors(path)
        self.assertEqual((arrays["h"].tolist(), arrays["i"].item()), ([0.5, -2.0], -3))
        header = b'{"b":{"dtype":"I8","shape":[4],"data_offsets":[0,4]},"w":{"dtype":"I32","shape":[1],"data_offsets":[4,8]}}'
        header += b" " * (-len(header) % 8)
        path.write_bytes(struct.pack("<Q", len(header)) + header + struct.pack("<bbbbi", 1, -2, 3, -4, -70000))
        arrays = ventris.load_safetensors(path)
        self.assertEqual((arrays["b"].tolist(), arrays["w"].tolist()), ([1, -2, 3, -4], [-70000]))

    def test_a_damaged_file_is_refused(self):
        path = self.folder / "damaged.safetensors"
        path.write_bytes((self.bundle / "model.safetensors").read_bytes()[:-1])
        with self.assertRaisesRegex(ventris.ModelError, "damaged.safetensors"):
            ventris.load_safetensors(path)


@unittest.skipUnless(has_torch, "PyTorch is not installed")
class AnnotatedTransformer(ModelTest):
    CASES = {
        "tied": None,
        "post": dict(norm="post", activation="gelu", positions="learned", tying="none"),
        "odd": dict(tying="none", encoder_layers=2, decoder_layers=2, d_k=6, d_v=6, attention_bias=False,
                    embedding_norm=True, norm_epsilon=0.01),
        "rotary": dict(norm_kind="rms", activation="silu", gated_feed_forward=True, positions="rotary", tying="none"),
        "halves": dict(positions="sinusoidal_halves", norm="post", tying="none"),
        "buckets": dict(positions="relative_bias", relative_buckets=8, relative_max_distance=6, tying="none"),
        "gated post": dict(norm="post", norm_kind="rms", activation="gelu", gated_feed_forward=True, tying="none"),
    }  # fmt: skip

    def bundle_of(self, name):
        settings = self.CASES[name]
        return self.bundle if settings is None else self.changed_bundle(name, **settings)

    def test_names_are_those_of_the_annotated_transformer(self):
        import ventris.torch

        for name, settings in self.CASES.items():
            model = ventris.torch.annotated_transformer(self.bundle_of(name))
            fixed = {"src_embed.1.pe", "tgt_embed.1.pe"} | {name for name, _ in model.named_buffers()}
            names = set(model.state_dict()) - fixed
            base = dict(d_model=16, d_ff=32, heads=2, encoder_layers=1, decoder_layers=1, norm="pre", positions="sinusoidal",
                        max_positions=64, src_vocab=31, tgt_vocab=31)  # fmt: skip
            expected = {key for key, _ in tensors_of(base | (settings or {}))}
            self.assertEqual(names, expected - fixed)
            self.assertFalse(model.training)

    @needs_programs
    def test_it_computes_what_ventris_computes(self):
        import torch

        import ventris.torch

        for name in self.CASES:
            bundle = self.bundle_of(name)
            model = ventris.torch.annotated_transformer(bundle)
            tokenizer = ventris.Tokenizer(bundle / "source.spm")
            pairs = list(zip(self.lines, reversed(self.lines), strict=True))
            file = self.folder / "pairs.tsv"
            file.write_text("".join(f"{source}\t{target}\n" for source, target in pairs))
            expected = self.program("ventris-score", "-m", bundle, "--tsv", file, "--word-scores", "--backend", "torch")
            rows = [[float(word) for word in line.split("WordScores=")[1].split()] for line in expected.splitlines()]
            for (source, target), scores in zip(pairs, rows, strict=True):
                src = torch.tensor([[*tokenizer.encode(source), model.eos]])
                out = torch.tensor([[*tokenizer.encode(target), model.eos]])
                tgt = torch.cat([torch.tensor([[model.bos]]), out[:, :-1]], 1)
                with torch.no_grad():
                    log_probs = model(src, tgt, model.source_mask(src), model.target_mask(tgt))
                found = log_probs[0].gather(1, out[0].unsqueeze(1)).squeeze(1)
                torch.testing.assert_close(found, torch.tensor(scores), atol=1e-5, rtol=0)

    def test_an_unknown_name_is_not_taken_for_the_default(self):
        import ventris.torch

        options = dict(d_model=8, d_ff=8, dropout=0, gated_feed_forward=False, max_positions=4, embedding_norm=False,
                       activation="tanh", norm_kind="batch", norm="pre", norm_epsilon=1e-5, positions="relative")  # fmt: skip
        with self.assertRaisesRegex(KeyError, "tanh"):
            ventris.torch.PositionwiseFeedForward(options)
        with self.assertRaisesRegex(KeyError, "batch"):
            ventris.torch.SublayerConnection(options)
        with self.assertRaisesRegex(ValueError, "relative"):
            ventris.torch.PositionalEncoding(options)

    def test_padding_changes_nothing(self):
        import torch

        import ventris.torch

        model = ventris.torch.annotated_transformer(self.bundle)
        src, tgt = torch.tensor([[5, 6, 3], [7, 3, 0]]), torch.tensor([[2, 9, 8], [2, 6, 0]])
        both = model(src, tgt, model.source_mask(src), model.target_mask(tgt))
        src, tgt = src[1:, :2], tgt[1:, :2]
        alone = model(src, tgt, model.source_mask(src), model.target_mask(tgt))
        torch.testing.assert_close(both[1:, :2], alone, atol=1e-5, rtol=0)
        with self.assertRaisesRegex(ValueError, r"at most 64 tokens \(max_positions\), got 65"):
            model.encode(torch.ones(1, 65, dtype=torch.long), torch.ones(1, 1, 65, dtype=torch.bool))

    def test_tensors_keep_their_types(self):
        import torch

        import ventris.torch

        path = self.folder / "half.safetensors"
        write_safetensors(path, [("a", [3, 4]), ("none", [0, 2])], "BF16")
        tensors = ventris.torch.load_safetensors(path)
        self.assertEqual((tensors["a"].dtype, tuple(tensors["none"].shape)), (torch.bfloat16, (0, 2)))

    def test_other_models_are_refused(self):
        import ventris.torch

        linear = self.changed_bundle("linear", tying="none", self_attention="linear")
        with self.assertRaisesRegex(ventris.ConfigError, "model.self_attention: .* has only 'full', got 'linear'"):
            ventris.torch.annotated_transformer(linear)
        with self.assertRaises(ventris.ModelError):
            ventris.torch.annotated_transformer(self.export)


class Package(unittest.TestCase):
    def test_is_typed(self):
        self.assertTrue((PACKAGE / "py.typed").exists())
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not installed")
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "/dev/null"]
        done = subprocess.run([*command, PACKAGE], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_stubs_name_what_the_extension_has(self):
        import ast

        import ventris._core

        tree = ast.parse((PACKAGE / "_core.pyi").read_text())
        classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        found = {name for name in dir(ventris._core) if not name.startswith("_")}
        self.assertEqual(found, functions | set(classes))
        for name, node in classes.items():
            members = {
                part.name if isinstance(part, ast.FunctionDef) else part.target.id
                for part in node.body
                if isinstance(part, (ast.FunctionDef, ast.AnnAssign))
            }
            self.assertEqual(members, {key for key in vars(getattr(ventris._core, name)) if key in members or key[0] != "_"})

    def test_importing_it_needs_neither_numpy_nor_torch(self):
        program = "import sys, ventris; print(sorted({'numpy', 'torch'} & set(sys.modules)))"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "[]\n")

    def test_every_public_name_is_documented(self):
        for name in ventris.__all__:
            if name != "__version__":
                self.assertTrue(getattr(ventris, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
