"""German word forms: articles, adjectives, nouns, prepositions with articles, and verbs."""

from dataclasses import dataclass

CASES = ("nom", "acc", "dat")

# Endings of der-words (dieser, welcher, jeder) by gender or plural, in the order of CASES.
_DER_ENDINGS = {"m": ("er", "en", "em"), "f": ("e", "e", "er"), "n": ("es", "es", "em"), "pl": ("e", "e", "en")}
_DER = {"m": ("der", "den", "dem"), "f": ("die", "die", "der"), "n": ("das", "das", "dem"), "pl": ("die", "die", "den")}
_EIN_ENDINGS = {"m": ("", "en", "em"), "f": ("e", "e", "er"), "n": ("", "", "em"), "pl": ("e", "e", "en")}
_PRONOUNS = {"m": ("er", "ihn", "ihm"), "f": ("sie", "sie", "ihr"), "n": ("es", "es", "ihm"),
             "pl": ("sie", "sie", "ihnen")}
_WEAK = {"m": ("e", "en", "en"), "f": ("e", "e", "en"), "n": ("e", "e", "en"), "pl": ("en", "en", "en")}
_MIXED = {"m": ("er", "en", "en"), "f": ("e", "e", "en"), "n": ("es", "es", "en"), "pl": ("en", "en", "en")}

DER_WORDS = {"dies", "welch", "jed"}
EIN_WORDS = {"ein", "kein", "mein", "dein", "sein", "ihr", "Ihr", "unser"}

_CONTRACTIONS = {"in dem": "im", "in das": "ins", "an dem": "am", "an das": "ans", "zu dem": "zum", "zu der": "zur",
                 "bei dem": "beim", "von dem": "vom"}


@dataclass(frozen=True)
class Noun:
    """A German noun. `weak`: takes -n or -en in every case but the nominative (der Kollege, den Kollegen)."""
    word: str
    gender: str   # m, f or n
    plural: str   # "" if it has none
    weak: bool = False

    def form(self, case, plural=False):
        if plural:
            needs_n = case == "dat" and not self.plural.endswith(("n", "s"))
            return self.plural + ("n" if needs_n else "")
        if self.weak and case != "nom":
            return self.plural
        return self.word


@dataclass(frozen=True)
class Adjective:
    """`stem` differs from `word` in teuer (ein teures Auto) and the like; an empty stem marks what never inflects."""
    word: str
    stem: str
    comparative: str


def key(noun, plural):
    return "pl" if plural else noun.gender


def determiner(word, gender, case):
    """The form of `word` ("der", "dies", "ein", "mein", "" or a number) for `gender` ("m", "f", "n" or "pl")."""
    index = CASES.index(case)
    if word == "der":
        return _DER[gender][index]
    if word in DER_WORDS:
        return word + _DER_ENDINGS[gender][index]
    if word in EIN_WORDS:
        return word + _EIN_ENDINGS[gender][index]
    return word


def adjective(adj, word, gender, case):
    """The form of `adj` after the determiner `word`: weak after der, mixed after ein, strong after nothing."""
    if not adj.stem:
        return adj.word
    index = CASES.index(case)
    if word == "der" or word in DER_WORDS:
        ending = _WEAK[gender][index]
    elif word in EIN_WORDS:
        ending = _MIXED[gender][index]
    else:
        ending = _DER_ENDINGS[gender][index]
    return adj.stem + ending


def noun_phrase(det, adj, noun, case, plural=False):
    """noun_phrase("der", alt, Mann, "acc") is "den alten Mann". `det` may be "", `adj` may be None."""
    gender = key(noun, plural)
    words = [determiner(det, gender, case)]
    if adj:
        words.append(adjective(adj, det, gender, case))
    words.append(noun.form(case, plural))
    return " ".join(word for word in words if word)


def pronoun(gender, case):
    return _PRONOUNS[gender][CASES.index(case)]


def relative(gender, case):
    """The relative pronoun: the definite article, but for the dative plural."""
    return "denen" if (gender, case) == ("pl", "dat") else _DER[gender][CASES.index(case)]


def contract(preposition, phrase):
    """contract("zu", "dem Bahnhof") is "zum Bahnhof"."""
    article, _, rest = phrase.partition(" ")
    short = _CONTRACTIONS.get(f"{preposition} {article}")
    return f"{short} {rest}" if short and rest else f"{preposition} {phrase}"


@dataclass(frozen=True)
class Verb:
    """A verb by its principal parts; `prefix` is what it leaves at the end of a main clause (auf, spazieren)."""
    prefix: str
    joined: bool        # aufstehen, but spazieren gehen
    base: str           # stehen
    er: str             # steht
    participle: str     # aufgestanden
    auxiliary: str      # haben or sein
    imperative: str     # steh
    present: dict       # forms that the rules below get wrong, by person
    past: dict          # the simple past, only where German speaks in it: war, hatte, wollte

    def finite(self, person):
        """The present: `person` is ich, du, er, wir or sie (they and the polite Sie)."""
        if person in self.present:
            return self.present[person]
        if person == "er":
            return self.er
        if person == "du":
            stem = self.er[:-1]
            return self.er if stem.endswith(("s", "ß", "z", "x")) else stem + "st"
        if person == "ich":
            return (self.base[:-2] if self.base.endswith("en") else self.base[:-1]) + "e"
        return self.base

    def attach(self, form):
        """A form with the prefix before it, as at the end of a subordinate clause."""
        if not self.prefix:
            return form
        return self.prefix + ("" if self.joined else " ") + form

    @property
    def infinitive(self):
        return self.attach(self.base)

    @property
    def zu_infinitive(self):
        if self.prefix and self.joined:
            return self.prefix + "zu" + self.base
        return f"{self.prefix} zu {self.base}".strip()


PERSONS = ("ich", "du", "er", "wir", "sie")


def forms(text):
    return dict(zip(PERSONS, text.split(), strict=True))


def make_verb(name, er, participle, auxiliary, imperative="", present=None, past=None):
    """`name` marks a separable prefix: "auf-stehen", "spazieren+gehen"."""
    joined = "-" in name
    prefix, _, base = name.replace("+", "-").rpartition("-")
    stem = base[:-2] if base.endswith("en") else base[:-1]
    if not imperative:
        imperative = stem + ("e" if stem.endswith(("t", "d", "fn", "chn")) else "")
    return Verb(prefix, joined, base, er, participle, auxiliary, imperative, present or {}, past or {})


HABEN = make_verb("haben", "hat", "gehabt", "haben", "hab", forms("habe hast hat haben haben"),
                  forms("hatte hattest hatte hatten hatten"))
SEIN = make_verb("sein", "ist", "gewesen", "sein", "sei", forms("bin bist ist sind sind"),
                 forms("war warst war waren waren"))

# Verbs that take an infinitive: the present, and the simple past where English has one too.
MODALS = {
    "werden": make_verb("werden", "wird", "worden", "sein", "", forms("werde wirst wird werden werden")),
    "wollen": make_verb("wollen", "will", "gewollt", "haben", "", forms("will willst will wollen wollen"),
                        forms("wollte wolltest wollte wollten wollten")),
    "müssen": make_verb("müssen", "muss", "gemusst", "haben", "", forms("muss musst muss müssen müssen"),
                        forms("musste musstest musste mussten mussten")),
    "können": make_verb("können", "kann", "gekonnt", "haben", "", forms("kann kannst kann können können")),
    "möchten": make_verb("möchten", "möchte", "gemocht", "haben", "",
                         forms("möchte möchtest möchte möchten möchten")),
    "sollten": make_verb("sollten", "sollte", "gesollt", "haben", "",
                         forms("sollte solltest sollte sollten sollten")),
    "dürfen": make_verb("dürfen", "darf", "gedurft", "haben", "", forms("darf darfst darf dürfen dürfen")),
}
