#!/usr/bin/env python3
"""Writes the phrase book: train, valid and test, English and German, one sentence a line.

The same seed writes the same files. Valid and test hold combinations (a verb and its object, a sentence and what fills
it) that training has never seen, of words that it has.
"""

import argparse
import hashlib
import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import lexicon  # noqa: E402
import sentences  # noqa: E402

HELD_OUT = 500        # lines of valid, and of test
SHARE = 5             # percent of all combinations that each of the two holds out
DRAWS_PER_LINE = 20   # before the grammar is said to be too small for so many lines


def part_of(combinations):
    """train, valid, test, or "" for what mixes combinations of valid and test. The same for every seed."""
    parts = set()
    for combination in combinations:
        bucket = int.from_bytes(hashlib.sha256(combination.encode()).digest()[:4], "big") % 100
        parts.add("valid" if bucket < SHARE else "test" if bucket < 2 * SHARE else "train")
    held_out = parts - {"train"}
    return "train" if not held_out else held_out.pop() if len(held_out) == 1 else ""


def words(text):
    """Its words without the punctuation marks, as a reader sees them."""
    return [word for word in (part.strip(".,?!") for part in text.split()) if word]


def fail(text):
    raise SystemExit(f"generate.py: {text}")


def draw(grammar, wanted):
    """{part: [Sentence]} without a sentence twice; `wanted`: the lines of each part."""
    references, taken, found = {}, set(), {part: [] for part in wanted}
    for _ in range(sum(wanted.values()) * DRAWS_PER_LINE):
        if all(len(found[part]) == count for part, count in wanted.items()):
            return found
        sentence = grammar.draw()
        if sentence is None:
            continue
        earlier = references.setdefault(sentence.english, sentence.german)
        if earlier != sentence.german:
            fail(f"two references for {sentence.english!r}: {earlier!r} and {sentence.german!r}")
        part = part_of(sentence.combinations)
        if part and len(found[part]) < wanted[part] and sentence.english not in taken:
            taken.add(sentence.english)
            found[part].append(sentence)
    counts = ", ".join(f"{len(found[part])} of {count} for {part}" for part, count in wanted.items())
    fail(f"the grammar gives too few sentences: {counts}")


def known(sentence, vocabulary):
    return all(word in vocabulary for text in (sentence.english, sentence.german) for word in words(text))


def check(found):
    """What training on the files relies on."""
    trained = found["train"]
    english, german = {s.english for s in trained}, {s.german for s in trained}
    vocabulary = {word for s in trained for text in (s.english, s.german) for word in words(text)}
    combined = {combination for s in trained for combination in s.combinations}
    for part in ("valid", "test"):
        for sentence in found[part]:
            if sentence.english in english or sentence.german in german:
                fail(f"{part} and train both have {sentence.english!r}")
            if not known(sentence, vocabulary):
                fail(f"{part} has a word that train lacks: {sentence.english!r}, {sentence.german!r}")
            if sentence.combinations <= combined:
                fail(f"{part} combines nothing new: {sentence.english!r}")


def corpus(seed, lines):
    """{"train": [Sentence], "valid": ..., "test": ...}, checked."""
    grammar = sentences.Grammar(lexicon.read(), random.Random(seed))
    # A few more than needed, to leave out those whose German happens to be a training line's or has a word too rare.
    found = draw(grammar, {"train": lines, "valid": HELD_OUT + 200, "test": HELD_OUT + 200})
    vocabulary = {word for s in found["train"] for text in (s.english, s.german) for word in words(text)}
    german = {s.german for s in found["train"]}
    for part in ("valid", "test"):
        usable = [s for s in found[part] if s.german not in german and known(s, vocabulary)]
        found[part] = usable[:HELD_OUT]
        german.update(s.german for s in found[part])
        if len(found[part]) < HELD_OUT:
            fail(f"only {len(found[part])} lines of {part} have no word that train lacks; raise --train")
    check(found)
    return found


def write(path, lines):
    """All of the file or nothing of it."""
    temporary = path.with_name(path.name + ".writing")
    try:
        with open(temporary, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(line + "\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        fail(f"{path}: cannot be written ({error.strerror})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent, help="folder of the files")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers")
    parser.add_argument("--train", type=int, default=26000, help="lines to train on")
    arguments = parser.parse_args()
    found = corpus(arguments.seed, arguments.train)
    try:
        arguments.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(f"{arguments.out}: cannot be made ({error.strerror})")
    for part, drawn in found.items():
        write(arguments.out / f"{part}.en", [s.english for s in drawn])
        write(arguments.out / f"{part}.de", [s.german for s in drawn])
    counts = ", ".join(f"{part} {len(drawn)}" for part, drawn in found.items())
    print(counts, "pairs in", arguments.out, file=sys.stderr)


if __name__ == "__main__":
    main()
