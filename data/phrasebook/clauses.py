"""Somebody does something: a frame with a subject and a tense, in every word order of both languages."""

import re
from dataclasses import dataclass

import english
import german
from frames import SLOT, TENSES, Frame, fill, is_object
from phrases import Person

_ALWAYS_TIMED = {"near", "habit"}
_REFLEXIVE = {"ich": ("mich", "mir"), "du": ("dich", "dir"), "er": ("sich", "sich"), "wir": ("uns", "uns"),
              "sie": ("sich", "sich")}


@dataclass
class Clause:
    frame: Frame
    english_verb: english.Verb
    german_verb: german.Verb
    subject: object
    slots: dict
    tense: str
    negative: bool
    time: object       # a Phrase or None
    adverb: object     # often, never
    gap: str           # the slot that a question or a relative clause has already named

    # --- English -------------------------------------------------------------------------------------------------

    def _english_rest(self):
        text = self.frame.english.partition(" ")[2]
        if self.gap:
            text = text.replace(f"{{{self.gap}}}", "")
        return fill(text, self.slots)

    def _english_end(self, timed=True):
        words = []
        if self.tense == "done" and self.negative:
            words.append("yet")
        if self.tense == "now":
            words.append("right now")
        if self.time and timed:
            words.append(self.time.english[""])
        return words

    def english_statement(self, question=False, timed=True):
        group = TENSES[self.tense][0]
        auxiliary, verb = english.verb_group(self.english_verb, group, self.subject.person, question, self.negative)
        middle = [self.adverb.english[""]] if self.adverb else []
        if self.tense == "done" and not self.negative:
            middle.append("already")
        if question:
            words = [auxiliary, self.subject.english] + (["not"] if self.negative else [])
        else:
            words = [self.subject.english, english.deny(auxiliary) if self.negative else auxiliary]
        words += middle + [verb, self._english_rest()] + self._english_end(timed)
        return " ".join(word for word in words if word)

    def english_form(self, form):
        if form == "question":
            return self.english_statement(question=True)
        if form == "fronted":
            return f"{self.time.english['']} {self.english_statement(timed=False)}"
        if form == "inf":
            words = ["do not" if self.negative else "", self.english_verb.base, self._english_rest()]
            words += self._english_end()
            return " ".join(word for word in words if word)
        return self.english_statement()

    # --- German --------------------------------------------------------------------------------------------------

    def _verb_forms(self):
        """(finite form, what stands at the end of a main clause, the end of a subordinate clause)"""
        mode, verb, person = TENSES[self.tense][1], self.german_verb, self.subject.person
        if mode == "present":
            return verb.finite(person), verb.prefix, verb.attach(verb.finite(person))
        if mode == "perfect" and verb.past:
            return verb.past[person], "", verb.past[person]
        if mode == "perfect":
            auxiliary = "haben" if "haben" in self.frame.options else verb.auxiliary
            outer, tail = german.SEIN if auxiliary == "sein" else german.HABEN, verb.participle
            finite = outer.finite(person)
        else:
            outer, tail = german.MODALS[mode], verb.infinitive
            finite = outer.past[person] if self.tense in ("wanted", "had") else outer.finite(person)
        return finite, tail, f"{tail} {finite}"

    def _objects(self):
        """(pronouns, other words before "nicht", whether "kein" has done the denying, whether one is indefinite)"""
        pronouns, text, denied = [], self.frame.before, False
        indefinite = text.startswith("ein")
        for name, phrase in self.slots.items():
            mark = f"{{{name}."
            if name == self.gap:
                text = re.sub(r"\{" + name + r"\.\w+\}", "", text)
                continue
            if mark not in text:
                continue
            if phrase.pronoun and is_object(text, name):
                pronouns.append(phrase.german[SLOT.search(text, text.index(mark)).group(2)])
                text = re.sub(r"\{" + name + r"\.\w+\}", "", text)
            elif phrase.indefinite or phrase.german.get("acc", "").startswith(_COUNTED):
                indefinite = True
                if self.negative and phrase.indefinite:
                    text = text.replace(f"{{{name}.acc}}", phrase.german["kein"])
                    denied = True
        return pronouns, fill(text, self.slots, "german"), denied, indefinite

    def _middle(self, timed=True, please=False):
        pronouns, before, denied, indefinite = self._objects()
        reflexive = "reflexive" in self.frame.options or "dative" in self.frame.options
        words = [_REFLEXIVE[self.subject.person][int("dative" in self.frame.options)]] if reflexive else []
        words += pronouns + (["bitte"] if please else [])
        time = [self.time.german[""]] if self.time and timed else []
        time += [self.adverb.german[""]] if self.adverb else []
        if self.tense == "now":
            time.append("gerade")
        if self.tense == "done":
            time.append("noch" if self.negative else "schon")
        deny = ["nicht"] if self.negative and not denied else []
        # A known object goes before the time if what follows is stressed: ich habe den Mantel gestern nicht gekauft.
        early = before and not indefinite and (deny or self.tense == "done")
        words += [before] + time if early else time + [before]
        after = fill(self.frame.after, self.slots, "german")
        return " ".join(word for word in words + deny + [after] if word)

    def german_form(self, form):
        if form == "zu":
            return f"{self._middle()} {self.german_verb.zu_infinitive}".strip()
        if form == "bare":
            return f"{self._middle()} {self.german_verb.infinitive}".strip()
        if form == "please":
            return f"{self._middle(please=True)} {self.german_verb.infinitive}"
        if form == "imp":
            return self._imperative()
        finite, tail, end = self._verb_forms()
        middle = self._middle(form != "fronted")
        words = {"last": [self.subject.nom, middle, end],
                 "question": [finite, self.subject.nom, middle, tail],
                 "fronted": [self.time.german[""] if self.time else "", finite, self.subject.nom, middle, tail],
                 "": [self.subject.nom, finite, middle, tail]}[form]
        return " ".join(word for word in words if word)

    def _imperative(self):
        verb = self.german_verb
        finite = verb.imperative if self.subject.person == "du" else f"{verb.base} Sie"
        return " ".join(word for word in [finite, self._middle(), verb.prefix] if word)


class Clauses:
    """Draws clauses by the options that sentences.txt writes in clause(...)."""

    def __init__(self, lexicon, frames, phrases):
        self.lexicon, self.frames, self.phrases = lexicon, frames, phrases
        self._fitting = {}
        for frame in frames:
            verb = frame.english.partition(" ")[0]
            lexicon.english_verbs.setdefault(verb, english.make_verb(verb))

    def _candidates(self, options, given):
        """(frame, tenses) by the options; `given`: the noun phrase that fills the frame's gap."""
        classes = frozenset(given.classes) if given else frozenset()
        key = (tuple(sorted(options.items())), classes)
        if key not in self._fitting:
            found = []
            for frame in self.frames:
                tenses = [t for t in frame.tenses if self._tense_fits(t, options)]
                if tenses and self._frame_fits(frame, options, given):
                    found.append((frame, tenses))
            if not found:
                raise SystemExit(f"no frame fits clause({options})")
            self._fitting[key] = found
        return self._fitting[key]

    @staticmethod
    def _tense_fits(tense, options):
        wanted = options.get("tense", "").split()
        if options.get("time") == "yes" and not TENSES[tense][2]:
            return False
        return tense in wanted if wanted else tense not in ("imp", "simple")

    @staticmethod
    def _frame_fits(frame, options, given):
        if frame.options.get("group", "do") not in options.get("group", "do").split():
            return False
        if options.get("with") and options["with"] not in frame.options:
            return False
        if options.get("neg") == "must" and "noneg" in frame.options:
            return False
        if given:
            slot = frame.options.get("gap") or ""
            spec = dict(frame.slots).get(slot, "")
            return bool(slot) and bool(set(spec.partition("/")[0].split("+")) & given.classes)
        return True

    def _subject(self, frame, options, slots):
        who = options.get("who", "I we he she they name family").split()
        if frame.options.get("subject") == "it":
            return self.phrases.subject(["it"])
        if frame.options.get("subject"):
            phrase = self.phrases.noun((frame.options["subject"],), ("the", "this", "bare"))
            return thing(phrase)
        if len(who) == 1 and who[0] in slots:
            again = slots[who[0]].subject.again
            return self.phrases.subject(["you" if again in ("du", "you") else again])
        if len(who) == 1 or options.get("who") == "who":
            return self.phrases.subject(who)
        # What most people say is about themselves.
        return self.phrases.subject(who + [name for name in ("I", "I", "you", "we") if name in who])

    def draw(self, options, slots):
        given = slots.get(options.get("gap") or options.get("object"))
        frame, tenses = self.phrases.random.choice(self._candidates(options, given))
        tense = self.phrases.random.choice(tenses)
        subject = self._subject(frame, options, slots)
        filled = {}
        gap = frame.options.get("gap", "") if given or options.get("with") == "gap" else ""
        for name, spec in frame.slots:
            filled[name] = given if given and name == gap else self.phrases.slot(spec, subject)
        clause = Clause(frame, self.lexicon.english_verbs[frame.english.partition(" ")[0]],
                        self.lexicon.german_verbs[frame.verb], subject, filled, tense, False, None, None,
                        "" if options.get("object") else gap)
        clause.negative = self._denied(frame, options, tense, filled)
        self._add_time(clause, options)
        return clause

    def _denied(self, frame, options, tense, filled):
        neg = options.get("neg", "some")
        if neg == "no" or "noneg" in frame.options or any(text.german.get("acc", "").startswith(_COUNTED)
                                                          for text in filled.values()):
            return False
        if neg == "must":
            return True
        return self.phrases.chance(0.15 if options.get("tense") == "imp" else TENSES[tense][3])

    def _add_time(self, clause, options):
        tense, want = clause.tense, options.get("time", "any")
        kinds = TENSES[tense][2].split()
        if not kinds or want == "no":
            return
        timed = tense in _ALWAYS_TIMED or want == "yes" or "clockonly" in clause.frame.options
        if not timed and not self.phrases.chance(0.55):
            return
        if "adverb" in kinds and want != "yes" and self.phrases.chance(0.4):
            clause.adverb = self.phrases.time("adverb")
            return
        if options.get("when"):
            clause.time = self.phrases.time(options["when"])
            return
        kind = kinds[0]
        if "soon" in clause.frame.options:
            kind = {"near": "soon", "past": "lately"}.get(kind, kind)
        clocked = "clock" in clause.frame.options
        if clocked and self.phrases.chance(0.9 if "clockonly" in clause.frame.options else 0.4):
            kind = "clock" + kinds[0]
        clause.time = self.phrases.time(kind)


_COUNTED = ("zwei ", "drei ", "vier ", "fünf ", "sechs ")


def thing(phrase):
    """A thing as a subject: the train."""
    person = "er" if phrase.german_singular else "sie"
    text = phrase.english[""]
    return Person(phrase.head, text, text, "its", person, phrase.german["nom"], phrase.german["acc"],
                  phrase.german["dat"], "sein", "it")
