"""What fills a slot: noun phrases, places, people, measures, words of a list and times, drawn at random."""

import re
from dataclasses import dataclass, field

import english
import german

# English subject, object, possessive | person | German nominative, accusative, dative, possessive
_PRONOUNS = {
    "I": ("I", "me", "my", "ich", "ich", "mich", "mir", "mein"),
    "you": ("you", "you", "your", "sie", "Sie", "Sie", "Ihnen", "Ihr"),
    "du": ("you", "you", "your", "du", "du", "dich", "dir", "dein"),
    "he": ("he", "him", "his", "er", "er", "ihn", "ihm", "sein"),
    "she": ("she", "her", "her", "er", "sie", "sie", "ihr", "ihr"),
    "it": ("it", "it", "its", "er", "es", "es", "ihm", "sein"),
    "we": ("we", "us", "our", "wir", "wir", "uns", "uns", "unser"),
    "they": ("they", "them", "their", "sie", "sie", "sie", "ihnen", "ihr"),
    "who": ("who", "whom", "whose", "er", "wer", "wen", "wem", "sein"),
}
_PERSONS_ASKED = {"subject": "I we he she they", "man": "he", "woman": "she"}
_MEASURES = (("cup", "cupful"), ("glass", "glassful"), ("bottle", "bottled"))


@dataclass
class Phrase:
    """A filled slot: the text of each form, and what German grammar has to know of it."""
    english: dict               # "": as is; noun, at, to, from, it, more, ...
    german: dict                # nom, acc, dat, er, ihn, rel, at, to, from, ...; "" as is
    head: str                   # the words that make a combination
    singular: bool = True       # of English
    german_singular: bool = True
    gender: str = "m"           # m, f, n or pl, of German
    indefinite: bool = False    # negated by "kein"
    pronoun: bool = False
    person: object = None       # a Person
    noun: object = None
    classes: frozenset = field(default_factory=frozenset)


@dataclass(frozen=True)
class Person:
    """Who does something. `person` is ich, du, er, wir or sie, and serves both languages."""
    name: str
    english: str
    english_object: str
    english_own: str
    person: str
    nom: str
    acc: str
    dat: str
    own: str
    again: str  # the pronoun that refers to this person in the next clause

    @property
    def is_pronoun(self):
        return self.name in _PRONOUNS


def pronoun(name):
    return Person(name, *_PRONOUNS[name], name)


class Phrases:
    """Draws phrases. `friend` is the name of whom the sentence addresses as "du", or ""."""

    def __init__(self, lexicon, random):
        self.lexicon = lexicon
        self.random = random
        self.friend = ""
        self._by_classes = {}

    def chance(self, probability):
        return self.random.random() < probability

    def nouns(self, classes):
        """Nouns and places of any of the classes; those of the first class come no more often than the others."""
        if classes not in self._by_classes:
            wanted = set(classes)
            found = [noun for noun in self.lexicon.nouns + self.lexicon.places if noun.classes & wanted]
            if not found:
                raise SystemExit(f"no noun or place is of the class {' or '.join(classes)}")
            self._by_classes[classes] = found
        return self._by_classes[classes]

    # --- People --------------------------------------------------------------------------------------------------

    def you(self):
        return pronoun("du" if self.friend else "you")

    def _name(self, avoid=()):
        names = [pair for pair in self.lexicon.names if pair[0] != self.friend and pair[0] not in avoid]
        name, gender = self.random.choice(names)
        like = pronoun("he" if gender == "m" else "she")
        return Person(name, name, name, like.english_own, "er", name, name, name, like.own, like.name)

    def relative(self, owner=None, avoid=()):
        """Somebody of `owner`'s, by default of mine, ours, his or hers: my brother."""
        owner = owner or pronoun(self.random.choice(["I", "I", "I", "we", "he", "she"]))
        noun = self.random.choice([noun for noun in self.nouns(("family",)) if noun.head not in avoid])
        folk = not noun.singular
        forms = {case: german.noun_phrase(owner.own, None, noun.german, case, folk) for case in german.CASES}
        text = f"{owner.english_own} {noun.head}"
        again = "they" if folk else "she" if "woman" in noun.classes else "he"
        like = pronoun(again)
        return Person(noun.head, text, text, like.english_own, "sie" if folk else "er", forms["nom"], forms["acc"],
                      forms["dat"], like.own, again)

    def subject(self, who, avoid=()):
        """`who`: names of pronouns, "name" or "family", drawn from in equal shares."""
        choice = self.random.choice([name for name in who if name not in avoid] or list(who))
        if choice == "name":
            return self._name(avoid)
        if choice == "family":
            return self.relative(avoid=avoid)
        return self.you() if choice == "you" else pronoun(choice)

    def _another(self, subject):
        """Somebody whom `subject` does something to or with."""
        if self.chance(0.45):
            owner = subject if subject and subject.name not in ("who", "it") else None
            return self.relative(owner, (subject.name,) if subject else ())
        if self.chance(0.35):
            return self._name((subject.name,) if subject else ())
        # "He helps him" is somebody else, but "I help me" and "we help me" are not said.
        first = subject is not None and subject.person in ("ich", "wir")
        second = subject is not None and subject.name in ("you", "du")
        names = ["he", "she", "they"] + ([] if first else ["I", "we"]) + ([] if second else ["you"])
        if subject is not None and subject.again in names:
            names.remove(subject.again)
        return self.subject(names)

    def person(self, kind, subject=None):
        if kind in ("person", "mine"):
            who = self._another(pronoun("I") if kind == "mine" else subject)
        elif kind in _PERSONS_ASKED:
            names = _PERSONS_ASKED[kind].split()
            who = self.subject(names) if self.chance(0.4) else self.subject(["name", "family"])
            while kind != "subject" and who.again not in names:
                who = self.subject(["name", "family"])
        else:
            who = pronoun(kind)
        return self.person_phrase(who, kind)

    def person_phrase(self, who, kind):
        text = who.english if kind in _PERSONS_ASKED else who.english_object
        forms = {"nom": who.nom, "acc": who.acc, "dat": who.dat, "haben": german.HABEN.finite(who.person),
                 "sein": german.SEIN.finite(who.person), "mögen": _MOEGEN.finite(who.person)}
        return Phrase({"": text}, forms, who.name, who.person == "er", person=who, pronoun=who.is_pronoun)

    # --- Nouns ---------------------------------------------------------------------------------------------------

    def adjectives(self, noun, need=""):
        """Those that go with the noun; `need`: another class that the adjective itself is of."""
        return [a for a in self.lexicon.adjectives
                if a.classes & (noun.classes | {noun.head}) and (not need or need in a.classes)]

    def noun(self, classes, determiners, owner=None, noun=None):
        """A noun phrase; see frames.txt for the determiners."""
        for _ in range(100):
            chosen = noun or self.random.choice(self.nouns(classes))
            if not hasattr(chosen, "singular"):
                return self.named_place(chosen)
            possible = [det for det in determiners if det != "bare" and _fits(det, chosen)]
            if possible:
                adjective = None
                if "bare" not in determiners and "by" not in possible and self.chance(0.35):
                    fitting = self.adjectives(chosen)
                    adjective = self.random.choice(fitting) if fitting else None
                return self.build(chosen, self.random.choice(possible), adjective, owner)
        raise SystemExit(f"no noun of {classes} takes any of {determiners}")

    def build(self, noun, det, adjective=None, owner=None):
        owner = owner or pronoun("I")
        number = self.random.choice(self.lexicon.lists["few"]) if det == "num" else None
        det = "some" if det == "a" and not noun.singular else det
        plural = det in ("thes", "these", "owns", "num") or not noun.singular or (det == "some" and not noun.mass)
        german_plural = bool(noun.german.plural) and plural
        det_word = {"the": "der", "thes": "der", "by": "der", "this": "dies", "these": "dies", "a": "ein",
                    "own": owner.own, "owns": owner.own, "some": "", "num": number.german if number else ""}[det]
        if det == "some" and plural and not german_plural and "mass" not in noun.classes:
            det_word = "ein"  # trousers: eine Hose
        article = {"the": "the", "thes": "the", "this": "these" if plural else "this", "these": "these",
                   "own": owner.english_own, "owns": owner.english_own, "num": number.english if number else ""}
        name = noun.plural if plural else noun.singular
        bare = f"{adjective.english} {name}" if adjective else name
        first = english.article(bare) if det == "a" and not plural else article.get(det, "")
        phrase = Phrase({"": f"{first} {bare}".strip(), "noun": bare, "it": "they" if plural else "it"}, {},
                        noun.head, not plural, not german_plural, indefinite=det in ("a", "some"), noun=noun,
                        classes=noun.classes)
        phrase.gender = german.key(noun.german, german_plural)
        self._german_forms(phrase, det_word, adjective)
        if noun.place:
            self._place_forms(phrase)
        return phrase

    def _german_forms(self, phrase, det, adjective):
        noun, plural = phrase.noun.german, not phrase.german_singular
        shape = adjective.german if adjective else None
        for case in german.CASES:
            phrase.german[case] = german.noun_phrase(det, shape, noun, case, plural)
        phrase.german.update(er=german.pronoun(phrase.gender, "nom"), ihn=german.pronoun(phrase.gender, "acc"),
                             rel=german.relative(phrase.gender, "acc"),
                             plural=noun.form("nom", plural),
                             kein=german.noun_phrase("kein", shape, noun, "acc", plural))

    def _place_forms(self, phrase):
        at, german_at, german_to = phrase.noun.place
        text, forms = phrase.english[""], phrase.german
        phrase.english.update({"at": f"{at} {text}", "to": f"to {text}", "from": f"from {text}"})
        forms["at"] = german.contract(german_at, forms["dat"])
        forms["to"] = german.contract(german_to, forms["dat" if german_to == "zu" else "acc"])
        forms["zum"] = german.contract("zu", forms["dat"])
        forms["from"] = german.contract("aus" if german_at == "in" else "von", forms["dat"])

    def named_place(self, place):
        return Phrase(dict(place.english, **{"": place.english["noun"]}), dict(place.german), place.head,
                      classes=place.classes)

    def predicate(self, phrase, need=""):
        """An adjective to say of the phrase, not the one that it has already."""
        fitting = [a for a in self.adjectives(phrase.noun, need)
                   if a.more and a.english not in phrase.english["noun"].split()]
        return self.random.choice(fitting) if fitting else None

    def measure(self, determiners):
        """A cup of tea, two bottles of water."""
        vessel, filled = self.random.choice(_MEASURES)
        noun = next(noun for noun in self.lexicon.nouns if noun.singular == vessel)
        return self._of(self.build(noun, self.random.choice(determiners)), self.random.choice(self.nouns((filled,))))

    def kilo(self):
        what = self.random.choice(self.nouns(("kilo",)))
        count = self.random.choice(self.lexicon.lists["few"]) if self.chance(0.5) else None
        text = f"{count.english} kilos of {what.plural}" if count else f"a kilo of {what.plural}"
        forms = {}
        for case, ein in zip(german.CASES, ("ein", "ein", "einem")):
            forms[case] = f"{count.german if count else ein} Kilo {what.german.plural}"
        forms["kein"] = f"kein Kilo {what.german.plural}"
        return Phrase({"": text}, forms, what.head, count is None)

    def _of(self, vessel, what):
        name = what.singular
        vessel.english = {"": f"{vessel.english['']} of {name}", "noun": vessel.english["noun"]}
        vessel.german = {form: f"{text} {what.german.word}" for form, text in vessel.german.items()}
        vessel.head += " " + name
        return vessel

    # --- Lists and times -----------------------------------------------------------------------------------------

    def _expand(self, pair):
        text, translation = pair.english, pair.german
        for name in re.findall(r"\{(\w+)\}", text):
            choice = self.random.choice(self.lexicon.lists[name])
            text = text.replace(f"{{{name}}}", choice.english)
            translation = translation.replace(f"{{{name}}}", choice.german)
        return Phrase({"": text}, {"": translation}, text)

    def word(self, name):
        return self._expand(self.random.choice(self.lexicon.lists[name]))

    def time(self, kind):
        return self._expand(self.random.choice(self.lexicon.times[kind]))

    def slot(self, spec, subject=None):
        """Fills a slot as written in frames.txt and sentences.txt."""
        classes, _, determiners = spec.partition("/")
        names, dets = tuple(classes.split("+")), tuple(determiners.split(",")) if determiners else ("the",)
        if classes in ("person", "mine", "subject", "man", "woman"):
            return self.person(classes, subject)
        if all(name in self.lexicon.lists for name in names):
            return self.word(self.random.choice(names))
        if classes in self.lexicon.times:
            return self.time(classes)
        if names[0] in ("drinkable", "kilos"):
            return self.measure([det for det in dets if det != "bare"]) if names[0] == "drinkable" else self.kilo()
        if "anyown" in dets:
            return self.noun(names, ("own", "bare"), pronoun(self.random.choice(["I", "I", "he", "she"])))
        if "your" in dets:
            return self.noun(names, ("own", "bare"), self.you())
        return self.noun(names, dets, subject)


_MOEGEN = german.make_verb("mögen", "mag", "gemocht", "haben", "", german.forms("mag magst mag mögen mögen"))


def _fits(det, noun):
    """Whether the noun can be said with the determiner."""
    if det in ("num", "thes", "these", "owns"):
        return bool(noun.singular and noun.plural)
    if det == "a":
        return not noun.mass and "mass" not in noun.classes
    return True
