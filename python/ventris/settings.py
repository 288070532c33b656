"""The types of settings, for type checkers and editors. ``docs/settings.md`` says what each one means."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ventris.paths import AnyPath

__all__ = ["CallSettings", "TranslatorSettings"]


class CallSettings(TypedDict, total=False):
    """Settings that can change from call to call. None means the default."""

    alignment: bool | None
    alignment_head: int | str | None
    alignment_layer: int | None
    beam_size: int | None
    candidates: int | None
    context: int | None
    coverage_penalty: float | None
    document_language: str | None
    iterations: int | None
    language: str | None
    length_candidates: int | None
    markup: str | None
    max_length_factor: float | None
    max_source_length: int | None
    maxi_batch: int | None
    mbr: str | None
    min_length: int | None
    mini_batch: int | None
    mini_batch_words: int | None
    n_best: int | None
    no_fuzzy: bool | None
    no_guards: bool | None
    no_repeat_ngram: int | None
    normalize: float | None
    placeholders: AnyPath | None
    recase: str | None
    repetition_penalty: float | None
    replace_unk: bool | None
    sampling: bool | None
    seed: int | None
    source_language: str | None
    split_sentences: bool | None
    target_language: str | None
    temperature: float | None
    term_use: str | None
    terms: AnyPath | None
    threads: int | None
    top_k: int | None
    top_p: float | None
    translate_attributes: bool | None
    translate_keys: str | None
    workspace: int | None


class TranslatorSettings(CallSettings, total=False):
    """All settings; these decide how the model is opened."""

    allow_unk: bool | None
    backend: str | None
    combine: str | None
    device: str | None
    precision: str | None
    shortlist: AnyPath | None
    shortlist_best: int | None
    shortlist_first: int | None
    weights: Sequence[float] | None
