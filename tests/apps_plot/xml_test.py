"""Every figure is well-formed XML that refers to nothing outside itself.

Usage: xml_test.py VENTRIS_PLOT WRITE_SMALL_REPORT
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "rect", "line", "circle", "path", "text", "g", "style"}
FIGURES = (["positions"], ["positions", "--feature", "4"], ["mask"], ["schedule"], ["smoothing"],
           ["kernels"])


class Figures(unittest.TestCase):
    def check(self, text):
        root = xml.etree.ElementTree.fromstring(text)
        self.assertEqual(root.tag, SVG + "svg")
        for element in root.iter():
            self.assertIn(element.tag.removeprefix(SVG), ELEMENTS)
            for name, value in element.attrib.items():
                self.assertNotIn("href", name)
                self.assertNotIn("url(", value)
        return root

    def plot(self, *arguments):
        return subprocess.run([PLOT, *arguments], check=True, capture_output=True, text=True).stdout

    def test_what_is_drawn_of_the_method(self):
        for arguments in FIGURES:
            with self.subTest(arguments):
                self.check(self.plot(*arguments))

    def test_names_of_files_that_try_to_be_markup(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "<b>&\x01'\"\u202e\u05d0]]>.txt"
            path.write_text("one two\n")
            root = self.check(self.plot("lengths", str(path)))
        texts = [element.text for element in root.iter(SVG + "text")]
        self.assertIn("<b>&\ufffd'\"\u202e\u05d0]]>.txt", texts)

    def test_the_figures_of_a_report(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([WRITER, folder], check=True)
            html = (pathlib.Path(folder) / "report.html").read_text()
        figures = re.findall(r"<svg .*?</svg>", html, re.DOTALL)
        self.assertEqual(len(figures), 15)
        for figure in figures:
            self.check(figure)


if __name__ == "__main__":
    WRITER = sys.argv.pop(2)
    PLOT = sys.argv.pop(1)
    unittest.main()
