"""Reads the tables beside it (nouns.txt and so on): columns between "|", comments after "#"."""

from dataclasses import dataclass, field
from pathlib import Path

import english
import german

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Noun:
    """`singular` is "" for what English only has in the plural, `plural` is "" for a mass noun."""
    singular: str
    plural: str
    german: german.Noun
    classes: frozenset
    place: tuple  # () or English "at", German prepositions for "at" and "to"

    @property
    def mass(self):
        return not self.plural

    @property
    def head(self):
        return self.singular or self.plural


@dataclass(frozen=True)
class Adjective:
    english: str
    more: str  # the comparative, "" if there is none
    german: german.Adjective
    classes: frozenset


@dataclass(frozen=True)
class Place:
    """A place with phrases of its own: at, to and from in each language."""
    classes: frozenset
    english: dict
    german: dict
    head: str


@dataclass(frozen=True)
class Pair:
    english: str
    german: str


@dataclass
class Lexicon:
    nouns: list = field(default_factory=list)
    adjectives: list = field(default_factory=list)
    places: list = field(default_factory=list)
    names: list = field(default_factory=list)    # (name, "m" or "f")
    lists: dict = field(default_factory=dict)    # name -> [Pair]
    times: dict = field(default_factory=dict)    # kind -> [Pair], a pair more than once if it is more likely
    german_verbs: dict = field(default_factory=dict)
    english_verbs: dict = field(default_factory=dict)


def rows(name, least, most):
    """Yields (where, columns) of a table; columns left out at the end are empty."""
    for number, line in enumerate((FOLDER / name).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("|")]
        where = f"{name}:{number}"
        if not least <= len(columns) <= most:
            raise SystemExit(f"{where}: expected {least} to {most} columns, found {len(columns)}")
        yield where, columns + [""] * (most - len(columns))


def _dash(text):
    return "" if text == "-" else text


def _noun(where, singular, plural, word, gender, german_plural, classes):
    if gender not in ("m", "f", "n", "m-n"):
        raise SystemExit(f"{where}: expected the gender m, f, n or m-n, found {gender!r}")
    kinds = set(classes.split())
    place = next((kind for kind in kinds if kind.startswith("place:")), "")
    forms = german.Noun(_dash(word), gender[0], _dash(german_plural), gender == "m-n")
    prepositions = tuple(place.removeprefix("place:").split(",")) if place else ()
    return Noun(_dash(singular), _dash(plural), forms, frozenset(kinds - {place}), prepositions)


def _verb(name, er, participle, auxiliary, imperative):
    if name in ("haben", "sein"):
        return german.HABEN if name == "haben" else german.SEIN
    return german.make_verb(name, er, participle, auxiliary, imperative)


def _german_place(keys, phrases, name):
    return dict(zip(keys, phrases), **{form: name for form in ("", "nom", "acc", "dat")})


def _read_places(lexicon):
    for _, (classes, *phrases, name, german_name) in rows("places.txt", 9, 9):
        keys = ("at", "to", "from")
        lexicon.places.append(Place(frozenset(classes.split()), dict(zip(keys, phrases[:3]), noun=name),
                                    _german_place(keys, phrases[3:], german_name), name))


def _read_times(lexicon):
    for _, (text, translation, kinds, weight) in rows("times.txt", 3, 4):
        for kind in kinds.split():
            lexicon.times.setdefault(kind, []).extend([Pair(text, translation)] * int(weight or 1))


def read():
    lexicon = Lexicon()
    for where, columns in rows("nouns.txt", 6, 6):
        lexicon.nouns.append(_noun(where, *columns))
    for _, (text, more, word, stem, comparative, classes) in rows("adjectives.txt", 6, 6):
        forms = german.Adjective(word, stem or word, _dash(comparative))
        lexicon.adjectives.append(Adjective(text, _dash(more), forms, frozenset(classes.split())))
    for _, (name, *columns) in rows("verbs.txt", 3, 5):
        lexicon.german_verbs[name] = _verb(name, *columns)
    for _, columns in rows("irregular.txt", 1, 5):
        lexicon.english_verbs[columns[0]] = english.make_verb(*columns)
    for _, (name, text, translation) in rows("words.txt", 3, 3):
        lexicon.lists.setdefault(name, []).append(Pair(text, translation))
    lexicon.names = [tuple(columns) for _, columns in rows("people.txt", 2, 2)]
    _read_places(lexicon)
    _read_times(lexicon)
    return lexicon
