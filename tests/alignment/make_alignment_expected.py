#!/usr/bin/env python3
"""Writes alignment_expected.json: the probabilities of links in a small corpus, computed in plain Python from the
formulas of alignment_model.h, estimation.h and hmm.h, sentence by sentence and without a hash table. Needs no packages.

    tests/alignment/make_alignment_expected.py
"""

import collections
import json
import math
import pathlib
import random

LINK = 8192                # expected counts are whole numbers of 1 / LINK
WORD_PRIOR, CLASS_PRIOR, NULL_PRIOR = 10, 10, 1
NULL_SHARE, UNIFORM = 0.2, 0.02
MOST_JUMP, PREFIX = 40, 4
SAME, ALIKE, VERY_ALIKE = "same", "alike", "very alike"


def random_corpus():
    """Words of four letters or more, some of which share a prefix or are alike on both sides, a number and a sign."""
    draw = random.Random(3)
    source = ["haus", "hausen", "baum", "baumes", "katze", "telefon", "nation", "7", ".", "gehen"]
    target = ["house", "houses", "tree", "trees", "cat", "telephone", "nation", "7", ".", "walk"]
    corpus = []
    for _ in range(30):
        chosen = [draw.randrange(len(source)) for _ in range(draw.randint(1, 7))]
        left, right = [source[i] for i in chosen], [target[i] for i in chosen]
        if draw.random() < 0.5:
            draw.shuffle(right)
        if draw.random() < 0.3:
            right.append(draw.choice(target))
        corpus.append([left, right])
    return corpus


def common_letters(a, b):
    """The length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for letter in a:
        next_row = [0]
        for j, other in enumerate(b):
            next_row.append(row[j] + 1 if letter == other else max(row[j + 1], next_row[j]))
        row = next_row
    return row[-1]


def kind(word):
    return "word" if any(c.isalpha() for c in word) else "number" if any(c.isdigit() for c in word) else "sign"


def likeness(a, b):
    kinds = {kind(a), kind(b)}
    if kinds == {"sign"}:
        return "same sign" if a == b else "other sign"
    if "sign" in kinds:
        return "sign and word"
    if kinds == {"number"}:
        return "same number" if a == b else "other number"
    if a == b:
        return SAME
    longer = max(len(a), len(b))
    if min(len(a), len(b)) < 3:
        return "unlike"
    share = common_letters(a, b) / longer
    return VERY_ALIKE if share >= 0.7 else ALIKE if share >= 0.5 else "unlike"


def usual_ratio(how):
    return 10 if how in (SAME, "same sign", "same number", VERY_ALIKE) else 0.1 if how == "sign and word" else 1


class Side:
    def __init__(self, sentences):
        self.count = collections.Counter(word for sentence in sentences for word in sentence)
        self.class_count = collections.Counter()
        for word, count in self.count.items():
            self.class_count[word[:PREFIX]] += count
        self.tokens = sum(self.count.values())
        self.linked, self.classes, self.alone = (collections.Counter() for _ in range(3))

    def clear(self):
        self.linked, self.classes, self.alone = (collections.Counter() for _ in range(3))

    def null(self, word):
        total = sum(self.alone.values()) / LINK
        return (self.alone[word] / LINK + NULL_PRIOR * self.count[word] / self.tokens) / (total + NULL_PRIOR)


class Model:
    def __init__(self, corpus):
        self.corpus = corpus
        self.source, self.target = Side([s for s, _ in corpus]), Side([t for _, t in corpus])
        self.words, self.classes = collections.Counter(), collections.Counter()
        self.kept, self.kept_classes = self.cooccurring()
        self.ratios = {}
        self.jumps = [[1 / (1 + abs(d - 1)) for d in range(-MOST_JUMP, MOST_JUMP + 1)] for _ in range(2)]
        self.chances = collections.Counter()
        for s, t in corpus:
            for i in s:
                for j in t:
                    self.chances[self.pair_class(i, j)] += 0.5 / len(s) + 0.5 / len(t)

    def cooccurring(self):
        """Pairs of at least two sentence pairs, and those that are alike."""
        words, classes = collections.Counter(), collections.Counter()
        for s, t in self.corpus:
            words.update({(i, j) for i in s for j in t})
            classes.update({(i[:PREFIX], j[:PREFIX]) for i in s for j in t})
        alike = {pair for pair in words if likeness(*pair) in (ALIKE, VERY_ALIKE)}
        return {pair for pair, n in words.items() if n > 1} | alike, {pair for pair, n in classes.items() if n > 1}

    def pair_class(self, s, t):
        difference = int(math.log2(self.source.count[s])) - int(math.log2(self.target.count[t]))
        return likeness(s, t), max(-5, min(5, difference))

    def emission(self, s, t, own, from_side, to_side, from_word, to_word):
        ratio = self.ratios.get(self.pair_class(s, t), usual_ratio(likeness(s, t)))
        sc, tc = s[:PREFIX], t[:PREFIX]
        linked = max(0, self.words[s, t] - own) / LINK
        class_linked = max(0, self.classes[sc, tc] - own) / LINK
        of_class = ((class_linked * to_side.count[to_word] / to_side.class_count[to_word[:PREFIX]] +
                     CLASS_PRIOR * to_side.count[to_word] / to_side.tokens * ratio) /
                    ((from_side.classes[from_word[:PREFIX]] - own) / LINK + CLASS_PRIOR))
        return (linked + WORD_PRIOR * of_class) / ((from_side.linked[from_word] - own) / LINK + WORD_PRIOR)

    def posteriors(self, s, t, own, hmm):
        """Forward [targets][sources] and backward [sources][targets]."""
        forward = [[self.emission(i, j, own.get((a, b), 0), self.source, self.target, i, j) for a, i in enumerate(s)]
                   for b, j in enumerate(t)]
        backward = [[self.emission(i, j, own.get((a, b), 0), self.target, self.source, j, i) for b, j in enumerate(t)]
                    for a, i in enumerate(s)]
        nulls = [self.target.null(j) for j in t], [self.source.null(i) for i in s]
        if hmm:
            return [run_hmm(e, n, jumps) for e, n, jumps in zip((forward, backward), nulls, self.jumps)]
        return [(model1(e, n), None) for e, n in zip((forward, backward), nulls)]

    def maximize(self, links, first):
        self.words.clear()
        self.classes.clear()
        self.source.clear()
        self.target.clear()
        ratios = collections.Counter()
        for (s, t), own in zip(self.corpus, links):
            of_source, of_target = [0] * len(s), [0] * len(t)
            for (a, b), count in own.items():
                i, j = s[a], t[b]
                of_source[a] += count
                of_target[b] += count
                if (i, j) in self.kept:
                    self.words[i, j] += count
                if (i[:PREFIX], j[:PREFIX]) in self.kept_classes:
                    self.classes[i[:PREFIX], j[:PREFIX]] += count
                ratios[self.pair_class(i, j)] += count
            for side, sentence, sums in ((self.source, s, of_source), (self.target, t, of_target)):
                for word, count in zip(sentence, sums):
                    side.linked[word] += count
                    side.classes[word[:PREFIX]] += count
                    side.alone[word] += max(LINK - count, 0)
        if not first:
            self.ratios = {key: (ratios[key] / LINK + usual_ratio(key[0])) / (chance + 1)
                           for key, chance in self.chances.items()}

    def remove_zeros(self):
        self.kept = {pair for pair in self.kept
                     if self.words[pair] > 0 or likeness(*pair) in (ALIKE, VERY_ALIKE)}
        self.kept_classes = {pair for pair in self.kept_classes if self.classes[pair] > 0}


def model1(emissions, nulls):
    rows = []
    for row, null in zip(emissions, nulls):
        values = [(1 - NULL_SHARE) / len(row) * value for value in row]
        whole = sum(values) + NULL_SHARE * null
        rows.append([value / whole for value in values])
    return rows


def run_hmm(emissions, nulls, jumps):
    """Forward and backward algorithm over 2 * states: (state, wrote the word or not). Returns the probabilities of the
    states that wrote a word, and the expected jumps."""
    states, length = len(emissions[0]), len(emissions)
    jump = lambda d: jumps[max(-MOST_JUMP, min(MOST_JUMP, d)) + MOST_JUMP]
    share = lambda values: [(1 - UNIFORM) * v / sum(values) + UNIFORM / states for v in values]
    first = share([jump(k + 1) for k in range(states)])
    move = [share([jump(k - i) for k in range(states)]) for i in range(states)]
    alpha = []
    for j in range(length):
        before = [a + n for a, n in zip(*alpha[-1])] if j else None
        reached = first if j == 0 else [sum(before[i] * move[i][k] for i in range(states)) for k in range(states)]
        wrote = [(1 - NULL_SHARE) * reached[k] * emissions[j][k] for k in range(states)]
        silent = [NULL_SHARE * nulls[j] * (first if j == 0 else before)[k] for k in range(states)]
        alpha.append((wrote, silent))
    beta = [[1.0] * states]
    for j in range(length - 1, 0, -1):
        after = beta[0]
        beta.insert(0, [sum(move[i][k] * (1 - NULL_SHARE) * emissions[j][k] * after[k] for k in range(states)) +
                        NULL_SHARE * nulls[j] * after[i] for i in range(states)])
    whole = sum((a + n) for a, n in zip(*alpha[-1]))
    counts = collections.Counter()
    for k in range(states):
        counts[min(k + 1, MOST_JUMP)] += (alpha[0][0][k] + alpha[0][1][k]) * beta[0][k] / whole
    for j in range(1, length):
        for i in range(states):
            before = alpha[j - 1][0][i] + alpha[j - 1][1][i]
            for k in range(states):
                value = before * move[i][k] * (1 - NULL_SHARE) * emissions[j][k] * beta[j][k] / whole
                counts[max(-MOST_JUMP, min(MOST_JUMP, k - i))] += value
    return [[alpha[j][0][k] * beta[j][k] / whole for k in range(states)] for j in range(length)], counts


def estimate(corpus, model1_iterations, hmm_iterations):
    model = Model(corpus)
    links = [{(a, b): round((1 - NULL_SHARE) ** 2 / len(s) / len(t) * LINK)
              for a in range(len(s)) for b in range(len(t))} for s, t in corpus]
    for iteration in range(model1_iterations + hmm_iterations):
        hmm, jumps = iteration >= model1_iterations, [collections.Counter(), collections.Counter()]
        if iteration > 0:
            for number, (s, t) in enumerate(corpus):
                (forward, some), (backward, others) = model.posteriors(s, t, links[number], hmm)
                both = {(a, b): round(forward[b][a] * backward[a][b] * LINK)
                        for a in range(len(s)) for b in range(len(t))}
                links[number] = {pair: count for pair, count in both.items() if count > 0}
                if hmm:
                    jumps[0].update(some)
                    jumps[1].update(others)
            if hmm:
                whole = [sum(counts.values()) + 0.5 * (2 * MOST_JUMP + 1) for counts in jumps]
                model.jumps = [[(counts[d] + 0.5) / all_ for d in range(-MOST_JUMP, MOST_JUMP + 1)]
                               for counts, all_ in zip(jumps, whole)]
        model.maximize(links, iteration == 0)
        if iteration == 1:
            model.remove_zeros()
    return model


def main():
    corpus = random_corpus()
    cases = []
    for model1_iterations, hmm_iterations in ((1, 0), (3, 0), (2, 2), (4, 4)):
        model = estimate(corpus, model1_iterations, hmm_iterations)
        found = [model.posteriors(s, t, {}, hmm_iterations > 0) for s, t in corpus]
        cases.append({"model1_iterations": model1_iterations, "hmm_iterations": hmm_iterations,
                      "forward": [[round(p, 6) for row in f for p in row] for (f, _), _ in found],
                      "backward": [[round(p, 6) for row in b for p in row] for _, (b, _) in found]})
    path = pathlib.Path(__file__).with_name("alignment_expected.json")
    path.write_text(json.dumps({"corpus": corpus, "cases": cases}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
