"""BLEU, chrF and TER with the numbers of sacreBLEU, as in ``ventris-evaluate``.

Hypotheses are a list of lines. References are a list of lines, or a list of such lists: several references for each
line, as in sacreBLEU (``references[r][i]`` is the r-th reference of line i). White space at the end of lines does not
count.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ventris import _core
from ventris.errors import ConfigError, DataError
from ventris.paths import AnyPath

__all__ = ["BLEUScore", "CHRFScore", "Confidence", "Score", "TERScore", "bleu", "chrf", "ter"]

_SEED = 12345  # as in sacreBLEU
_ORDERS = 4


@dataclass(frozen=True)
class Confidence:
    """What bootstrap resampling says of a score."""

    mean: float
    """The mean score of the resamples."""
    interval: float
    """Half of the width of the interval that contains 95 % of them."""


@dataclass(frozen=True)
class Score:
    """The score of a corpus. ``str()`` gives the line that ``ventris-evaluate -f text`` prints."""

    name: str
    score: float
    signature: str
    """How it was computed, for reports: pairs ``key:value``, separated by ``|``."""
    verbose: str
    """Details as a text; may be empty."""
    confidence: Confidence | None
    """None unless it was asked for."""
    sentences: list[float]
    """The score of each line (BLEU: with effective order)."""
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class BLEUScore(Score):
    """BLEU, with the counts of sacreBLEU's class of this name."""

    counts: list[int]
    """N-grams that match, by their order."""
    totals: list[int]
    """N-grams of the hypotheses, by their order."""
    sys_len: int
    """Words of the hypotheses."""
    ref_len: int
    """Words of the references that are closest in length."""


@dataclass(frozen=True)
class CHRFScore(Score):
    """chrF or chrF++."""

    char_order: int
    word_order: int
    beta: int


@dataclass(frozen=True)
class TERScore(Score):
    """Translation edit rate."""

    num_edits: int
    ref_length: float
    """Words of the references, averaged over the references of each line."""


def bleu(
    hypotheses: Iterable[str],
    references: Iterable[str] | Iterable[Iterable[str]],
    *,
    tokenize: str = "13a",
    spm_model: AnyPath | None = None,
    lowercase: bool = False,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    use_effective_order: bool = False,
    confidence: bool = False,
    confidence_n: int = 1000,
    seed: int = _SEED,
    threads: int = 0,
) -> BLEUScore:
    """BLEU of a corpus.

    ``tokenize``: 13a, intl, zh, char, spm (with the file of a SentencePiece model, ``spm_model``) or none.
    ``smooth_method``: exp, floor, add-k or none; ``smooth_value`` belongs to floor and add-k. ``confidence`` adds
    a confidence interval from ``confidence_n`` resamples. ``threads``: 0 is one per processor.
    """
    lines, columns = _corpus(hypotheses, references)
    samples = _samples(confidence, confidence_n)
    found = _core.bleu(
        lines, columns, tokenize, spm_model, lowercase, smooth_method, smooth_value, use_effective_order, samples, seed,
        _threads(threads),
    )  # fmt: skip
    sys_len, ref_len, *grams = (int(count) for count in found[-1])
    return BLEUScore(*_fields(*found[:-1]), grams[:_ORDERS], grams[_ORDERS:], sys_len, ref_len)


def chrf(
    hypotheses: Iterable[str],
    references: Iterable[str] | Iterable[Iterable[str]],
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: int = 2,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    confidence: bool = False,
    confidence_n: int = 1000,
    seed: int = _SEED,
    threads: int = 0,
) -> CHRFScore:
    """chrF of a corpus; with ``word_order=2`` chrF++.

    ``whitespace``: count white space in n-grams of characters. ``eps_smoothing``: average over all orders, as
    chrF++.py does. The others are as for ``bleu``.
    """
    for name, value, least in (("char_order", char_order, 0), ("word_order", word_order, 0), ("beta", beta, 1)):
        if not least <= value <= 100:
            raise ConfigError(f"{name}: expected a number from {least} to 100, got {value}")
    options = _core.ChrfOptions()
    options.char_order, options.word_order, options.beta = char_order, word_order, beta
    options.lowercase, options.whitespace, options.eps_smoothing = lowercase, whitespace, eps_smoothing
    lines, columns = _corpus(hypotheses, references)
    found = _core.chrf(lines, columns, options, _samples(confidence, confidence_n), seed, _threads(threads))
    return CHRFScore(*_fields(*found[:-1]), char_order, word_order, beta)


def ter(
    hypotheses: Iterable[str],
    references: Iterable[str] | Iterable[Iterable[str]],
    *,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    confidence: bool = False,
    confidence_n: int = 1000,
    seed: int = _SEED,
    threads: int = 0,
) -> TERScore:
    """TER of a corpus. Lower is better.

    ``normalized``: unescape entities and split off punctuation. ``no_punct``: ignore punctuation. ``asian_support``:
    with ``normalized``, split CJK characters; with ``no_punct``, ignore CJK punctuation. The others are as for
    ``bleu``.
    """
    options = _core.TerOptions()
    options.normalized, options.no_punct = normalized, no_punct
    options.asian_support, options.case_sensitive = asian_support, case_sensitive
    lines, columns = _corpus(hypotheses, references)
    found = _core.ter(lines, columns, options, _samples(confidence, confidence_n), seed, _threads(threads))
    return TERScore(*_fields(*found[:-1]), int(found[-1][0]), found[-1][1])


def _fields(
    name: str, score: float, signature: str, verbose: str, confidence: Any, sentences: list[float], text: str
) -> tuple[str, float, str, str, Confidence | None, list[float], str]:
    """The arguments of Score."""
    sure = None if confidence is None else Confidence(*confidence)
    return name, score, signature, verbose, sure, sentences, text


def _lines(given: Iterable[Any], name: str) -> list[str]:
    if isinstance(given, (str, bytes)):
        raise TypeError(f"{name}: expected a list of lines, got one {type(given).__name__}; put it into a list")
    lines = list(given)
    for number, line in enumerate(lines):
        if not isinstance(line, str):
            raise TypeError(f"{name}[{number}]: expected a str, got {type(line).__name__}")
    return [line.rstrip() for line in lines]


def _corpus(hypotheses: Iterable[str], references: Iterable[Any]) -> tuple[list[str], list[list[str]]]:
    lines = _lines(hypotheses, "hypotheses")
    if not isinstance(references, (str, bytes)):
        references = list(references)
    if isinstance(references, (str, bytes)) or all(isinstance(reference, str) for reference in references):
        references = [references]
    columns = [_lines(column, f"references[{number}]") for number, column in enumerate(references)]
    if not lines:
        raise DataError("hypotheses: expected at least one line, got none")
    for number, column in enumerate(columns):
        if len(column) != len(lines):
            raise DataError(
                f"references[{number}]: expected one for each hypothesis ({len(lines)}), got {len(column)}; several "
                "references are a list of lists, each with one reference for every line"
            )
    return lines, columns


def _samples(confidence: bool, samples: int) -> int | None:
    if not confidence:
        return None
    if not 2 <= samples <= 1_000_000:
        raise ConfigError(f"confidence_n: expected a number from 2 to 1000000, got {samples}")
    return samples


def _threads(threads: int) -> int:
    if not 0 <= threads <= 1024:
        raise ConfigError(f"threads: expected a number from 0 to 1024, got {threads}")
    return threads
