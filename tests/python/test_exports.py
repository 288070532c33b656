"""Exports in the programs of others."""

import importlib.util
import json
import re
import subprocess
import sys
import unittest

from support import SOURCE, ModelTest, needs_programs, program_of_page

has_torch = importlib.util.find_spec("torch") is not None
has_sentencepiece = importlib.util.find_spec("sentencepiece") is not None


def annotated_transformer(options):
    """The Annotated Transformer: its layer norm, biases everywhere, no tied weights, 5,000 positions."""
    import torch
    from torch import nn

    import ventris.torch

    class LayerNorm(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.a_2, self.b_2 = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))

        def forward(self, x):
            mean, deviation = x.mean(-1, keepdim=True), x.std(-1, keepdim=True)  # unbiased
            return self.a_2 * (x - mean) / (deviation + 1e-6) + self.b_2

    model = ventris.torch.EncoderDecoder(options | {"tying": "none", "attention_bias": True, "max_positions": 5000})
    for module in list(model.modules()):
        for name, child in module.named_children():
            if isinstance(child, nn.LayerNorm):
                setattr(module, name, LayerNorm(options["d_model"]))
    return model.eval()


@needs_programs
@unittest.skipUnless(has_torch, "PyTorch is not installed")
class AnnotatedTransformer(ModelTest):
    def exported(self, bundle, kind):
        path = self.folder / f"{bundle.name}.{kind}"
        self.program("ventris-export", "-m", bundle, "--format", kind, "-o", path, lines="")
        return path

    def largest_difference(self, bundle, state):
        """Of log-probabilities, between The Annotated Transformer with these weights and the bundle."""
        import torch

        import ventris.torch
        from ventris import _core

        expected = ventris.torch.annotated_transformer(bundle)
        model = annotated_transformer(json.loads(_core.read_bundle(str(bundle))[0])["model"])
        model.load_state_dict(state)  # strict: every name, and no others
        tokenizer, largest = ventris.Tokenizer(bundle / "source.spm"), 0
        for source, target in zip(self.lines, reversed(self.lines), strict=True):
            src = torch.tensor([[*tokenizer.encode(source), expected.eos]])
            tgt = torch.tensor([[expected.bos, *tokenizer.encode(target)]])
            masks = expected.source_mask(src), expected.target_mask(tgt)
            with torch.no_grad():
                difference = model(src, tgt, *masks) - expected(src, tgt, *masks)
            largest = max(largest, difference.abs().max().item())
        return largest

    def test_a_trained_model_computes_nearly_the_same(self):
        import torch

        path = self.exported(self.bundle, "pytorch")
        state = torch.load(path, weights_only=True)
        self.assertLess(self.largest_difference(self.bundle, state), 1e-3)
        # Tied weights share their storage, and each of them starts at a multiple of 64 bytes.
        pointers = {state[name].data_ptr() for name in
                    ("src_embed.0.lut.weight", "tgt_embed.0.lut.weight", "generator.proj.weight")}  # fmt: skip
        self.assertEqual(len(pointers), 1)
        mapped = torch.load(path, weights_only=True, mmap=True)
        self.assertTrue(all(torch.equal(mapped[name], tensor) for name, tensor in state.items()))
        # The weights of the layer norms without the ratio of the two deviations.
        width = state["encoder.norm.a_2"].shape[0]
        plain = {name: value * ((width - 1) / width) ** 0.5 if name.endswith("a_2") else value
                 for name, value in state.items()}  # fmt: skip
        self.assertGreater(self.largest_difference(self.bundle, plain), 0.05)

    def test_both_formats_have_the_same_tensors(self):
        import torch

        import ventris.torch

        bundle = self.changed_bundle("plain", tying="none", attention_bias=False, positions="sinusoidal")
        state = torch.load(self.exported(bundle, "pytorch"), weights_only=True)
        stored = ventris.torch.load_safetensors(self.exported(bundle, "safetensors"))
        self.assertEqual(set(state), set(stored))
        self.assertTrue(all(torch.equal(state[name], stored[name]) for name in state))
        self.assertLess(self.largest_difference(bundle, state), 1e-2)


class TorchScript(ModelTest):
    @unittest.skipUnless(has_torch and has_sentencepiece, "PyTorch or SentencePiece is not installed")
    @needs_programs
    def test_the_program_of_the_page_translates(self):
        self.program("ventris-export", "-m", self.bundle, "-o", self.folder / "model.pt", lines="")
        program = program_of_page("exports.md", "torch.jit.load").replace("A small house.", self.lines[0])
        done = subprocess.run([sys.executable, "-c", program], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))  # no warnings, either
        text, searched, score = done.stdout.splitlines()
        self.assertEqual(text, self.program("ventris-translate", "-m", self.bundle, "-b", 1).splitlines()[0])
        options = ("-b", 5, "-n", 1, "--format", "jsonl")
        best = json.loads(self.program("ventris-translate", "-m", self.bundle, *options).splitlines()[0])
        self.assertEqual(searched.rsplit(" ", 1)[0], best["translation"])
        self.assertAlmostEqual(float(searched.rsplit(" ", 1)[1]), best["score"], places=4)
        pairs = self.program("ventris-score", "-m", self.bundle, lines=f"{self.lines[0]}\t{text}\n")
        self.assertAlmostEqual(float(score), float(pairs), places=3)

    @unittest.skipUnless(has_torch, "PyTorch is not installed")
    @needs_programs
    def test_a_file_that_was_trained_further_and_saved_translates(self):
        import torch

        path, changed = self.folder / "model.pt", self.folder / "changed.pt"
        self.program("ventris-export", "-m", self.bundle, "-o", path, lines="")
        extra = {name: "" for name in ("config.json", "source.spm", "target.spm", "tensors.json")}
        model = torch.jit.load(path, _extra_files=extra).train()
        for parameter in model.parameters():
            parameter.requires_grad_()
        src, tgt = torch.tensor([[5, 6, 3]]), torch.tensor([[2, 8, 9]])
        hidden = model(src, tgt, (src != 0).unsqueeze(1), torch.ones(1, 3, 3, dtype=torch.bool).tril())
        model.generator(hidden)[0, :, 5].sum().backward()
        self.assertTrue(all(parameter.grad is not None for parameter in model.parameters()))
        distinct = {parameter.data_ptr(): parameter for parameter in model.parameters()}.values()
        torch.optim.SGD(distinct, 0.05).step()
        torch.jit.save(model.eval(), changed, _extra_files={name: data for name, data in extra.items() if data})
        before, after = (self.program("ventris-translate", "-m", model, "-b", 1) for model in (path, changed))
        self.assertNotEqual(before, after)
        # Without the extra files
        again, later = self.folder / "again.pt", self.folder / "later.pt"
        torch.jit.save(torch.jit.load(changed), again)
        torch.jit.save(torch.jit.load(again).to(torch.float64).to(torch.float32), later)
        for path in (again, later):
            self.assertEqual(self.program("ventris-translate", "-m", path, "-b", 1), after)
            self.assertIn("TorchScript", self.program("ventris-inspect", path))

    @unittest.skipUnless(has_torch, "PyTorch is not installed")
    @needs_programs
    def test_the_model_has_its_files_but_not_as_parameters(self):
        import torch

        path = self.folder / "model.pt"
        self.program("ventris-export", "-m", self.bundle, "-o", path, lines="")
        extra = {name: "" for name in ("config.json", "source.spm", "tensors.json")}
        model = torch.jit.load(path, _extra_files=extra)
        found = {name: bytes(content.tolist()) for name, content in model.extra_files.items()}
        self.assertEqual(found, extra)
        self.assertEqual(found["source.spm"], (self.bundle / "source.spm").read_bytes())
        self.assertEqual(set(model.state_dict()), set(torch.jit.load(self.export).state_dict()))

    @unittest.skipUnless(has_torch, "PyTorch is not installed")
    def test_the_warning_of_pytorch_is_hidden_as_the_page_says(self):
        page = (SOURCE / "docs/exports.md").read_text()
        (line,) = (part for part in re.findall(r"`(warnings\.filterwarnings\(.*?\))`", page))
        program = f"import sys, torch, warnings\nwarnings.simplefilter('error')\n{line}\ntorch.jit.load(sys.argv[1])"
        done = subprocess.run([sys.executable, "-c", program, self.export], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    @unittest.skipUnless(has_torch, "PyTorch is not installed")
    def test_the_program_of_the_page_makes_an_exported_program(self):
        program = program_of_page("exports.md", "torch.export.export").replace("run/best", str(self.bundle))
        program += """
vocab = log_probs.shape[2]
for batch, src_len, tgt_len in ((1, 1, 1), (1, 7, 2), (3, 9, 13), (2, 2, 5)):
    src, tgt = torch.randint(4, vocab, (batch, src_len)), torch.randint(4, vocab, (batch, tgt_len))
    src[0, src_len // 2 + 1 :] = tgt[0, tgt_len // 2 + 1 :] = 0
    inputs = src, tgt, model.source_mask(src), model.target_mask(tgt)
    torch.testing.assert_close(exported(*inputs), model(*inputs))
torch.testing.assert_close(log_probs, model(*example))
"""
        done = subprocess.run([sys.executable, "-c", program], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_page_shows_the_program_of_the_example(self):
        program = (SOURCE / "examples/torchscript/torchscript.cpp").read_text()
        (shown,) = ((SOURCE / "docs/exports.md").read_text().split("```cpp\n")[1:])
        self.assertIn(shown.split("```")[0], program)
