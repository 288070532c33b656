#!/usr/bin/env python3
"""The phrase book: what the files promise, and German that a reader would accept."""

import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PHRASEBOOK = ROOT / "data" / "phrasebook"
sys.dont_write_bytecode = True
sys.path.insert(0, str(PHRASEBOOK))

import clauses  # noqa: E402
import english  # noqa: E402
import frames  # noqa: E402
import generate  # noqa: E402
import german  # noqa: E402
import lexicon  # noqa: E402
import phrases  # noqa: E402
import sentences  # noqa: E402

LEXICON = lexicon.read()
LINES = 4000


def noun(name):
    return next(n for n in LEXICON.nouns if name in (n.singular, n.plural))


def adjective(name):
    return next(a for a in LEXICON.adjectives if a.english == name)


def german_phrase(det, adj, name, case, plural=False):
    return german.noun_phrase(det, adjective(adj).german if adj else None, noun(name).german, case, plural)


class Clauses:
    """Clauses built by hand, from the frames of frames.txt."""

    def __init__(self):
        self.phrases = phrases.Phrases(LEXICON, random.Random(1))
        self.frames = frames.read_frames(LEXICON)
        clauses.Clauses(LEXICON, self.frames, self.phrases)  # completes the English verbs

    def clause(self, pattern, who, tense, time=None, negative=False, adverb=None, **slots):
        """`pattern` begins as the frame's English does; `who` is a pronoun; `slots` are Phrases."""
        wanted = set(slots)
        frame = next(f for f in self.frames
                     if f.english.startswith(pattern) and {name for name, _ in f.slots} == wanted)
        subject = phrases.pronoun(who)
        moment = phrases.Phrase({"": time[0]}, {"": time[1]}, time[0]) if time else None
        often = phrases.Phrase({"": adverb[0]}, {"": adverb[1]}, adverb[0]) if adverb else None
        return clauses.Clause(frame, LEXICON.english_verbs[frame.english.split()[0]], LEXICON.german_verbs[frame.verb],
                              subject, {name: slots[name] for name, _ in frame.slots}, tense, negative, moment, often,
                              "")

    def thing(self, name, det="the", adj=None, owner="I"):
        return self.phrases.build(noun(name), det, adjective(adj) if adj else None, phrases.pronoun(owner))

    def place(self, name):
        return self.phrases.named_place(next(p for p in LEXICON.places if p.head == name))

    def somebody(self, name):
        return self.phrases.person_phrase(phrases.pronoun(name), "person")

    def brother(self, owner="I"):
        own = phrases.pronoun(owner)
        forms = [german.noun_phrase(own.own, None, noun("brother").german, case) for case in german.CASES]
        text = f"{own.english_own} brother"
        who = phrases.Person("brother", text, text, "his", "er", *forms, "sein", "he")
        return self.phrases.person_phrase(who, "person")


TOMORROW, YESTERDAY = ("tomorrow", "morgen"), ("yesterday", "gestern")


class Agreement(unittest.TestCase):
    def test_articles_adjectives_and_nouns_agree(self):
        expected = {
            ("der", "old", "suitcase", "nom"): "der alte Koffer",
            ("der", "old", "suitcase", "acc"): "den alten Koffer",
            ("der", "old", "suitcase", "dat"): "dem alten Koffer",
            ("ein", "old", "suitcase", "nom"): "ein alter Koffer",
            ("ein", "old", "suitcase", "acc"): "einen alten Koffer",
            ("kein", "new", "bag", "acc"): "keine neue Tasche",
            ("der", "new", "bag", "dat"): "der neuen Tasche",
            ("ein", "new", "bicycle", "nom"): "ein neues Fahrrad",
            ("dies", "new", "bicycle", "acc"): "dieses neue Fahrrad",
            ("unser", "new", "bicycle", "dat"): "unserem neuen Fahrrad",
            ("ein", "expensive", "watch", "acc"): "eine teure Uhr",
            ("", "cold", "water", "acc"): "kaltes Wasser",
            ("", "hot", "tea", "nom"): "heißer Tee",
            ("", "fresh", "fish", "dat"): "frischem Fisch",
            ("der", "", "colleague", "acc"): "den Kollegen",
            ("mein", "", "neighbour", "dat"): "meinem Nachbarn",
        }
        for (det, adj, name, case), text in expected.items():
            self.assertEqual(german_phrase(det, adj, name, case), text)

    def test_plurals_agree(self):
        expected = {
            ("der", "red", "coat", "nom"): "die roten Mäntel",
            ("", "red", "coat", "acc"): "rote Mäntel",
            ("zwei", "small", "room", "acc"): "zwei kleine Zimmer",
            ("der", "", "child", "dat"): "den Kindern",
            ("mein", "", "friend", "dat"): "meinen Freunden",
            ("dies", "big", "car", "dat"): "diesen großen Autos",
        }
        children = german.Noun("Kind", "n", "Kinder")
        for (det, adj, name, case), text in expected.items():
            word = children if name == "child" else noun(name).german
            self.assertEqual(german.noun_phrase(det, adjective(adj).german if adj else None, word, case, True), text)

    def test_prepositions_contract_with_articles(self):
        self.assertEqual(german.contract("zu", "dem Bahnhof"), "zum Bahnhof")
        self.assertEqual(german.contract("zu", "der alten Brücke"), "zur alten Brücke")
        self.assertEqual(german.contract("in", "das Museum"), "ins Museum")
        self.assertEqual(german.contract("auf", "dem Markt"), "auf dem Markt")

    def test_verbs_conjugate(self):
        expected = {"fahren": "fahre fährst fährt fahren fahren", "lesen": "lese liest liest lesen lesen",
                    "arbeiten": "arbeite arbeitest arbeitet arbeiten arbeiten", "essen": "esse isst isst essen essen",
                    "an-rufen": "rufe rufst ruft rufen rufen", "ein-laden": "lade lädst lädt laden laden",
                    "nehmen": "nehme nimmst nimmt nehmen nehmen", "waschen": "wasche wäschst wäscht waschen waschen"}
        for name, forms in expected.items():
            verb = LEXICON.german_verbs[name]
            self.assertEqual(" ".join(verb.finite(person) for person in german.PERSONS), forms)

    def test_separable_verbs_join_where_german_joins_them(self):
        up, walk = LEXICON.german_verbs["auf-stehen"], LEXICON.german_verbs["spazieren+gehen"]
        self.assertEqual([up.infinitive, up.zu_infinitive, up.attach("steht")],
                         ["aufstehen", "aufzustehen", "aufsteht"])
        self.assertEqual((walk.infinitive, walk.zu_infinitive), ("spazieren gehen", "spazieren zu gehen"))

    def test_every_verb_but_the_auxiliaries_has_a_participle(self):
        for name, verb in LEXICON.german_verbs.items():
            self.assertTrue(verb.participle, name)
            self.assertIn(verb.auxiliary, ("haben", "sein"), name)

    def test_english_verbs_inflect(self):
        self.assertEqual(english.make_verb("try"), english.Verb("try", "tries", "tried", "tried", "trying"))
        self.assertEqual(english.make_verb("arrive"),
                         english.Verb("arrive", "arrives", "arrived", "arrived", "arriving"))
        self.assertEqual([english.article(word) for word in ("apple", "old bag", "bag")], ["an", "an", "a"])


class WordOrder(unittest.TestCase):
    def setUp(self):
        self.make = Clauses()

    def check(self, clause, form, english_text, german_text, german_form=None):
        self.assertEqual(clause.english_form(form), english_text)
        self.assertEqual(clause.german_form(form if german_form is None else german_form), german_text)

    def test_main_clauses(self):
        make = self.make
        coat, museum = make.thing("coat", "the"), make.thing("museum")
        self.check(make.clause("buy {x}", "he", "near", TOMORROW, x=coat), "", "he is buying the coat tomorrow",
                   "er kauft morgen den Mantel")
        self.check(make.clause("buy {x}", "he", "past", YESTERDAY, negative=True, x=coat), "",
                   "he did not buy the coat yesterday", "er hat den Mantel gestern nicht gekauft")
        self.check(make.clause("buy {x}", "I", "past", YESTERDAY, negative=True, x=make.thing("coat", "a", "new")), "",
                   "I did not buy a new coat yesterday", "ich habe gestern keinen neuen Mantel gekauft")
        self.check(make.clause("go {l.to}", "we", "past", l=museum), "", "we went to the museum",
                   "wir sind ins Museum gegangen")
        self.check(make.clause("buy a ticket {l.to}", "I", "would", TOMORROW, l=make.place("Berlin")), "",
                   "I would like to buy a ticket to Berlin tomorrow",
                   "ich möchte morgen eine Fahrkarte nach Berlin kaufen")
        self.check(make.clause("buy {x}", "she", "done", x=coat), "", "she has already bought the coat",
                   "sie hat den Mantel schon gekauft")
        self.check(make.clause("buy {x}", "she", "done", negative=True, x=make.thing("coat", "a")), "",
                   "she has not bought a coat yet", "sie hat noch keinen Mantel gekauft")
        self.check(make.clause("call {p}", "they", "wanted", YESTERDAY, p=make.brother("they")), "",
                   "they wanted to call their brother yesterday", "sie wollten gestern ihren Bruder anrufen")
        self.check(make.clause("help {p}", "I", "cant", negative=True, p=make.somebody("she")), "", "I cannot help her",
                   "ich kann ihr nicht helfen")
        self.check(make.clause("swim {l.at}", "we", "habit", adverb=("often", "oft"), l=make.thing("lake")), "",
                   "we often swim in the lake", "wir schwimmen oft im See")

    def test_separable_and_reflexive_verbs(self):
        make = self.make
        self.check(make.clause("get up", "I", "near", ("at seven", "um sieben")), "", "I am getting up at seven",
                   "ich stehe um sieben auf")
        self.check(make.clause("get up", "I", "simple", ("at seven", "um sieben")), "", "I get up at seven",
                   "ich um sieben aufstehe", "last")
        self.check(make.clause("look at {x}", "I", "past", YESTERDAY, x=make.thing("castle")), "",
                   "I looked at the castle yesterday", "ich habe mir gestern das Schloss angesehen")
        self.check(make.clause("look forward", "we", "ongoing", x=make.thing("trip")), "",
                   "we are looking forward to the trip", "wir freuen uns auf die Reise")
        self.check(make.clause("go for a walk {l.at}", "I", "will", l=make.thing("park")), "inf",
                   "go for a walk in the park", "im Park spazieren zu gehen", "zu")

    def test_the_verb_is_second_after_a_fronted_time_and_last_in_a_subordinate_clause(self):
        visit = self.make.clause("visit {p}", "he", "will", TOMORROW, p=self.make.brother("he"))
        self.check(visit, "fronted", "tomorrow he will visit his brother", "morgen wird er seinen Bruder besuchen")
        self.check(visit, "question", "will he visit his brother tomorrow", "wird er morgen seinen Bruder besuchen")
        self.check(visit, "", "he will visit his brother tomorrow", "er morgen seinen Bruder besuchen wird", "last")

    def test_pronouns_come_before_the_time(self):
        see = self.make.clause("call {p}", "I", "past", YESTERDAY, p=self.make.somebody("he"))
        self.check(see, "", "I called him yesterday", "ich habe ihn gestern angerufen")

    def test_polite_and_friendly_imperatives(self):
        window = self.make.thing("window")
        self.check(self.make.clause("close {x}", "you", "imp", x=window), "inf", "close the window",
                   "machen Sie das Fenster zu", "imp")
        self.check(self.make.clause("close {x}", "du", "imp", x=window), "inf", "close the window",
                   "mach das Fenster zu", "imp")
        self.check(self.make.clause("close {x}", "you", "imp", negative=True, x=window), "inf",
                   "do not close the window", "machen Sie das Fenster nicht zu", "imp")
        book, table = self.make.thing("book"), self.make.thing("table")
        self.check(self.make.clause("lay {x} on {y}", "you", "imp", x=book, y=table), "inf",
                   "lay the book on the table", "das Buch auf den Tisch legen", "bare")

    def test_places_take_the_case_of_where_or_whereto(self):
        make = self.make
        forms = {"station": ["am Bahnhof", "zum Bahnhof", "vom Bahnhof"],
                 "city": ["in der Stadt", "in die Stadt", "aus der Stadt"],
                 "market": ["auf dem Markt", "auf den Markt", "vom Markt"],
                 "café": ["im Café", "ins Café", "aus dem Café"]}
        for name, expected in forms.items():
            place = make.thing(name).german
            self.assertEqual([place[form] for form in ("at", "to", "from")], expected)
        self.assertEqual(make.place("Switzerland").german["to"], "in die Schweiz")
        self.assertEqual(make.thing("trousers", "this").german["acc"], "diese Hose")


class Corpus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = generate.corpus(7, LINES)

    def test_each_part_has_the_lines_it_should(self):
        counts = {part: len(drawn) for part, drawn in self.found.items()}
        self.assertEqual(counts, {"train": LINES, "valid": generate.HELD_OUT, "test": generate.HELD_OUT})

    def test_an_english_sentence_has_one_german_reference_and_stands_once(self):
        drawn = [sentence.english for part in self.found.values() for sentence in part]
        self.assertEqual(len(drawn), len(set(drawn)))

    def test_sentences_look_like_sentences(self):
        for part in self.found.values():
            for sentence in part:
                for text in (sentence.english, sentence.german):
                    self.assertTrue(text[0].isupper() and text[-1] in ".?!", text)
                    self.assertNotRegex(text, r"[{}\[\]|~]|  | [.,?!]")
                    self.assertNotRegex(text, r"\b(in|an|zu|von) (dem|das)\b|\bzu der\b")

    def test_you_is_du_only_to_a_friend(self):
        for part in self.found.values():
            for sentence in part:
                first = sentence.english.partition(",")[0]
                friend = first in {name for name, _ in LEXICON.names}
                polite, friendly = r"\b(Ihnen|Ihr|Ihre[nmrs]?)\b", r"\b([Dd]u|[Dd]ich|[Dd]ir|[Dd]eine?[nmrs]?)\b"
                self.assertNotRegex(sentence.german, polite if friend else friendly)

    def test_what_is_held_out_is_found_out_when_it_is_not(self):
        broken = dict(self.found, test=[self.found["train"][0]])
        with self.assertRaisesRegex(SystemExit, "test and train both have"):
            generate.check(broken)
        unknown = sentences.Sentence("Zebras!", "Zebras!", frozenset({"new"}))
        with self.assertRaisesRegex(SystemExit, "a word that train lacks"):
            generate.check(dict(self.found, test=[unknown]))


class Program(unittest.TestCase):
    def run_program(self, *arguments):
        command = [sys.executable, "-B", str(PHRASEBOOK / "generate.py"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def files(self, seed):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_program("--out", folder, "--seed", str(seed), "--train", "4000")
            self.assertEqual(done.returncode, 0, done.stderr)
            return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}

    def test_a_seed_writes_the_same_files_and_another_seed_does_not(self):
        first, again, other = self.files(3), self.files(3), self.files(4)
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        names = [f"{part}.{language}" for part in ("test", "train", "valid") for language in ("de", "en")]
        self.assertEqual(sorted(first), names)
        for part in ("train", "valid", "test"):
            self.assertEqual(first[f"{part}.en"].count(b"\n"), first[f"{part}.de"].count(b"\n"))

    def test_a_folder_that_cannot_be_written_is_named(self):
        with tempfile.NamedTemporaryFile() as file:
            done = self.run_program("--out", file.name, "--train", "4000")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(file.name, done.stderr)


if __name__ == "__main__":
    unittest.main()
