"""What the jobs for Spark and Ray share: translates lists of texts, and loses none of them."""

import ventris

_translators = {}  # of this process; models are opened once


def translator(model, settings):
    """The Translator of this process for a model. `settings` are keyword arguments of ventris.Translator."""
    key = (model, repr(sorted(settings.items())))
    if key not in _translators:
        _translators[key] = ventris.Translator(model, **settings)
    return _translators[key]


def translate(texts, model, settings):
    """Translates a list in which texts may be None, or NaN, which pandas has in its place.

    Returns three lists of the same length: translations, errors and warnings. A text that is None stays None. A text
    that cannot be translated becomes None and has an error; all others have None there. The warnings of a text are a
    list of names, which is empty if nothing looks wrong. Raises TypeError for something that is no text.
    """
    opened = translator(model, settings)
    results = [(None, None, [])] * len(texts)
    numbers = [number for number, text in enumerate(texts) if _is_text(text)]
    for number, result in zip(numbers, _translate_all(opened, [texts[number] for number in numbers]), strict=True):
        results[number] = result
    return tuple(map(list, zip(*results, strict=True))) if results else ([], [], [])


def _is_text(value):
    if isinstance(value, str):
        return True
    if value is None or value != value:  # NaN
        return False
    raise TypeError(f"expected texts, found {type(value).__name__}: {value!r:.40}; name the column that has the texts")


def _translate_all(opened, texts):
    try:
        return [(done.text, None, list(done.warnings)) for done in opened.translate_detailed(texts)]
    except (ventris.DataError, UnicodeEncodeError) as error:  # of one text: the others are translated alone
        if len(texts) == 1:
            return [(None, str(error), [])]
    half = len(texts) // 2
    return _translate_all(opened, texts[:half]) + _translate_all(opened, texts[half:])
