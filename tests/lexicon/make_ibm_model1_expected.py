#!/usr/bin/env python3
"""Writes ibm_model1_expected.json: translation tables of IBM model 1 (Brown et al. 1993, section 4.1) for a small
corpus, computed sentence by sentence in plain Python. Needs no packages.

    tests/lexicon/make_ibm_model1_expected.py
"""

import collections
import json
import pathlib
import random

SOURCE_VOCAB, TARGET_VOCAB = 12, 10
NULL = SOURCE_VOCAB  # the null word has the last row


def random_corpus():
    draw = random.Random(7)
    sentence = lambda vocab: [draw.randrange(4, vocab) for _ in range(draw.randint(1, 6))]
    return [[sentence(SOURCE_VOCAB), sentence(TARGET_VOCAB)] for _ in range(25)]


def estimate(corpus, iterations):
    """t[source][target] after so many iterations, from uniform values."""
    t = collections.defaultdict(lambda: 1 / TARGET_VOCAB)
    for _ in range(iterations):
        counts, totals = collections.defaultdict(float), collections.defaultdict(float)
        for source, target in corpus:
            for word in target:
                whole = sum(t[s, word] for s in [NULL, *source])
                for s in [NULL, *source]:
                    share = t[s, word] / whole
                    counts[s, word] += share
                    totals[s] += share
        t = collections.defaultdict(float, {(s, word): count / totals[s] for (s, word), count in counts.items()})
    return [[t.get((s, word), 0.0) for word in range(TARGET_VOCAB)] for s in range(SOURCE_VOCAB + 1)]


def main():
    corpus = random_corpus()
    tables = {str(iterations): estimate(corpus, iterations) for iterations in (1, 2, 5)}
    expected = {"source_vocab": SOURCE_VOCAB, "target_vocab": TARGET_VOCAB, "corpus": corpus, "tables": tables}
    path = pathlib.Path(__file__).with_name("ibm_model1_expected.json")
    path.write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
