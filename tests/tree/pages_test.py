"""The pages of the documentation: their links lead somewhere, their tables are whole, and the README names them all.

Usage: pages_test.py ROOT
"""

import pathlib
import re
import sys
import unittest

CODE = re.compile(r"^(```|~~~).*?^\1\s*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^()\s]*(?:\([^()]*\))?)\)")
TOOLKITS = ["", "Ventris", "Marian", "CTranslate2", "fairseq", "Hugging Face"]


def pages():
    return [*ROOT.glob("*.md"), *sorted(ROOT.glob("docs/**/*.md")), ROOT / "lib/README.md",
            *sorted(ROOT.glob("benchmarks/*.md")), *sorted(ROOT.glob("examples/**/README.md"))]


def prose(page):
    """The page without its blocks of code."""
    return CODE.sub("", page.read_text())


def anchors(page):
    """The anchors of its headings, as GitHub makes them."""
    found, seen = set(), {}
    for heading in re.findall(r"^#+ +(.*?)\s*$", prose(page), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        seen[anchor] = seen.get(anchor, -1) + 1
        found.add(anchor + (f"-{seen[anchor]}" if seen[anchor] else ""))
    return found


def cells(row):
    """The cells of a row of a table."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]


def tables(page):
    """Lists of rows, each a list of cells, without the line below the heads."""
    for block in re.findall(r"(?:^\|.*\n)+", prose(page) + "\n", re.MULTILINE):
        yield [cells(row) for row in block.splitlines() if not re.fullmatch(r"[|\-: ]+", row)]


class Pages(unittest.TestCase):
    def test_links_lead_to_files_and_headings(self):
        for page in pages():
            for target in LINK.findall(re.sub(r"`[^`\n]*`", "", prose(page))):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                file = (page.parent / name).resolve() if name else page
                where = f"{page.relative_to(ROOT)}: {target}"
                self.assertTrue(file.exists(), where)
                if anchor and file.suffix == ".md":
                    self.assertIn(anchor, anchors(file), where)

    def test_rows_of_a_table_have_a_cell_for_each_head(self):
        for page in pages():
            for heads, *rows in tables(page):
                for row in rows:
                    self.assertEqual(len(row), len(heads), f"{page.relative_to(ROOT)}: {row[0]}")

    def test_the_readme_names_every_page(self):
        linked = set(LINK.findall(prose(ROOT / "README.md")))
        for page in ROOT.glob("docs/*.md"):
            self.assertIn(f"docs/{page.name}", {target.partition("#")[0] for target in linked})

    def test_limits_compare_with_four_toolkits_row_by_row(self):
        text = (ROOT / "docs/limits.md").read_text()
        for heading in ("## What it does not do", "## What was never run, or only briefly", "## Comparison"):
            self.assertIn(heading + "\n", text)
        heads, *rows = list(tables(ROOT / "docs/limits.md"))[-1]
        self.assertEqual(heads, TOOLKITS)
        self.assertGreater(len(rows), 20)
        for row in rows:
            self.assertNotIn("", row)


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
