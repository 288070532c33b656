"""Translation with models of Ventris.

    >>> import ventris
    >>> translator = ventris.Translator("run/best", threads=2, precision="int8")
    >>> translator.translate(["two dogs play", "a man sleeps"], beam_size=5)
    ['zwei Hunde spielen', 'ein Mann schläft']

``docs/python.md`` in the repository of Ventris describes the whole package.
"""

from ventris import evaluate
from ventris._core import __version__
from ventris.errors import ConfigError, DataError, Error, ModelError, TranslationWarning
from ventris.tensors import load_safetensors
from ventris.tokenizer import Tokenizer
from ventris.translator import Candidate, Translation, Translator

__all__ = [
    "Candidate",
    "ConfigError",
    "DataError",
    "Error",
    "ModelError",
    "Tokenizer",
    "Translation",
    "TranslationWarning",
    "Translator",
    "__version__",
    "evaluate",
    "load_safetensors",
]
