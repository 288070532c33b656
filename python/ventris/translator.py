"""Translators and their results."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ventris import _core
from ventris.errors import ConfigError, DataError

__all__ = ["Candidate", "Translation", "Translator"]

_FILE_SETTINGS = (
    "input",
    "output",
    "input_format",
    "format",
    "force_prefix",
    "constraints",
    "terms",
    "word_scores",
    "strict",
)
_WINDOW_CHARACTERS = 1 << 22  # read ahead at most


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the n best translations of a line."""

    text: str
    score: float
    """Log-probability, normalised and with penalties: what the search compares."""
    log_prob: float
    """In nats, summed over the tokens."""
    tokens: list[str]
    """The pieces, with U+2581 for a space. The last one is ``</s>``, unless the translation was cut."""
    token_log_probs: list[float]
    """In nats, one for each of ``tokens``."""
    alignment: list[tuple[int, int]]
    """Links (source word, target word), counted from 0; empty without the setting ``alignment``."""
    utility: float | None
    """The similarity to the other candidates with the setting ``mbr``; otherwise None."""
    truncated: bool
    """Whether it was cut at the longest length that is allowed."""
    repetitive: bool
    """Whether it repeats itself."""


@dataclass(frozen=True, slots=True)
class Translation:
    """The result for a line. The properties are those of its best candidate."""

    candidates: list[Candidate]
    """Best first, at most ``n_best``. For a line without a token: one without text."""
    source_cut: bool
    """Whether the line was longer than allowed, and cut."""
    seconds: float
    """The time of the batch of this line."""

    @property
    def text(self) -> str:
        return self.candidates[0].text

    @property
    def score(self) -> float:
        return self.candidates[0].score

    @property
    def log_prob(self) -> float:
        return self.candidates[0].log_prob

    @property
    def tokens(self) -> list[str]:
        return self.candidates[0].tokens

    @property
    def token_log_probs(self) -> list[float]:
        return self.candidates[0].token_log_probs

    @property
    def alignment(self) -> list[tuple[int, int]]:
        return self.candidates[0].alignment


class Translator:
    """A trained model that translates. Any number of threads may use it at the same time.

    ``model`` is a bundle folder (or a TorchScript file, if LibTorch's backend is there). All other arguments are the
    settings of ``ventris-translate``, with their names in settings files: ``threads``, ``precision``, ``beam_size``,
    ``normalize``, ``n_best``, ``alignment``, ``sampling``, ``seed``, ``mbr`` and so on (``docs/settings.md`` lists
    all). They have the same defaults, checks and messages. None means the default.

    Raises ConfigError for settings that are wrong or do not fit the model, and if the model needs LibTorch;
    ModelError for a model that cannot be opened.
    """

    def __init__(self, model: str | os.PathLike[str] | list[str], **settings: Any) -> None:
        self._open = _core.OpenTranslator(_to_json({"model": model, **settings}))

    def translate(self, lines: Iterable[str], *, prefixes: Iterable[str] | None = None, **settings: Any) -> list[str]:
        """The best translation of each line.

        ``prefixes`` has one text for each line, with which its translation must begin ("": none). ``settings`` apply to
        this call only. Those that decide how the model is opened (``precision``, ``device``, ...) cannot be among them.

        A line end within a line counts as a space. The interpreter's lock is free meanwhile. Ctrl-C ends the search and
        raises KeyboardInterrupt.
        """
        texts, beginnings = _lists(lines, prefixes)
        return self._open.translate_texts(texts, beginnings, _to_json(settings), 0)

    def translate_detailed(
        self, lines: Iterable[str], *, prefixes: Iterable[str] | None = None, **settings: Any
    ) -> list[Translation]:
        """The same with all candidates, scores, tokens and alignments."""
        texts, beginnings = _lists(lines, prefixes)
        return self._detailed(texts, beginnings, _to_json(settings), 0)

    def translate_iter(
        self, lines: Iterable[str], *, prefixes: Iterable[str] | None = None, **settings: Any
    ) -> Iterator[str]:
        """Yields the best translation of each line, in order, for text that need not fit into memory.

        Reads as many lines ahead as the setting ``maxi_batch`` says, translates them, yields their translations, and
        goes on. The translations are those that ``translate`` gives for all lines at once. For an answer to each line
        before the next one is read, set ``maxi_batch=1``.
        """
        for texts, beginnings, number in self._windows(lines, prefixes, settings):
            yield from self._open.translate_texts(texts, beginnings, _to_json(settings), number)

    def translate_detailed_iter(
        self, lines: Iterable[str], *, prefixes: Iterable[str] | None = None, **settings: Any
    ) -> Iterator[Translation]:
        """The same with all candidates, scores, tokens and alignments."""
        for texts, beginnings, number in self._windows(lines, prefixes, settings):
            yield from self._detailed(texts, beginnings, _to_json(settings), number)

    @property
    def settings(self) -> dict[str, Any]:
        """All settings with which ``translate`` works if it gets none, including the model's own."""
        values: dict[str, Any] = json.loads(self._open.settings("{}"))
        return {key: value for key, value in values.items() if key not in _FILE_SETTINGS}

    def _detailed(self, lines: list[str], prefixes: list[str], changes: str, first: int) -> list[Translation]:
        return [
            Translation([Candidate(*candidate) for candidate in candidates], cut, seconds)
            for candidates, cut, seconds in self._open.translate(lines, prefixes, changes, first)
        ]

    def _windows(
        self, lines: Iterable[str], prefixes: Iterable[str] | None, settings: dict[str, Any]
    ) -> Iterator[tuple[list[str], list[str], int]]:
        """Parts of the lines, their prefixes, and the number of the first line."""
        size = json.loads(self._open.settings(_to_json(settings)))["maxi_batch"]
        source = iter(_checked(lines, "lines"))
        beginnings = None if prefixes is None else iter(_checked(prefixes, "prefixes"))
        number = 0
        while window := _window(source, size):
            with_prefix = [] if beginnings is None else list(islice(beginnings, len(window)))
            if beginnings is not None:
                _check_counts(number + len(window), number + len(with_prefix))
            yield window, with_prefix, number
            number += len(window)
        if beginnings is not None:
            _check_counts(number, number + sum(1 for _ in islice(beginnings, 1)))


def _window(lines: Iterator[str], size: int) -> list[str]:
    window: list[str] = []
    characters = 0
    while len(window) < size and characters < _WINDOW_CHARACTERS:
        line = next(lines, None)
        if line is None:
            break
        window.append(line)
        characters += len(line)
    return window


def _checked(lines: Iterable[str], name: str) -> Iterator[str]:
    """The lines without their line ends, as a file has them."""
    if isinstance(lines, (str, bytes)):
        raise TypeError(f"{name}: expected several lines, got one {type(lines).__name__}; put it into a list")
    for number, line in enumerate(lines):
        if not isinstance(line, str):
            raise TypeError(f"{name}[{number}]: expected a str, got {type(line).__name__}")
        yield line[:-1].removesuffix("\r") if line.endswith("\n") else line


def _check_counts(lines: int, prefixes: int) -> None:
    if lines != prefixes:
        raise DataError(f"prefixes: expected one for each line ({lines}), got {prefixes}; use '' for a line without one")


def _lists(lines: Iterable[str], prefixes: Iterable[str] | None) -> tuple[list[str], list[str]]:
    texts = list(_checked(lines, "lines"))
    if prefixes is None:
        return texts, []
    beginnings = list(_checked(prefixes, "prefixes"))
    _check_counts(len(texts), len(beginnings))
    return texts, beginnings


def _plain(value: Any) -> Any:
    """A value that json does not know as one that it knows: a path, a number of NumPy."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    try:
        return operator.index(value)
    except TypeError:
        pass
    if hasattr(value, "__float__"):
        return float(value)
    raise ConfigError(f"settings: expected a bool, a number or a text, got {type(value).__name__}")


def _to_json(settings: dict[str, Any]) -> str:
    given = {key: value for key, value in settings.items() if value is not None}
    for key in given:
        if key in _FILE_SETTINGS:
            raise ConfigError(
                f"{key}: belongs to the files of ventris-translate; here, lines and prefixes are arguments of "
                "translate(), and translate_detailed() returns all scores"
            )
    try:
        return json.dumps(given, default=_plain, allow_nan=False)
    except ValueError as error:
        raise ConfigError(f"settings: {error}") from None
