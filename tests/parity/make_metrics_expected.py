"""Writes metrics_expected.json: BLEU, chrF and chrF++ of made-up lines, as sacreBLEU computes them.

The lines come from a seeded generator and are as nasty as lines get: every kind of white space, entities, numbers with
stops and dashes, several scripts in both directions, characters whose lower case is special, control characters,
nothing at all. References are random edits of the hypotheses.

    python3 -m venv /tmp/sacrebleu && /tmp/sacrebleu/bin/pip install sacrebleu==2.6.0
    /tmp/sacrebleu/bin/python tests/parity/make_metrics_expected.py
"""

import itertools
import json
import logging
import pathlib
import random
import unicodedata

import sacrebleu
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

LINES = 320
REFERENCES = 3
SLICES = [(0, 1), (0, 5), (5, 20), (20, 60), (60, 200)]
SMOOTHINGS = [("exp", None), ("floor", None), ("add-k", None), ("none", None)]
FURTHER_SMOOTHINGS = [("floor", 0.5), ("floor", 0.0), ("add-k", 0.25), ("add-k", 3.0)]

WHITE_SPACE = [chr(c) for c in (*range(0x09, 0x0E), *range(0x1C, 0x21), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B),
                                0x2028, 0x2029, 0x202F, 0x205F, 0x3000)]
NEARLY_WHITE_SPACE = [chr(c) for c in (0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xAD, 0x2800, 0x3164)]
WORDS = """the The THE a cat Cat sat on mat dog and und die Der Straße STRASSE Ärger ÄRGER naïve I ı
İstanbul İ ẞ ß Ǆ ǅ ŉ ΟΔΥΣΣΕΥΣ ΣΑΣ Σ ΑΣ ΑΣ. Σ' Α.Σ Α'Σ' ΑΣ́ ΑΣᾼ ᾼΣ aΣ\u0345 Σ\u00ADΑ ὈΔΥΣΣΕΎΣ привет МИР Їжак
שלום עולם مرحبا العالم हिन्दी ไทย ᲐᲑᲒ აბგ ꭰᎠᏰ Ꞌ Ⓐ Ⅷ 𐐀𐐁 𐲀 𞤀 𝐀𝟘 Kelvin K Å Ω 東京 北京 你好，世界。 𠀀𠀁 ｆｕｌｌ ＦＵＬＬ 한국어 👍
👨‍👩‍👧 🇩🇪 e\u0301 É""".split()
MARKED = """don't it's 'quoted' "said" (hi) [x] {y} <skipped> a<skipped>b &quot;no&quot; &amp; &lt;b&gt;
&amp;lt; &amp;quot; &amp;amp; &apos; & &; AT&T a/b and/or @home #1 50% $5 5€ ... .. . , ,, ; : ! ? ?! -- -
-5 5- 3-4 10-20-30 -x x- 1.5 1,000.00 1. .5 5, ,5 1,a a,1 a.b U.S. e.g., 3.14.15 ٣.٤ ٣-٤ 1,٢ x=1,y=2 ~ ` ^ _
| \\ *a* +1 “curly” ‘single’ „unten“ «fr» – — … · http://a.b/c?d=e&f=1 me@x.org 12:30 1/2 ½ ².5 ，。！？ a،b ؟""".split()
CONTROLS = ["\x00", "\x01", "\x7f", "\x1b[0m", "\ufffd", "\U0010ffff", "\ue000", "\u202e", "\u0300"]


def separator(dice):
    draw = dice.random()
    if draw < 0.86:
        return " "
    if draw < 0.94:
        return dice.choice(WHITE_SPACE) * dice.randint(1, 2)
    return "" if draw < 0.97 else dice.choice(NEARLY_WHITE_SPACE)


def word(dice):
    draw = dice.random()
    if draw < 0.6:
        return dice.choice(WORDS)
    if draw < 0.9:
        return dice.choice(MARKED)
    if draw < 0.94:
        return dice.choice(CONTROLS)
    if draw < 0.96:
        return dice.choice(["-\n", "\n", "a-\nb", "\r"])
    return "".join(dice.choice("0123456789.,-ab&;'") for _ in range(dice.randint(1, 8)))


def line(dice):
    draw = dice.random()
    if draw < 0.03:
        return ""
    if draw < 0.05:
        return dice.choice(WHITE_SPACE) * 2
    words = dice.choices([0, 1, 2, 3, 4, 8, 14], [1, 2, 2, 3, 4, 10, 5])[0]
    text = "".join(separator(dice) + word(dice) for _ in range(words))
    return text.lstrip(" ") + dice.choice(["", "", "", ".", " .", " ", "\r", "\u3000", "\u200b"])


def edited(dice, text, rate):
    if dice.random() < 0.05:
        return line(dice)
    words = text.split(" ")
    result = []
    for old in words:
        draw = dice.random() / rate
        if draw < 0.25:
            continue
        if draw < 0.5:
            result.append(word(dice))
        elif draw < 0.7:
            result.append(old.swapcase())
        elif draw < 0.85:
            result += [old, old]
        elif draw < 1 and old:
            result.append(old[1:] + old[0])
        else:
            result.append(old)
    if len(result) > 2 and dice.random() < rate:
        at = dice.randrange(len(result) - 1)
        result[at], result[at + 1] = result[at + 1], result[at]
    return " ".join(result)


def rounded(value):
    return round(float(value), 11)


def bleu_entry(hypotheses, references, tokenize, lowercase, smoothing, value, count, with_sentences):
    options = dict(tokenize=tokenize, lowercase=lowercase, smooth_method=smoothing, smooth_value=value, force=True)
    refs = references[:count]

    def score(start, end):
        return BLEU(**options).corpus_score(hypotheses[start:end], [r[start:end] for r in refs])

    whole = score(0, len(hypotheses))
    entry = dict(tokenize=tokenize, lowercase=lowercase, smoothing=smoothing, value=value, references=count,
                 score=rounded(whole.score), precisions=[rounded(p) for p in whole.precisions],
                 brevity_penalty=rounded(whole.bp), hyp_length=whole.sys_len, ref_length=whole.ref_len,
                 slices=[rounded(score(*ends).score) for ends in SLICES])
    if with_sentences:
        metric = BLEU(effective_order=True, **options)
        entry["sentences"] = [rounded(metric.sentence_score(h, list(r)).score) for h, *r in zip(hypotheses, *refs)]
    return entry


def bleu_entries(hypotheses, references):
    for tokenize, lowercase, (smoothing, value) in itertools.product(("13a", "none"), (False, True), SMOOTHINGS):
        yield bleu_entry(hypotheses, references, tokenize, lowercase, smoothing, value, 1, True)
        yield bleu_entry(hypotheses, references, tokenize, lowercase, smoothing, value, REFERENCES, False)
    for smoothing, value in FURTHER_SMOOTHINGS:
        yield bleu_entry(hypotheses, references, "13a", False, smoothing, value, 2, smoothing == "add-k")


def chrf_entry(hypotheses, references, count, with_sentences, **options):
    refs = references[:count]
    metric = CHRF(**options)
    entry = dict(references=count, score=rounded(metric.corpus_score(hypotheses, refs).score), **options)
    if with_sentences:
        entry["sentences"] = [rounded(metric.sentence_score(h, list(r)).score) for h, *r in zip(hypotheses, *refs)]
    return entry


def chrf_entries(hypotheses, references):
    for word_order, lowercase in itertools.product((0, 2), (False, True)):
        for count in (1, REFERENCES):
            yield chrf_entry(hypotheses, references, count, True, word_order=word_order, lowercase=lowercase)
    for options in (dict(whitespace=True), dict(eps_smoothing=True, word_order=2), dict(beta=1),
                    dict(beta=3, word_order=1), dict(char_order=8), dict(char_order=1),
                    dict(char_order=0, word_order=2)):
        yield chrf_entry(hypotheses, references, 2, False, **options)


def to_json(value):
    """JSON that stays small but shows no invisible or direction-changing character as it is."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "".join(c if c <= "~" or unicodedata.category(c)[0] in "LNPSM" else json.dumps(c)[1:-1] for c in text)


def main():
    assert sacrebleu.__version__ == "2.6.0", "the numbers stored are those of 2.6.0"
    logging.disable(logging.WARNING)
    dice = random.Random(20260)
    hypotheses = [line(dice) for _ in range(LINES)]
    references = [[edited(dice, text, rate) for text in hypotheses] for rate in (0.3, 0.5, 0.8)]
    tokenizer = Tokenizer13a()
    expected = dict(
        sacrebleu=sacrebleu.__version__, slices=SLICES, hypotheses=hypotheses, references=references,
        tokenized=[tokenizer(text) for text in hypotheses], lowered=[text.lower() for text in references[1]],
        bleu=list(bleu_entries(hypotheses, references)), chrf=list(chrf_entries(hypotheses, references)))
    path = pathlib.Path(__file__).with_name("metrics_expected.json")
    parts = []
    for key, value in expected.items():  # a row a line keeps differences readable
        rows = [to_json(row) for row in value] if key in ("bleu", "chrf", "references") else None
        parts.append(f'"{key}":' + (to_json(value) if rows is None else "[\n" + ",\n".join(rows) + "\n]"))
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8", newline="\n")
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
