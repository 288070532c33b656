"""Translates a file, or standard input, line by line, in memory that does not grow with the file.

    python translate_file.py run/best test.en > test.de
    python translate_file.py run/best < test.en
"""

import sys

import ventris


def main() -> None:
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: translate_file.py MODEL [FILE]")
    translator = ventris.Translator(sys.argv[1], threads=2)
    source = open(sys.argv[2], encoding="utf-8") if len(sys.argv) == 3 else sys.stdin
    with source:
        for text in translator.translate_iter(source):
            print(text)


if __name__ == "__main__":
    try:
        main()
    except (ventris.Error, OSError) as error:
        sys.exit(f"translate_file.py: {error}")
