"""SentencePiece tokenizers."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable

from ventris import _core
from ventris.paths import AnyPath

__all__ = ["Tokenizer"]


class Tokenizer:
    """A SentencePiece model, such as ``source.spm`` in a bundle. Any number of threads may use it.

    ``path`` is its file. Raises ModelError if it is not a model, or if its special ids are not those of Ventris.
    """

    def __init__(self, path: AnyPath) -> None:
        self._path = path
        self._model = _core.Tokenizer(path)

    def __repr__(self) -> str:
        return f"ventris.Tokenizer({self._path!r})"

    def __reduce__(self) -> tuple[type[Tokenizer], tuple[AnyPath]]:
        """A pickled Tokenizer is the path of its file."""
        return Tokenizer, (os.path.abspath(self._path),)

    def encode(self, text: str) -> list[int]:
        """The ids of the text, without bos and eos."""
        return self._model.encode(text)

    def pieces(self, text: str) -> list[str]:
        """The text of each id of ``encode(text)``, with U+2581 for a space. Unknown characters stay as they are."""
        return self._model.pieces(text)

    def sample(self, text: str, alpha: float, seed: int) -> list[int]:
        """The ids of a segmentation that is drawn at random. The same seed gives the same one.

        For a unigram model, a segmentation has a probability proportional to its own probability to the power
        ``alpha`` (0: all are equally likely). For a BPE model, each merge is skipped with probability ``alpha``.
        """
        return self._model.sample(text, alpha, seed)

    def decode(self, ids: Iterable[int]) -> str:
        """The text of the ids, without special ids. Raises ValueError for an id that is not in the vocabulary."""
        numbers = [operator.index(number) for number in ids]
        self._check(numbers)
        return self._model.decode(numbers)

    def piece(self, id: int) -> str:
        """The text of the piece with this id, with U+2581 for a space. Raises ValueError as ``decode`` does."""
        number = operator.index(id)
        self._check([number])
        return self._model.piece(number)

    def _check(self, ids: list[int]) -> None:
        for number in ids:
            if not 0 <= number < len(self):
                raise ValueError(f"id: expected a number from 0 to {len(self) - 1}, got {number}")

    def __len__(self) -> int:
        """The number of pieces."""
        return len(self._model)
