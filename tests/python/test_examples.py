import http.client
import importlib.util
import json
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

from support import SOURCE, ModelTest

import ventris

has_torch = importlib.util.find_spec("torch") is not None


class Examples(ModelTest):
    def run_example(self, name, *arguments, code=0, text=None):
        done = subprocess.run(
            [sys.executable, SOURCE / "examples/python" / name, *arguments], input=text, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def test_translate_file(self):
        expected = "".join(f"{line}\n" for line in ventris.Translator(self.bundle).translate(self.lines))
        source = self.folder / "test.src"
        self.assertEqual(self.run_example("translate_file.py", self.bundle, source), expected)
        self.assertEqual(self.run_example("translate_file.py", self.bundle, text=source.read_text()), expected)
        missing = self.run_example("translate_file.py", self.folder / "none", code=1)
        self.assertRegex(missing, "^translate_file.py: .*none")

    def test_rows_of_clusters(self):
        specification = importlib.util.spec_from_file_location("rows", SOURCE / "examples/clusters/rows.py")
        rows = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(rows)
        expected = ventris.Translator(self.bundle).translate(self.lines)
        texts = [None, *self.lines, "", float("nan")]
        translations, errors, warnings = rows.translate(texts, str(self.bundle), {"threads": 1})
        self.assertEqual(translations, [None, *expected, "", None])
        self.assertEqual(errors, [None] * len(texts))
        self.assertEqual(len(warnings), len(texts))
        self.assertIs(
            rows.translator(str(self.bundle), {"threads": 1}), rows.translator(str(self.bundle), {"threads": 1})
        )
        documents = ["<p>red house</p>", "<p>red", None, "<p>blue tree</p>"]
        translations, errors, _ = rows.translate(documents, str(self.bundle), {"markup": "xml"})
        self.assertEqual([text is None for text in translations], [False, True, True, False])
        self.assertRegex(errors[1], "not well-formed XML")
        self.assertEqual(rows.translate([], str(self.bundle), {}), ([], [], []))
        with self.assertRaisesRegex(TypeError, "expected texts, found int: 7"):
            rows.translate([7], str(self.bundle), {})
        with self.assertRaisesRegex(ventris.ConfigError, "bem_size"):
            rows.translate(["red"], str(self.bundle), {"bem_size": 2})

    def test_many_threads(self):
        rows = [line.split("\t") for line in self.run_example("many_threads.py", self.bundle, *self.lines).splitlines()]
        self.assertEqual([text for _, text, _ in rows], ventris.Translator(self.bundle).translate(self.lines))
        self.assertTrue(all(float(score) < 0 and "-" in links for score, _, links in rows))

    def test_translate_document(self):
        page, text = self.folder / "page.html", self.folder / "messages.txt"
        page.write_text("<p>red <b>house</b></p>\n<p>Blue tree. Small {0} river.</p>\n")
        text.write_text("red %s house\n\n  blue tree\n")
        found = self.run_example("translate_document.py", self.bundle, page, "en")
        self.assertRegex(found, r"^<p>.*<b>.*</b>.*</p>\n<p>.*</p>\n$")
        self.assertEqual(found.count("{0}"), 1)
        lines = self.run_example("translate_document.py", self.bundle, text).split("\n")
        self.assertEqual((len(lines), lines[0].count("%s"), lines[1], lines[3]), (4, 1, "", ""))
        self.assertTrue(lines[2].startswith("  "))
        wrong = self.run_example("translate_document.py", self.bundle, text, "english", code=1)
        self.assertRegex(wrong, "^translate_document.py: language: expected the code of a language")

    def test_evaluate(self):
        found = self.run_example("evaluate.py", self.folder / "test.tgt", self.folder / "expected.tgt").splitlines()
        self.assertEqual([line.split("|")[0] for line in found[:3]], ["BLEU", "chrF2++", "TER"])
        self.assertRegex(found[3], r"^line \d+: [0-9.]+$")

    def test_server(self):
        script = SOURCE / "examples/python/server.py"
        with subprocess.Popen(
            [sys.executable, script, self.bundle, "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as server:
            try:
                address = server.stdout.readline().split()[-1]

                def answer(body):
                    with urllib.request.urlopen(address, body, timeout=60) as response:
                        return json.load(response)

                expected = ventris.Translator(self.bundle).translate(self.lines)
                self.assertEqual(answer(json.dumps(self.lines).encode()), expected)
                self.assertEqual(answer(b"[]"), [])
                for wrong in (b"{", b'{"text": "red"}', b"[1]", b'"red"', b"\xff", b'["\\ud800"]'):
                    with self.assertRaises(urllib.error.HTTPError) as raised:
                        answer(wrong)
                    self.assertEqual(raised.exception.code, 400)
                    self.assertIn("error", json.load(raised.exception))
                    raised.exception.close()
                connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
                connection.request("POST", "/", headers={"Content-Length": str(2**20 + 1)})
                self.assertEqual(connection.getresponse().status, 400)
                connection.close()
            finally:
                server.terminate()
        self.assertEqual(self.run_example("server.py", self.bundle, code=1), "usage: server.py MODEL PORT\n")
        self.assertRegex(self.run_example("server.py", self.folder / "none", "0", code=1), "^server.py: .*none")

    @unittest.skipUnless(has_torch, "PyTorch is not installed")
    def test_weights_in_pytorch(self):
        self.assertEqual(self.run_example("weights_in_pytorch.py", self.bundle, "red house"), "house red\n")


if __name__ == "__main__":
    unittest.main()
