"""Translates a page of HTML, Markdown or XML, or a text with placeholders such as {0}, and keeps what is no language.

    python translate_document.py run/best page.html en > page.de.html
    python translate_document.py run/best messages.txt en > messages.de.txt
"""

import pathlib
import sys
import warnings

import ventris

MARKUP = {".html": "html", ".htm": "html", ".md": "markdown", ".xml": "xml"}


def main() -> None:
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: translate_document.py MODEL FILE [LANGUAGE]")
    model, file, *language = sys.argv[1:]
    warnings.showwarning = lambda message, *_: print(f"translate_document.py: {message}", file=sys.stderr)
    translator = ventris.Translator(
        model, threads=2, split_sentences=True, language=language[0] if language else "", placeholders="builtin"
    )
    text = pathlib.Path(file).read_text(encoding="utf-8")
    markup = MARKUP.get(pathlib.Path(file).suffix)
    if markup is not None:
        print(translator.translate([text], markup=markup)[0], end="")
    else:
        print("".join(f"{line}\n" for line in translator.translate(text.splitlines())), end="")


if __name__ == "__main__":
    try:
        main()
    except (ventris.Error, OSError) as error:
        sys.exit(f"translate_document.py: {error}")
