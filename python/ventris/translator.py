"""Translators and their results."""

from __future__ import annotations

import json
import operator
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from ventris import _core
from ventris.errors import ConfigError, DataError, TranslationWarning
from ventris.paths import AnyPath, shown

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ventris.settings import CallSettings, TranslatorSettings

__all__ = ["Candidate", "Translation", "Translator"]

_FILE_SETTINGS = (
    "input",
    "output",
    "input_format",
    "format",
    "force_prefix",
    "constraints",
    "word_scores",
    "strict",
    "resume",
    "shard",
)
_PATH_SETTINGS = ("model", "placeholders", "shortlist", "terms")
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
    unmet: list[tuple[str, str]]
    """Phrases that were wanted but are missing, or that were not wanted but are there, and the reason
    (``docs/translating.md``)."""


@dataclass(frozen=True, slots=True)
class Translation:
    """The result for a line. The properties are those of its best candidate."""

    candidates: list[Candidate]
    """Best first, at most ``n_best``. For a line without a token: one without text."""
    source_cut: bool
    """Whether the line was longer than allowed, and cut."""
    seconds: float
    """The time of the batch of this line."""
    warnings: list[str]
    """What may be wrong with the translation: "several_sentences", "copy", ... (``docs/documents.md``)."""
    sentences: int
    """How many sentences were translated: with ``split_sentences`` or ``markup`` any number, otherwise 1, or 0 for a
    blank line."""

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

    def __init__(self, model: AnyPath | Sequence[AnyPath], **settings: Unpack[TranslatorSettings]) -> None:
        self._model = model
        self._settings = settings
        self._open = _core.OpenTranslator(_to_json({"model": model, **settings}))

    def __repr__(self) -> str:
        given = [f"{key}={value!r}" for key, value in self._settings.items()]
        return f"ventris.Translator({', '.join([repr(self._model), *given])})"

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled Translator is the path of its model and its settings; where it is loaded, the model is opened."""
        return _opened, (_absolute(self._model), dict(self._settings))

    def translate(
        self,
        lines: Iterable[str],
        *,
        prefixes: Iterable[str] | None = None,
        required: Iterable[Iterable[str]] | None = None,
        forbidden: Iterable[Iterable[str]] | None = None,
        **settings: Unpack[CallSettings],
    ) -> list[str]:
        """The best translation of each line.

        ``prefixes`` has one text for each line, with which its translation must begin ("": none). ``required`` and
        ``forbidden`` have a list of phrases for each line, which its translation must have and must not have.
        ``settings`` apply to this call only. Those that decide how the model is opened (``precision``, ``device``, ...)
        cannot be among them.

        A line end within a line counts as a space. With ``markup``, each of ``lines`` is a whole document, whose lines
        stay. The interpreter's lock is free meanwhile. Ctrl-C ends the search and raises KeyboardInterrupt.

        What ``Translation.warnings`` would say is a TranslationWarning, with line numbers from 1.
        """
        inputs = _whole(lines, prefixes=prefixes, required=required, forbidden=forbidden)
        report = _core.Report()
        texts = self._open.translate_texts(inputs, _to_json(settings), report)
        _warn(report)
        return texts

    def translate_detailed(
        self,
        lines: Iterable[str],
        *,
        prefixes: Iterable[str] | None = None,
        required: Iterable[Iterable[str]] | None = None,
        forbidden: Iterable[Iterable[str]] | None = None,
        **settings: Unpack[CallSettings],
    ) -> list[Translation]:
        """The same with all candidates, scores, tokens, alignments and warnings."""
        inputs = _whole(lines, prefixes=prefixes, required=required, forbidden=forbidden)
        return self._detailed(inputs, _to_json(settings), _core.Report())

    def translate_iter(
        self,
        lines: Iterable[str],
        *,
        prefixes: Iterable[str] | None = None,
        required: Iterable[Iterable[str]] | None = None,
        forbidden: Iterable[Iterable[str]] | None = None,
        **settings: Unpack[CallSettings],
    ) -> Iterator[str]:
        """Yields the best translation of each line, in order, for text that need not fit into memory.

        Reads as many lines ahead as the setting ``maxi_batch`` says, translates them, yields their translations, and
        goes on. The translations are those that ``translate`` gives for all lines at once. For an answer to each line
        before the next one is read, set ``maxi_batch=1``. Warnings come at the end.
        """
        report = _core.Report()
        for inputs in self._windows(lines, settings, prefixes=prefixes, required=required, forbidden=forbidden):
            yield from self._open.translate_texts(inputs, _to_json(settings), report)
        _warn(report)

    def translate_detailed_iter(
        self,
        lines: Iterable[str],
        *,
        prefixes: Iterable[str] | None = None,
        required: Iterable[Iterable[str]] | None = None,
        forbidden: Iterable[Iterable[str]] | None = None,
        **settings: Unpack[CallSettings],
    ) -> Iterator[Translation]:
        """The same with all candidates, scores, tokens, alignments and warnings."""
        report = _core.Report()
        for inputs in self._windows(lines, settings, prefixes=prefixes, required=required, forbidden=forbidden):
            yield from self._detailed(inputs, _to_json(settings), report)

    @property
    def settings(self) -> dict[str, Any]:
        """All settings with which ``translate`` works if it gets none, including the model's own."""
        values: dict[str, Any] = json.loads(self._open.settings("{}"), object_hook=_from_bytes)
        return {key: value for key, value in values.items() if key not in _FILE_SETTINGS}

    def _detailed(self, inputs: _core.Texts, changes: str, report: _core.Report) -> list[Translation]:
        return [
            Translation([Candidate(*candidate) for candidate in candidates], cut, seconds, names, sentences)
            for candidates, cut, seconds, names, sentences in self._open.translate(inputs, changes, report)
        ]

    def _windows(
        self, lines: Iterable[str], settings: Mapping[str, Any], **beside: Iterable[Any] | None
    ) -> Iterator[_core.Texts]:
        """Parts of the lines, with what is asked beside them."""
        size = json.loads(self._open.settings(_to_json(settings)))["maxi_batch"]
        source = iter(_checked(lines, "lines"))
        others = {name: iter(_beside(name, values)) for name, values in beside.items() if values is not None}
        number = 0
        while window := _window(source, size):
            parts = {name: list(islice(values, len(window))) for name, values in others.items()}
            number += len(window)
            for name, part in parts.items():
                _check_counts(name, number, number - len(window) + len(part))
            yield _inputs(window, parts)
        for name, values in others.items():
            _check_counts(name, number, number + sum(1 for _ in islice(values, 1)))


def _absolute(model: Any) -> Any:
    """The path, or each of the paths, for a process with another working folder."""
    return [_absolute(one) for one in model] if isinstance(model, (list, tuple)) else os.path.abspath(model)


def _opened(model: Any, settings: dict[str, Any]) -> Translator:
    return Translator(model, **settings)  # type: ignore[typeddict-item, unused-ignore]


def _warn(report: _core.Report) -> None:
    """For the caller of the function that calls this."""
    for sentence in report.warnings():
        warnings.warn(sentence, TranslationWarning, stacklevel=3)


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


def _checked(lines: Iterable[str], name: str, noun: str = "lines") -> Iterator[str]:
    if isinstance(lines, (str, bytes)):
        raise TypeError(f"{name}: expected several {noun}, got one {type(lines).__name__}; put it into a list")
    for number, line in enumerate(lines):
        if not isinstance(line, str):
            raise TypeError(f"{name}[{number}]: expected a str, got {type(line).__name__}")
        yield line


def _beside(name: str, values: Iterable[Any]) -> Iterator[Any]:
    """A prefix, or a list of phrases, for each line."""
    if name == "prefixes":
        yield from _checked(values, name)
        return
    for number, phrases in enumerate(values):
        yield list(_checked(phrases, f"{name}[{number}]", "phrases"))


def _check_counts(name: str, lines: int, found: int) -> None:
    if lines != found:
        none = "''" if name == "prefixes" else "[]"
        raise DataError(f"{name}: expected one for each line ({lines}), got {found}; use {none} for a line without one")


def _inputs(lines: list[str], beside: dict[str, list[Any]]) -> _core.Texts:
    return _core.Texts(lines, *(beside.get(name, []) for name in ("prefixes", "required", "forbidden")))


def _whole(lines: Iterable[str], **beside: Iterable[Any] | None) -> _core.Texts:
    texts = list(_checked(lines, "lines"))
    lists = {name: list(_beside(name, values)) for name, values in beside.items() if values is not None}
    for name, values in lists.items():
        _check_counts(name, len(texts), len(values))
    return _inputs(texts, lists)


def _from_bytes(value: dict[str, Any]) -> Any:
    return os.fsdecode(bytes.fromhex(value["bytes"])) if list(value) == ["bytes"] else value


def _path(key: str, value: Any) -> Any:
    """A path as JSON: a text, or an object with the bytes of one that is not UTF-8. Lists of paths are lists of them."""
    if isinstance(value, (list, tuple)):
        return [_path(key, item) for item in value]
    if not isinstance(value, (str, bytes, os.PathLike)):
        return value
    path = os.fsencode(value)
    if b"\0" in path:
        raise ConfigError(f"{key}: expected a path, got one with a null character: {shown(path)}")
    try:
        return path.decode()
    except UnicodeDecodeError:
        return {"bytes": path.hex()}


def _plain(value: Any) -> Any:
    """A value that json does not know as one that it knows: a path, a number or a bool of NumPy."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if type(value).__name__ in ("bool", "bool_") and hasattr(value, "dtype"):
        return bool(value)
    try:
        return operator.index(value)
    except TypeError:
        pass
    if hasattr(value, "__float__"):
        return float(value)
    raise ConfigError(f"settings: expected a bool, a number or a text, got {type(value).__name__}")


def _to_json(settings: Mapping[str, Any]) -> str:
    given = {
        key: _path(key, value) if key in _PATH_SETTINGS else value
        for key, value in settings.items()
        if value is not None
    }
    for key in given:
        if key in _FILE_SETTINGS:
            raise ConfigError(
                f"{key}: belongs to the files of ventris-translate; here, lines, prefixes and phrases are arguments of "
                "translate(), and translate_detailed() returns all scores"
            )
    try:
        return json.dumps(given, default=_plain, allow_nan=False)
    except ValueError as error:
        raise ConfigError(f"settings: {error}") from None
