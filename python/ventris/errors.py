"""The exceptions of this package."""

__all__ = ["ConfigError", "DataError", "Error", "ModelError", "TranslationWarning"]


class Error(Exception):
    """An error that a user can correct.

    Its text says where the error is, what was expected, what was found and what to do. Where a program of Ventris
    finds the same error, it prints the same text.
    """


class ConfigError(Error, ValueError):
    """A setting that does not exist, has a wrong value, or does not fit the other settings or the model."""


class DataError(Error, ValueError):
    """A text, a file or a prefix that cannot be used."""


class ModelError(Error):
    """A model, or another file of tensors, that is damaged or of an unknown kind."""


class TranslationWarning(UserWarning):
    """Translations of a call may be wrong: what was given is not what the model learnt, or what it wrote looks wrong.

    The texts are those of ``ventris-translate``, which name its flags.
    """
