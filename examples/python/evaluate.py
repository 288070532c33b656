"""Scores a translated file: BLEU with a confidence interval, chrF++ and TER, and the lines with the lowest chrF++.

    python evaluate.py test.de translated.de
"""

import sys

import ventris


def lines_of(path: str) -> list[str]:
    with open(path, encoding="utf-8", newline="\n") as file:
        return [line.rstrip() for line in file]


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: evaluate.py REFERENCES TRANSLATIONS")
    references, hypotheses = lines_of(sys.argv[1]), lines_of(sys.argv[2])
    print(ventris.evaluate.bleu(hypotheses, references, confidence=True))
    chrf = ventris.evaluate.chrf(hypotheses, references, word_order=2)
    print(chrf)
    print(ventris.evaluate.ter(hypotheses, references))
    for score, number in sorted(zip(chrf.sentences, range(len(hypotheses)), strict=True))[:3]:
        print(f"line {number + 1}: {score:.1f}\n  reference:   {references[number]}\n  translation: {hypotheses[number]}")


if __name__ == "__main__":
    try:
        main()
    except (ventris.Error, OSError) as error:
        sys.exit(f"evaluate.py: {error}")
