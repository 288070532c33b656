"""English word forms: articles, and verb groups of statements, questions and negations."""

from dataclasses import dataclass

_VOWELS = tuple("aeiou")


def article(phrase):
    """ "a" or "an", by the first letter: the lexicon has no word such as "hour" or "university"."""
    return "an" if phrase.lower().startswith(_VOWELS) else "a"


@dataclass(frozen=True)
class Verb:
    base: str
    third: str
    past: str
    participle: str
    ing: str


def make_verb(base, past="", participle="", third="", ing=""):
    """Regular forms by rule where none is given."""
    y = base.endswith("y") and base[-2] not in "aeiou"
    e = base.endswith("e") and base != "be"
    regular = base[:-1] + "ied" if y else base + ("d" if e else "ed")
    sibilant = base.endswith(("s", "x", "ch", "sh", "z", "o"))
    return Verb(base, third or (base[:-1] + "ies" if y else base + ("es" if sibilant else "s")), past or regular,
                participle or past or regular, ing or ((base[:-1] if e and not base.endswith("ee") else base) + "ing"))


BE_PRESENT = {"ich": "am", "er": "is"}
BE_PAST = {"ich": "was", "er": "was"}


def be(person, past=False):
    """`person` as in german.py, but of the English subject: du and sie both take "are"."""
    return BE_PAST.get(person, "were") if past else BE_PRESENT.get(person, "are")


def verb_group(verb, tense, person, question, negative):
    """(auxiliary, main verb): "did", "buy"; the auxiliary is "" where English needs none.

    `tense`: simple, past, progressive, perfect, or a modal: will, can, should, may, would, want, must, wanted, had.
    """
    do_needed = question or negative
    third = person == "er"
    if verb.base == "be" and tense in ("simple", "past"):
        return be(person, tense == "past"), ""
    if tense == "simple":
        return ("does" if third else "do", verb.base) if do_needed else ("", verb.third if third else verb.base)
    if tense == "past":
        return ("did", verb.base) if do_needed else ("", verb.past)
    if tense == "progressive":
        return be(person), verb.ing
    if tense == "perfect":
        return "has" if third else "have", verb.participle
    if tense in ("want", "must", "wanted", "had"):
        outer = {"want": ("want", "wants", "wanted"), "must": ("have", "has", "had")}
        outer = outer.get(tense) or outer[{"wanted": "want", "had": "must"}[tense]]
        if tense in ("wanted", "had"):
            return ("did", f"{outer[0]} to {verb.base}") if do_needed else ("", f"{outer[2]} to {verb.base}")
        if do_needed:
            return "does" if third else "do", f"{outer[0]} to {verb.base}"
        return "", f"{outer[1 if third else 0]} to {verb.base}"
    if tense == "would":
        return "would", f"like to {verb.base}"
    return tense, verb.base


def deny(auxiliary):
    return "cannot" if auxiliary == "can" else f"{auxiliary} not"
