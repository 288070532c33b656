"""Paths of files and folders: any that the operating system has, also those that are not UTF-8."""

from __future__ import annotations

import os
from typing import TypeAlias, Union

__all__ = ["AnyPath", "shown"]

AnyPath: TypeAlias = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
"""What ``os.fsencode`` takes: a byte that is not text is a surrogate in a str, as ``os.fsdecode`` makes it."""


def shown(path: AnyPath) -> str:
    """The path for a message, with a backslash and a number for each byte that is not text."""
    return os.fsencode(path).decode(errors="backslashreplace")
