"""The frames of frames.txt (buy {x} = {x} kaufen) and the tenses that they can stand in."""

import re
from dataclasses import dataclass

from lexicon import rows

SLOT = re.compile(r"\{(\w+)(?:\.(\w+))?\}")

# Tense: English verb group | German: present, perfect or a modal verb | kinds of time | how often it is denied
TENSES = {
    "near": ("progressive", "present", "near", 0.12),
    "habit": ("simple", "present", "habit adverb", 0.0),
    "now": ("progressive", "present", "", 0.0),
    "ongoing": ("progressive", "present", "", 0.0),
    "state": ("simple", "present", "", 0.2),
    "simple": ("simple", "present", "", 0.0),
    "past": ("past", "perfect", "past", 0.2),
    "bepast": ("past", "perfect", "past", 0.2),
    "done": ("perfect", "perfect", "", 0.35),
    "will": ("will", "werden", "near", 0.15),
    "want": ("want", "wollen", "near", 0.2),
    "can": ("can", "können", "near", 0.15),
    "cant": ("can", "können", "near", 1.0),
    "must": ("must", "müssen", "near", 0.15),
    "plainmust": ("must", "müssen", "", 0.0),
    "plainshould": ("should", "sollten", "", 0.0),
    "would": ("would", "möchten", "near", 0.0),
    "should": ("should", "sollten", "near", 0.15),
    "wanted": ("wanted", "wollen", "past", 0.15),
    "had": ("had", "müssen", "past", 0.1),
    "imp": ("imp", "imp", "", 0.0),
}
USUAL = ["near", "past", "past", "done", "will", "want", "can", "must", "would", "should", "wanted", "had"]


@dataclass(frozen=True)
class Frame:
    where: str
    english: str       # with the verb first
    verb: str
    before: str        # German, before and after "nicht"
    after: str
    slots: tuple       # (name, spec)
    options: dict

    @property
    def tenses(self):
        if "tenses" in self.options:
            found = self.options["tenses"].split(",")
        else:
            found = list(USUAL)
        for extra in ("habit", "now"):
            if extra in self.options and extra not in found:
                found = found + [extra] * (2 if extra == "habit" else 1)
        return found + (["imp", "simple"] if self.options.get("group", "do") == "do" else [])


def _options(text):
    """ "tenses=near,past clock" is {"tenses": "near,past", "clock": ""}."""
    return dict((part.partition("=")[0], part.partition("=")[2]) for part in text.split())


def _slots(text):
    return tuple(tuple(part.strip() for part in slot.split("=", 1)) for slot in text.split(";") if slot.strip())


def read_frames(lexicon):
    frames = []
    for where, (text, translation, slots, options) in rows("frames.txt", 4, 4):
        verb, _, rest = translation.partition(":")
        if verb not in lexicon.german_verbs:
            raise SystemExit(f"{where}: {verb!r} is not in verbs.txt")
        if "~" in rest:
            before, _, after = rest.partition("~")
        else:
            before, after = rest, ""
        frames.append(Frame(where, text, verb, before.strip(), after.strip(), _slots(slots), _options(options)))
    return frames


def fill(text, slots, language="english"):
    """Puts the phrases into the slots of a pattern."""

    def form(match):
        name, wanted = match.group(1), match.group(2) or ""
        phrase = slots[name]
        forms = getattr(phrase, language)
        if wanted == "bare":
            wanted = "noun"
        if wanted not in forms:
            raise SystemExit(f"frames.txt, {text!r}: {match.group(0)} has no such form, only {sorted(forms)}")
        return forms[wanted]

    return " ".join(SLOT.sub(form, text).split())


def is_object(text, name):
    """Whether the pattern has the slot as an object, not after a preposition."""
    words = text.split()
    place = next((i for i, word in enumerate(words) if word.startswith(f"{{{name}.")), -1)
    return place == 0 or (place > 0 and words[place - 1].startswith("{"))
