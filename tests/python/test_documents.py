"""Texts that are not one sentence per line, what translations must have, and warnings about them."""

import json
import pathlib
import re
import tempfile
import unittest
import warnings

from support import ModelTest, flags_of, needs_programs

import ventris

PAGES = {
    "html": "<!doctype html>\n<ul>\n  <li>red <b>house</b></li>\n  <li>{0} tree. blue river.</li>\n</ul>\n",
    "markdown": "# red house\n\n* blue **tree**\n* `code` river\n",
    "xml": '<?xml version="1.0"?>\n<a>\n  <b>red <i>house</i></b>\n  <b>tree</b>\n</a>\n',
    "srt": "1\n00:00:01,000 --> 00:00:02,000\nred\nhouse.\n\n2\n00:00:03,000 --> 00:00:04,000\n<i>blue tree</i>",
    "json": '{\n  "a": "red house",\n  "b": ["blue {0} tree", 1.50]\n}\n',
}


class WarningsTest(ModelTest):
    def warned(self, call):
        """What a call returns, and the sentences of its TranslationWarnings."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = call()
        self.assertTrue(all(one.category is ventris.TranslationWarning for one in caught))
        self.assertTrue(all(one.filename == __file__ for one in caught))
        return result, [str(one.message) for one in caught]


class Documents(WarningsTest):
    def test_sentences_are_translated_alone_and_the_space_between_them_stays(self):
        translator = ventris.Translator(self.bundle, split_sentences=True, no_guards=True)
        alone = translator.translate(["Red house.", "Blue tree river."])
        text = "  Red house.   Blue tree river. "
        self.assertEqual(translator.translate([text]), [f"  {alone[0]}   {alone[1]} "])
        detailed = translator.translate_detailed([text, "", "red"])
        self.assertEqual([line.sentences for line in detailed], [2, 0, 1])
        whole = ventris.Translator(self.bundle, no_guards=True).translate([text])
        self.assertEqual(translator.translate([text], split_sentences=False), whole)

    def test_samples_do_not_depend_on_the_windows(self):
        settings = {"split_sentences": True, "sampling": True, "temperature": 3.0, "no_guards": True}
        translator = ventris.Translator(self.bundle, **settings)
        texts = ["Red house tree. Blue river.", "", "Large tree. Red house. Small river."] * 4
        expected = translator.translate(texts)
        self.assertEqual(list(translator.translate_iter(texts, maxi_batch=2)), expected)

    def test_placeholders_come_back_once_each(self):
        translator = ventris.Translator(self.bundle, placeholders="builtin")
        lines = {"red {0} house": ["{0}"], "%s": ["%s"], "__A__ tree {b} river": ["__A__", "{b}"]}
        for line, placeholders in lines.items():
            found, sentences = self.warned(lambda line=line: translator.translate([line])[0])
            self.assertEqual([found.count(one) for one in placeholders], [1] * len(placeholders), found)
            self.assertFalse([one for one in sentences if "placeholder" in one])

    def test_a_document_keeps_its_lines(self):
        translator = ventris.Translator(self.bundle)
        for kind, page in PAGES.items():
            found = translator.translate([page, page.replace("\n", "\r\n")], markup=kind, no_guards=True)
            self.assertEqual(found[0].count("\n"), page.count("\n"))
            keeps = kind in ("srt", "json")
            self.assertEqual(found[1], found[0].replace("\n", "\r\n") if keeps else found[0])
        self.assertEqual(translator.translate(["", "\n"], markup="html"), ["", "\n"])

    def test_zip_files_are_no_texts(self):
        translator = ventris.Translator(self.bundle)
        for kind in ("docx", "odt", "epub"):
            for call in (
                lambda kind=kind: translator.translate(["red"], markup=kind),
                lambda kind=kind: list(translator.translate_iter(["red"], markup=kind)),
                lambda kind=kind: ventris.Translator(self.bundle, markup=kind),
            ):
                with self.assertRaisesRegex(ventris.ConfigError, "^markup: DOCX, ODT and EPUB are zip files, .* no str"):
                    call()

    def test_what_cannot_be_read_or_combined_is_named(self):
        translator = ventris.Translator(self.bundle)
        with self.assertRaisesRegex(ventris.DataError, "^text 2: line 1: not well-formed XML"):
            translator.translate(["<a>red</a>", "<a>"], markup="xml")
        with self.assertRaisesRegex(ventris.DataError, "^text 3: line 2: not well-formed XML"):
            list(translator.translate_iter(["<a>red</a>", "<a/>", "<a>\n</b>"], markup="xml", maxi_batch=2))
        with self.assertRaisesRegex(ventris.DataError, "^text 1: over 64 MiB; split the document"):
            translator.translate([" " * (64 << 20) + "a"], markup="html")
        with tempfile.TemporaryDirectory() as folder:
            (list_path := pathlib.Path(folder, "slow")).write_text("/(a+)+b/\n")
            with self.assertRaisesRegex(ventris.DataError, r"^text 2: placeholders: /\(a\+\)\+b/ takes too long"):
                translator.translate(["red", "a" * 200], placeholders=str(list_path))
        for settings, reason in (({"split_sentences": True}, "one sentence"), ({"placeholders": "builtin"}, "no links"),
                                 ({"markup": "html"}, "no links")):  # fmt: skip
            with self.assertRaisesRegex(ventris.ConfigError, f"^prefixes: cannot be combined with .*{reason}"):
                translator.translate(["red"], prefixes=["blue"], **settings)
        with self.assertRaisesRegex(ventris.ConfigError, "n_best: must be 1 with split_sentences"):
            ventris.Translator(self.bundle, split_sentences=True, n_best=2, beam_size=2)
        with self.assertRaisesRegex(ventris.ConfigError, "resume: belongs to the files"):
            ventris.Translator(self.bundle, resume=True)


class Phrases(WarningsTest):
    def test_required_and_forbidden_phrases_of_each_line(self):
        translator = ventris.Translator(self.bundle, beam_size=4)
        lines, plain = ["red house"] * 3, ventris.Translator(self.bundle, beam_size=4).translate(["red house"])[0]
        wished = {"required": [["river"], [], []], "forbidden": [[], ["red"], []]}
        found = translator.translate(lines, **wished)
        self.assertIn("river", found[0].split())
        self.assertNotIn("red", found[1].split())
        self.assertEqual(found[2], plain)
        self.assertEqual(list(translator.translate_iter(lines, maxi_batch=2, **wished)), found)
        detailed = translator.translate_detailed(lines, required=[["river"], ["漢"], []])
        self.assertEqual([line.candidates[0].unmet for line in detailed], [[], [("漢", "unknown_characters")], []])
        _, sentences = self.warned(lambda: translator.translate(lines, required=[[], ["漢"], []]))
        self.assertRegex(sentences[0], "^line 2: '漢' is not in the translation, because the tokenizer does not know")

    def test_a_list_of_terms(self):
        terms = self.folder / "terms.tsv"
        terms.write_text("house\triver\n")
        found = ventris.Translator(self.bundle, terms=terms, beam_size=4).translate(["red house", "blue tree"])
        self.assertIn("river", found[0].split())
        translator = ventris.Translator(self.bundle, beam_size=4)
        self.assertEqual(translator.translate(["red house", "blue tree"], terms=terms), found)
        terms.write_text("house\n")
        with self.assertRaisesRegex(ventris.DataError, "terms.tsv:1"):
            ventris.Translator(self.bundle, terms=terms)

    def test_there_must_be_a_list_for_each_line(self):
        translator = ventris.Translator(self.bundle, beam_size=4)
        with self.assertRaisesRegex(ventris.DataError, r"required: expected one for each line \(2\), got 1; use \[\]"):
            translator.translate(["red", "blue"], required=[["river"]])
        with self.assertRaisesRegex(TypeError, r"forbidden\[0\]: expected several phrases, got one str"):
            translator.translate(["red"], forbidden=["river"])
        with self.assertRaisesRegex(TypeError, r"required\[0\]\[1\]: expected a str, got int"):
            list(translator.translate_iter(["red"], required=[["river", 3]]))
        with self.assertRaisesRegex(ventris.ConfigError, "constraints: cannot be combined with split_sentences"):
            translator.translate(["red"], required=[["river"]], split_sentences=True)
        with self.assertRaisesRegex(ventris.ConfigError, "constraints: belongs to the files"):
            translator.translate(["red"], constraints=True)


class Warnings(WarningsTest):
    texts = ["red house", "Red house. Blue tree.", "red 漢字"]
    phrases = ["1 line has several sentences.*line 2", "1 line has letters of a writing system.*line 3"]

    def check(self, sentences):
        for phrase in self.phrases:
            self.assertTrue(any(re.search(phrase, one) for one in sentences), (phrase, sentences))

    def test_texts_have_them_as_warnings_of_python(self):
        translator = ventris.Translator(self.bundle)
        _, sentences = self.warned(lambda: translator.translate(self.texts))
        self.check(sentences)
        _, later = self.warned(lambda: list(translator.translate_iter(self.texts, maxi_batch=2)))
        self.assertEqual(later, sentences)
        _, none = self.warned(lambda: translator.translate(self.texts, no_guards=True))
        self.assertEqual(none, [])
        _, cut = self.warned(lambda: translator.translate(["red", "red " * 20], max_source_length=5, no_guards=True))
        self.assertIn("1 line had more tokens than allowed and was cut (first: line 2)", cut)

    def test_translations_have_their_names(self):
        translator = ventris.Translator(self.bundle)
        found, sentences = self.warned(lambda: translator.translate_detailed(self.texts))
        self.assertEqual(sentences, [])
        self.assertIn("several_sentences", found[1].warnings)
        self.assertIn("writing_system", found[2].warnings)

    def test_attributes_and_the_language_of_a_document_change_on_request(self):
        translator = ventris.Translator(self.bundle, markup="html", no_guards=True)
        page = '<html lang="en"><p title="red">red</p></html>'
        (text,) = translator.translate(["red"])
        self.assertEqual(translator.translate([page]), [f'<html lang="en"><p title="red">{text}</p></html>'])
        self.assertEqual(
            translator.translate([page], translate_attributes=True, document_language="de"),
            [f'<html lang="de"><p title="{text}">{text}</p></html>'],
        )
        with self.assertRaisesRegex(ventris.ConfigError, "translate_attributes"):
            translator.translate([page], markup="none", translate_attributes=True)

    def test_files_keep_every_byte_that_is_no_text(self):
        translator = ventris.Translator(self.bundle, no_guards=True)
        (text,) = translator.translate(["red"])
        film = "\ufeff1\r\n00:00:01,000 --> 00:00:02,000\r\n{}"
        self.assertEqual(translator.translate([film.format("red")], markup="srt"), [film.format(text)])
        catalogue = 'msgid "red"\nmsgstr "{}"\n'
        self.assertEqual(translator.translate([catalogue.format("")], markup="po", no_fuzzy=True), [catalogue.format(text)])
        with self.assertRaisesRegex(ventris.DataError, "text 1: line 1: expected the times of a subtitle"):
            translator.translate(["red"], markup="srt")

    def test_a_long_line_whose_sentences_are_split_is_not_cut(self):
        translator = ventris.Translator(self.bundle, split_sentences=True, no_guards=True)
        line = "Red." + " " * (2 << 20) + "Red."
        (found,) = translator.translate_detailed([line])
        self.assertFalse(found.source_cut)
        self.assertEqual(found.sentences, 2)


@needs_programs
class EqualsTheProgram(WarningsTest):
    def answers(self, objects, *flags):
        """What ventris-translate makes of JSON lines."""
        text = "".join(json.dumps(one) + "\n" for one in objects)
        found = self.program("ventris-translate", "-m", self.bundle, "--input-format", "jsonl", *flags, lines=text)
        return [json.loads(line) for line in found.splitlines()]

    def test_documents(self):
        for kind, page in PAGES.items():
            for settings in ({}, {"split_sentences": True, "placeholders": "builtin"},
                             {"language": "de", "beam_size": 1},
                             {"alignment_layer": 1, "alignment_head": 2}):  # fmt: skip
                with self.subTest(markup=kind, **settings):
                    settings = {"markup": kind, **settings}
                    expected = self.program("ventris-translate", "-m", self.bundle, *flags_of(settings), lines=page)
                    (found,) = ventris.Translator(self.bundle, **settings).translate_detailed([page])
                    self.assertEqual(found.text, expected)

    def test_lines(self):
        lines = ["red house. blue tree.", "", "  red {0} house", "Mr. Red. %s river! 漢字", "\tsmall tree "]
        for settings in ({}, {"split_sentences": True}, {"placeholders": "builtin,numbers"},
                         {"split_sentences": True, "placeholders": "builtin", "language": "en"}):  # fmt: skip
            with self.subTest(**settings):
                expected = self.answers([{"text": line} for line in lines], *flags_of(settings))
                found = ventris.Translator(self.bundle, **settings).translate_detailed(lines)
                self.assertEqual([line.text for line in found], [line["translation"] for line in expected])
                self.assertEqual([line.warnings for line in found], [line["warnings"] for line in expected])
                if "split_sentences" in settings:
                    self.assertEqual([line.sentences for line in found], [line["sentences"] for line in expected])

    def test_phrases(self):
        wishes = [(["river"], []), ([], ["red"]), (["tree", "river"], ["house"]), (["漢"], [])]
        objects = [{"text": "red house", "constraints": a, "forbidden": b} for a, b in wishes]
        expected = self.answers(objects, "--constraints", "-b", 5)
        found = ventris.Translator(self.bundle, beam_size=5).translate_detailed(
            ["red house"] * 4, required=[a for a, _ in wishes], forbidden=[b for _, b in wishes]
        )
        self.assertEqual([line.text for line in found], [line["translation"] for line in expected])
        unmet = [[(one["phrase"], one["reason"]) for one in line["unmet"]] for line in expected]
        self.assertEqual([line.candidates[0].unmet for line in found], unmet)


if __name__ == "__main__":
    unittest.main()
