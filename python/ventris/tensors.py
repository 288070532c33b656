"""Tensors in safetensors files, as NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ventris import _core
from ventris.paths import AnyPath

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["load_safetensors"]


def load_safetensors(path: AnyPath) -> dict[str, npt.NDArray[Any]]:
    """The tensors of a safetensors file by their names, as NumPy arrays. Needs NumPy.

    ``path`` is the file, such as ``model.safetensors`` in a bundle. A tied tensor, which the file has once, has all its
    names; they share one array. NumPy has no bf16: such a tensor becomes float32, without a change of its values.
    Raises ModelError if the file is damaged.
    """
    try:
        import numpy as np
    except ImportError as error:
        raise ImportError("load_safetensors needs NumPy, which is not installed: pip install numpy") from error

    types = {
        "F32": np.float32,
        "F16": np.float16,
        "I64": np.int64,
        "I32": np.int32,
        "I8": np.int8,
        "U8": np.uint8,
    }
    stored, aliases = _core.read_safetensors(path)
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, kind, shape, data in stored:
        if kind == "BF16":  # the upper half of a float32
            flat: npt.NDArray[Any] = (np.frombuffer(data, np.uint16).astype(np.uint32) << 16).view(np.float32)
        else:
            flat = np.frombuffer(data, types[kind])
        arrays[name] = flat.reshape(shape)
    return arrays | {alias: arrays[name] for alias, name in aliases.items()}
