#!/usr/bin/env python3
"""Measures how well models translate text as people write it: capitals, typing errors, several sentences in a line,
emoji, placeholders, tags and terms.

    robustness.py --train train.en.gz train.de.gz --valid val.en val.de --programs build/release/bin \\
        --model plain=runs/plain/best --model robust=runs/robust/best

Every test changes the lines of --valid in one way, by a random generator with a fixed seed. The words that are linked
between source and reference come from ventris-align, which learns from --train and --valid together. Prints a table in
Markdown, one column for each model:

- BLEU of the lines as they are, and by how much it falls if the sources are in capitals or Title Case (both sides are
  compared in capitals; Title Case with --recase titles), have typing errors in 5 % of their words, or are two lines in
  one (the references, too; also with --split-sentences).
- emoji: how many of the emoji that no training text of the modifiers has come back once (with --placeholders builtin).
- placeholders: one word of each line and the word that is linked to it become a placeholder. Its neighbours are right
  if the word before or after it in the translation is that of the reference. All must come back once.
- tags: one word of each line is in <b>...</b>. Among the translations that have the word of the reference once, the
  share that has it, and nothing else, in the tags. All tags must come back.
- terms: each line has one term, a rare word of the source. Its translation is the most frequent form of the word that
  is linked to it in the reference. The share of the translations that have a form of it, the share that has exactly
  the form of the reference where this is another than the one in the list, and BLEU; without terms, with suggested
  terms (only models that have learnt them), with required ones, and with required ones of which the list has all forms
  that ventris-align links to the source word in the training text and that begin alike. For these, also the share among
  the cases in which the list has the form of the reference.
"""
import argparse
import collections
import html
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unicodedata

NEW_EMOJI = "🦊 🐙 🚲 🍉 🎻 🧩 🛶 🌵 🐝 🏔 🧀 🎈 🐢 🪁 🥕 🦉".split()  # not among those of the modifier `emoji`
LEAST_LETTERS = 4


def run(options, name, *arguments):
    command = [str(options.programs / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def lines_of(path):
    return pathlib.Path(path).read_text(encoding="utf-8").split("\n")[:-1]


class Bench:
    """The text, and what translates and measures it."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.sources, self.references = (lines_of(path) for path in options.valid)

    def translate(self, model, sources, *flags):
        source, target = write(self.folder / "source", sources), self.folder / "target"
        run(self.options, "ventris-translate", "-m", model, "-i", source, "-o", target, "--quiet", *flags)
        return lines_of(target)

    def translate_html(self, model, sources):
        source, target = self.folder / "source.jsonl", self.folder / "target.jsonl"
        write(source, [json.dumps({"text": text}) for text in sources])
        run(self.options, "ventris-translate", "-m", model, "-i", source, "-o", target, "--quiet", "--input-format",
            "jsonl", "--markup", "html")
        return [html.unescape(json.loads(line)["translation"]) for line in lines_of(target)]

    def bleu(self, translations, references, *flags):
        reference = write(self.folder / "reference", references)
        hypothesis = write(self.folder / "hypothesis", translations)
        return float(json.loads(run(self.options, "ventris-evaluate", reference, "-i", hypothesis, "-m", "bleu",
                                    "-w", 2, "--format", "json", *flags))["score"])

    def links(self):
        """For training and validation lines: both sides in words, and the links of words that have one link each."""
        links = self.folder / "links"
        words = [self.folder / "words.source", self.folder / "words.target"]
        run(self.options, "ventris-align", "--train", *self.options.train, "--train", *self.options.valid, "-o", links,
            "--words", *words)
        for line, source, target in zip(lines_of(links), lines_of(words[0]), lines_of(words[1])):
            pairs = [tuple(map(int, link.split("-"))) for link in line.split()]
            counts = [collections.Counter(side) for side in zip(*pairs)] if pairs else [{}, {}]
            single = [(i, j) for i, j in pairs if counts[0][i] == 1 and counts[1][j] == 1]
            yield source.split(" "), target.split(" "), single


def with_typos(line, draw, share=0.05):
    """Exchanges, drops or doubles a letter in a share of the words."""
    words = line.split(" ")
    for i, word in enumerate(words):
        places = [at for at in range(len(word) - 1) if word[at].isalpha() and word[at + 1].isalpha()]
        if not places or draw.random() >= share:
            continue
        at, kind = draw.choice(places), draw.randrange(3)
        change = [word[at + 1] + word[at], word[at], word[at] + word[at] + word[at + 1]][kind]
        words[i] = word[:at] + change + word[at + 2:]
    return " ".join(words)


def pairs_of(lines):
    return [" ".join(two) for two in zip(lines[::2], lines[1::2])]


def find_once(text, word):
    """The place of a whole word that a text has once; None otherwise."""
    found = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text)]
    return found[0] if len(found) == 1 else None


def letters_of(word):
    return "".join(c for c in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(c))


def begin_alike(a, b):
    """As lib/language/metrics/word_forms.h."""
    a, b = letters_of(a), letters_of(b)
    same = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return same >= 3 and 2 * same >= max(len(a), len(b))


def has_form(text, word):
    return any(begin_alike(one, word) for one in re.findall(r"\w+", text))


class Linked:
    """Words of the validation lines that are linked to one word of the reference, and occur once on their side."""

    def __init__(self, bench):
        lines = list(bench.links())
        first = len(lines) - len(bench.sources)
        self.counts = collections.Counter()  # of source words in the training text
        self.forms = collections.defaultdict(collections.Counter)
        for source, target, links in lines[:first]:
            self.counts.update(word.casefold() for word in source)
            for i, j in links:
                self.forms[source[i].casefold()][target[j]] += 1
        self.of_line = []
        for (source, target, links), *texts in zip(lines[first:], bench.sources, bench.references):
            self.of_line.append([(source[i], target[j]) for i, j in links
                                 if min(len(source[i]), len(target[j])) >= LEAST_LETTERS and source[i].isalpha()
                                 and target[j].isalpha() and find_once(texts[0], source[i]) is not None
                                 and find_once(texts[1], target[j]) is not None])

    def base_form(self, source, target):
        """The most frequent translation of a word that begins like this one."""
        alike = [(count, form) for form, count in self.forms[source.casefold()].items() if begin_alike(form, target)]
        return max(alike)[1] if alike else target

    def all_forms(self, source, base):
        """The base form, and all translations of the word that begin like it."""
        return [base] + sorted(form for form in self.forms[source.casefold()]
                               if form != base and begin_alike(form, base))

    def terms(self):
        """(line, source word, its translation, form of the reference): the rarest word of each line."""
        for number, words in enumerate(self.of_line):
            known = [pair for pair in words if self.counts[pair[0].casefold()] >= 2]
            if known:
                source, target = min(known, key=lambda pair: (self.counts[pair[0].casefold()], pair))
                yield number, source, self.base_form(source, target), target


def replaced(text, word, by):
    at = find_once(text, word)
    return text[:at] + by + text[at + len(word):]


def html_with_tags(text, word):
    at = find_once(text, word)
    return f"{html.escape(text[:at])}<b>{word}</b>{html.escape(text[at + len(word):])}"


def clean_and_noisy(bench, model):
    draw = random.Random(1)
    sources, references = bench.sources, bench.references
    clean = bench.translate(model, sources)
    yield "BLEU", f"{bench.bleu(clean, references):.2f}"
    without_case = bench.bleu(in_capitals(clean), in_capitals(references))
    for name, change, recase in (("capitals", str.upper, "capitals"), ("Title Case", str.title, "titles")):
        for use in ("none", recase):
            found = bench.translate(model, [change(line) for line in sources], "--recase", use)
            bleu = bench.bleu(in_capitals(found), in_capitals(references))
            yield f"{name}, BLEU in capitals, --recase {use}", f"{bleu - without_case:+.2f}"
    typos = bench.translate(model, [with_typos(line, draw) for line in sources])
    yield "typing errors, BLEU", f"{bench.bleu(typos, references) - bench.bleu(clean, references):+.2f}"
    alone = bench.bleu(pairs_of(clean), pairs_of(references))
    for name, flags in (("", ()), (", --split-sentences", ("--split-sentences",))):
        merged = bench.bleu(bench.translate(model, pairs_of(sources), *flags), pairs_of(references))
        yield f"two lines in one{name}, BLEU", f"{merged - alone:+.2f}"
    emoji = [draw.choice(NEW_EMOJI) for _ in sources]
    with_emoji = [f"{line} {sign}" for line, sign in zip(sources, emoji)]
    for name, flags in (("", ()), (", --placeholders builtin", ("--placeholders", "builtin"))):
        found = bench.translate(model, with_emoji, *flags)
        yield f"unknown emoji come back{name}", percent([line.count(sign) == 1 for line, sign in zip(found, emoji)])


def in_capitals(lines):
    return [line.upper() for line in lines]


def percent(hits):
    return f"{100 * sum(hits) / max(1, len(hits)):.1f} % of {len(hits)}"


def words_around(text, mark):
    before, _, after = text.partition(mark)
    before, after = re.findall(r"\w+", before), re.findall(r"\w+", after)
    return (before[-1] if before else "", after[0] if after else "")


def placeholders(bench, model, linked):
    draw, mark = random.Random(2), "{0}"
    chosen = [(number, *draw.choice(words)) for number, words in enumerate(linked.of_line) if words]
    sources = [replaced(bench.sources[number], word, mark) for number, word, _ in chosen]
    references = [replaced(bench.references[number], word, mark) for number, _, word in chosen]
    found = bench.translate(model, sources, "--placeholders", "builtin")
    yield "placeholders come back", percent([line.count(mark) == 1 for line in found])
    right = []
    for line, reference in zip(found, references):
        ours, theirs = words_around(line, mark), words_around(reference, mark)
        right.append(any(a == b for a, b in zip(ours, theirs)))
    yield "placeholders, a neighbour is right", percent(right)
    yield "placeholders, BLEU", f"{bench.bleu(found, references):.2f}"


def tags(bench, model, linked):
    draw = random.Random(3)
    chosen = [(number, *draw.choice(words)) for number, words in enumerate(linked.of_line) if words]
    sources = [html_with_tags(bench.sources[number], word) for number, word, _ in chosen]
    found = bench.translate_html(model, sources)
    right = []
    for line, (_, _, word) in zip(found, chosen):
        if find_once(line.replace("<b>", "").replace("</b>", ""), word) is not None:
            right.append(f"<b>{word}</b>" in line)
    yield "tags come back", percent([line.count("<b>") == 1 == line.count("</b>") for line in found])
    yield "tags around the same word", percent(right)


def groups_of(terms, sources):
    """Groups of terms in which no line has a term of another line with another translation."""
    groups = []
    for term in terms:
        number, word, translation, _ = term
        for group in groups:
            clash = any(find_once(sources[number], other) is not None and other.casefold() != word.casefold() or
                        find_once(sources[line], word) is not None and other.casefold() != word.casefold() or
                        other.casefold() == word.casefold() and by != translation for line, other, by, _ in group)
            if not clash:
                group.append(term)
                break
        else:
            groups.append([term])
    return groups


def suggests(model):
    """Whether the model has learnt to use suggested terms."""
    return b"</term>" in (pathlib.Path(model) / "source.spm").read_bytes()


def terms(bench, model, linked):
    chosen = list(linked.terms())
    groups = groups_of(chosen, bench.sources)
    for use in ("none", "suggest", "require", "forms"):
        if use == "suggest" and not suggests(model):
            continue
        found, references, wanted = [], [], []
        for group in groups:
            sources = [bench.sources[number] for number, *_ in group]
            flags = []
            if use != "none":
                table = sorted({"\t".join([word.casefold(), *(linked.all_forms(word, translation) if use == "forms"
                                                              else [translation])])
                                for _, word, translation, _ in group})
                flags = ["--terms", write(bench.folder / "terms.tsv", table), "--term-use",
                         "suggest" if use == "suggest" else "require", "-b", 10]
            found += bench.translate(model, sources, *flags)
            references += [bench.references[number] for number, *_ in group]
            wanted += [(translation, form, use == "forms" and form in linked.all_forms(word, translation))
                       for _, word, translation, form in group]
        name = {"none": "without terms", "suggest": "terms suggested", "require": "terms required",
                "forms": "terms required, with all forms"}[use]
        yield f"{name}: appear", percent([has_form(line, base) for line, (base, *_) in zip(found, wanted)])
        hits = [(find_once(line, form) is not None, listed)
                for line, (base, form, listed) in zip(found, wanted) if base != form]
        yield f"{name}: inflected as in the reference", percent([hit for hit, _ in hits])
        if use == "forms":
            yield f"{name}: the same, where the list has that form", percent([hit for hit, listed in hits if listed])
        yield f"{name}: BLEU", f"{bench.bleu(found, references):.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", nargs=2, required=True, metavar=("SOURCE", "TARGET"))
    parser.add_argument("--valid", nargs=2, required=True, metavar=("SOURCE", "TARGET"))
    parser.add_argument("--model", action="append", required=True, metavar="NAME=BUNDLE")
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("build/release/bin"))
    options = parser.parse_args()
    models = dict(model.split("=", 1) for model in options.model)
    rows = collections.defaultdict(dict)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, pathlib.Path(folder))
        linked = Linked(bench)
        for name, model in models.items():
            for measure in (lambda: clean_and_noisy(bench, model), lambda: placeholders(bench, model, linked),
                            lambda: tags(bench, model, linked), lambda: terms(bench, model, linked)):
                for row, value in measure():
                    rows[row][name] = value
    print("| | " + " | ".join(models) + " |\n|---|" + "---|" * len(models))
    for row, values in rows.items():
        print(f"| {row} | " + " | ".join(values.get(name, "") for name in models) + " |")


if __name__ == "__main__":
    main()
