"""The patterns of sentences.txt, filled: an English sentence and its only German reference."""

import re
from dataclasses import dataclass

import german
from clauses import Clauses
from frames import SLOT, read_frames
from lexicon import rows
from phrases import Phrases

_AGREEMENT = re.compile(r"\[(\w+)\?([^:\]]+):([^\]]+)\]")
_CONTRACTED = re.compile(r"\b(in|an|zu|von|bei) (dem|das|der)\b")
_SPEC = re.compile(r"(\w+)=((?:clause\([^)]*\))|[^;]+)")


@dataclass(frozen=True)
class Pattern:
    where: str
    weight: int
    english: str
    german: str
    slots: tuple  # (name, kind: "clause" or "phrase", options or spec)


@dataclass(frozen=True)
class Sentence:
    english: str
    german: str
    combinations: frozenset  # what it combines, the unit of holding out


def _options(text):
    return dict(part.split("=", 1) for part in text.split(",") if part)


def _slot(name, spec):
    spec = spec.strip()
    if spec.startswith("clause("):
        return name, "clause", _options(spec[len("clause("):-1])
    return name, "phrase", spec


def read_patterns():
    patterns = []
    for where, (weight, text, translation, slots) in rows("sentences.txt", 3, 4):
        found = tuple(_slot(*match) for match in _SPEC.findall(slots))
        missing = {name for name, _ in SLOT.findall(text + translation)} - {name for name, _, _ in found} - {"name"}
        if missing:
            raise SystemExit(f"{where}: {{{sorted(missing)[0]}}} is not among the slots")
        patterns.append(Pattern(where, int(weight), text, translation, found))
    return patterns


def _capital(text):
    return text[:1].upper() + text[1:]


def _combination(unit, heads):
    return " / ".join([unit] + heads[:2]) if heads else ""


class Grammar:
    """Everything read in; draw() gives sentences, in an order that only the random numbers decide."""

    def __init__(self, lexicon, random):
        self.random = random
        self.phrases = Phrases(lexicon, random)
        self.patterns = read_patterns()
        self.clauses = Clauses(lexicon, read_frames(lexicon), self.phrases)
        self._weights = [pattern.weight for pattern in self.patterns]

    def draw(self):
        """A Sentence, or None if what was drawn does not go together."""
        pattern = self.random.choices(self.patterns, self._weights)[0]
        friendly = "{name}" in pattern.english
        self.phrases.friend = self.random.choice(self.phrases.lexicon.names)[0] if friendly else ""
        slots, combinations = {}, set()
        for name, kind, spec in pattern.slots:
            slots[name] = self.clauses.draw(spec, slots) if kind == "clause" else self.phrases.slot(spec)
            if kind == "clause":
                clause = slots[name]
                heads = [clause.slots[slot].head for slot, _ in clause.frame.slots]
                combinations.add(_combination(f"{clause.frame.english} = {clause.frame.verb}", heads))
        heads = [slots[name].head for name, kind, _ in pattern.slots if kind == "phrase"]
        verbs = [slot.frame.verb for slot in slots.values() if hasattr(slot, "frame")]
        if len(set(heads)) < len(heads) or len(set(verbs)) < len(verbs) or not self._add_adjectives(pattern, slots):
            return None
        combinations.add(_combination(pattern.english, heads))
        english = self._fill(pattern, slots, "english")
        german_text = self._fill(pattern, slots, "german")
        german_text = _CONTRACTED.sub(_contract, german_text)
        return Sentence(_capital(english), _capital(german_text), frozenset(part for part in combinations if part))

    def _add_adjectives(self, pattern, slots):
        """The adjectives that the pattern says of a slot; False if none fits."""
        for name, form in set(SLOT.findall(pattern.english)):
            if form in ("adj", "praise", "extreme", "nice", "more"):
                chosen = self.phrases.predicate(slots[name], form if form in ("praise", "extreme", "nice") else "")
                if not chosen:
                    return False
                slots[name].english[form] = chosen.more if form == "more" else chosen.english
                slots[name].german[form] = chosen.german.comparative if form == "more" else chosen.german.word
        return True

    def _fill(self, pattern, slots, language):
        def agree(match):
            phrase = slots[match.group(1)]
            person = phrase.person is None and language == "german"
            return match.group(2) if (phrase.german_singular if person else phrase.singular) else match.group(3)

        def form(match):
            name, wanted = match.group(1), match.group(2) or ""
            if name == "name":
                return self.phrases.friend
            filled = slots[name]
            if hasattr(filled, "frame"):
                return filled.english_form(wanted) if language == "english" else filled.german_form(wanted)
            forms = getattr(filled, language)
            if wanted not in forms:
                raise SystemExit(f"{pattern.where}: {match.group(0)} has no such form in {language.capitalize()}; "
                                 f"there are {', '.join(sorted(forms))}")
            return forms[wanted]

        return SLOT.sub(form, _AGREEMENT.sub(agree, getattr(pattern, language)))


def _contract(match):
    return german.contract(match.group(1), match.group(2) + " x")[:-2]
