#!/usr/bin/env python3
"""Does a model use the sentence before? Trains small models on generated documents of two English sentences, in which
the noun of the first decides whether "it" in the second becomes er, sie or es, and counts the right pronouns.

    context.py --programs build/release/bin --keep runs                    # all three models
    context.py --programs build/release/bin --keep runs --sides source     # one of none, source, both

Nouns are those of data/phrasebook with a gender and a singular. Some combinations of a noun with a second sentence are
only in the test part, which has as many nouns of each gender. A test item counts if the whole second translation is the
reference (exact), or if its pronoun is (pronoun); the first sentences are checked, too. Without context, no model can
know the pronoun, so a third of them would be right by chance. Prints a table in Markdown.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys

BOOK = pathlib.Path(__file__).resolve().parent.parent / "data" / "phrasebook"
THE = {"nom": {"m": "der", "f": "die", "n": "das"}, "acc": {"m": "den", "f": "die", "n": "das"}}
IT = {"nom": {"m": "er", "f": "sie", "n": "es"}, "acc": {"m": "ihn", "f": "sie", "n": "es"}}
FIRST = [("I bought the {n}.", "Ich habe {acc} {N} gekauft."), ("We see the {n}.", "Wir sehen {acc} {N}."),
         ("Where is the {n}?", "Wo ist {nom} {N}?"), ("The {n} is here.", "{nom} {N} ist hier."),
         ("My brother has the {n}.", "Mein Bruder hat {acc} {N}."),
         ("She found the {n} yesterday.", "Sie hat {acc} {N} gestern gefunden."),
         ("Do you know the {n}?", "Kennen Sie {acc} {N}?"), ("This is the {n}.", "Das ist {nom} {N}.")]
SECOND = [("It is {a}.", "{nom} ist {A}."), ("It was very {a}.", "{nom} war sehr {A}."),
          ("Is it {a}?", "Ist {nom} {A}?"), ("I think that it is {a}.", "Ich glaube, dass {nom} {A} ist."),
          ("It is not {a}.", "{nom} ist nicht {A}."), ("I like it because it is {a}.", "Ich mag {acc}, weil {nom} {A} ist.")]
ADJECTIVES = [("red", "rot"), ("new", "neu"), ("old", "alt"), ("big", "groß"), ("small", "klein"),
              ("beautiful", "schön"), ("expensive", "teuer"), ("cheap", "billig"), ("good", "gut"), ("modern", "modern")]
PRONOUNS = {"er", "sie", "es", "ihn"}


def nouns():
    found = []
    for line in (BOOK / "nouns.txt").read_text(encoding="utf-8").splitlines():
        columns = [column.strip() for column in line.split("#")[0].split("|")]
        if len(columns) < 6 or columns[3] not in ("m", "f", "n") or columns[0] == "-" or columns[1] == "-":
            continue
        found.append((columns[0], columns[2], columns[3]))
    return found


def capital(text):
    return text[0].upper() + text[1:]


def document(noun, first, second, adjective):
    english, german, gender = noun
    article = {case: forms[gender] for case, forms in THE.items()}
    pronoun = {case: forms[gender] for case, forms in IT.items()}
    return ((FIRST[first][0].format(n=english), SECOND[second][0].format(a=adjective[0])),
            (capital(FIRST[first][1].format(N=german, **article)),
             capital(SECOND[second][1].format(A=adjective[1], **pronoun))))


def documents(seed):
    """Those for training, and those of the test, whose (noun, second sentence, adjective) are never in training."""
    draw = random.Random(seed)
    every = [(noun, second, adjective) for noun in nouns() for second in range(len(SECOND)) for adjective in ADJECTIVES]
    draw.shuffle(every)
    held, test, left = {"m": 0, "f": 0, "n": 0}, [], []
    for one in every:
        gender = one[0][2]
        part = test if held[gender] < 200 else left
        held[gender] += part is test
        part.append(one)
    whole = [document(noun, first, second, adjective) for noun, second, adjective in left
             for first in draw.sample(range(len(FIRST)), 3)]
    draw.shuffle(whole)
    return whole, [document(noun, draw.randrange(len(FIRST)), second, adjective) for noun, second, adjective in test]


def write(path, texts):
    path.write_text("".join(sentence + "\n" for text in texts for sentence in (*text, "")), encoding="utf-8")


def settings(folder, sides, updates):
    config = {
        "data": {"train": [str(folder / "train.en"), str(folder / "train.de")], "max_length": 60},
        "model": {"d_model": 128, "d_ff": 256, "heads": 4, "encoder_layers": 2, "decoder_layers": 2, "dropout": 0.1,
                  "norm": "pre", "tying": "all"},
        "tokenizer": {"vocab_size": 600, "shared": True},
        "training": {"batch_tokens": 1024, "threads": 1, "after": f"{updates}u", "report_every": "200u",
                     "save_every": "0", "report": False, "tensorboard": False,
                     "schedule": {"learning_rate": 0.003, "warmup_updates": 300}},
    }
    if sides != "none":
        config["data"]["context"] = {"sentences": 1, "sides": sides}
    return config


def run(command, stdin=None):
    done = subprocess.run([str(part) for part in command], input=stdin, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout.split("\n")[:-1]


def pronouns(sentence):
    return [word for word in sentence.lower().replace(",", " ").replace(".", " ").replace("?", " ").split()
            if word in PRONOUNS]


def measure(options, model, context, test):
    lines = [line for source, _ in test for line in (*source, "")]
    out = run([options.programs / "ventris-translate", "-m", model, "--context", context, "--no-guards"],
              "\n".join(lines) + "\n")
    firsts, seconds = out[0::3], out[1::3]
    count = len(test)
    right = sum(pronouns(found) == pronouns(target[1]) for found, (_, target) in zip(seconds, test))
    exact = sum(found == target[1] for found, (_, target) in zip(seconds, test))
    first = sum(found == target[0] for found, (_, target) in zip(firsts, test))
    return 100 * right / count, 100 * exact / count, 100 * first / count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--keep", type=pathlib.Path, required=True, help="folder for the text and the models")
    parser.add_argument("--sides", nargs="*", default=["none", "source", "both"], choices=["none", "source", "both"])
    parser.add_argument("--updates", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    train, test = documents(options.seed)
    for side, name in enumerate(("en", "de")):
        write(options.keep / f"train.{name}", [text[side] for text in train])
        write(options.keep / f"test.{name}", [text[side] for text in test])
    print(f"{len(train)} documents for training, {len(test)} for the test\n")
    print("| trained with | `--context` | pronoun right | second sentence right | first sentence right |")
    print("|---|---|---|---|---|")
    for sides in options.sides:
        model = options.keep / sides
        config = options.keep / f"{sides}.json"
        config.write_text(json.dumps(settings(options.keep, sides, options.updates)), encoding="utf-8")
        run([options.programs / "ventris-train", "-c", config, "--model", model, "--overwrite", "--quiet"])
        for context in (0, 1) if sides != "none" else (0,):
            right, exact, first = measure(options, model / "final", context, test)
            print(f"| {sides} | {context} | {right:.1f} % | {exact:.1f} % | {first:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
