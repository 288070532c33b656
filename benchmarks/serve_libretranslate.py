#!/usr/bin/env python3
"""Starts LibreTranslate with a model of CTranslate2, for serve.py. Run it with the Python that has libretranslate.

    serve_libretranslate.py MODEL PORT THREADS

MODEL is a folder of `ventris-export --format ctranslate2` for one pair, which is called xx-yy in serve.py and en-de
here. LibreTranslate would download a model that finds the ends of sentences. Here, each text counts as one sentence,
which only makes it faster.
"""
import json
import os
import pathlib
import shutil
import sys
import tempfile


def make_package(folder, model, source, target):
    """What an Argos package is when it is installed."""
    folder.mkdir(parents=True)
    (folder / "metadata.json").write_text(json.dumps(
        {"package_version": "1.0", "argos_version": "1.9", "from_code": source, "from_name": source,
         "to_code": target, "to_name": target}))
    (folder / "model").mkdir()
    for file in model.iterdir():
        shutil.copy(file, folder / "model")
    shutil.copy(model / "source.spm", folder / "sentencepiece.model")


def main():
    model, port, threads = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    with tempfile.TemporaryDirectory() as name:
        home = pathlib.Path(name)
        for source, target in (("en", "de"), ("de", "en")):  # with fewer than two, it downloads others
            make_package(home / "packages" / f"{source}_{target}", model, source, target)
        os.environ |= {"HOME": name, "XDG_DATA_HOME": name, "XDG_CACHE_HOME": name, "XDG_CONFIG_HOME": name,
                       "ARGOS_PACKAGES_DIR": str(home / "packages"), "ARGOS_INTER_THREADS": threads,
                       "ARGOS_INTRA_THREADS": "1"}
        os.chdir(name)
        import argostranslate.sbd
        argostranslate.sbd.MiniSBDSentencizer.split_sentences = lambda self, text: [text]
        import libretranslate
        sys.argv = ["libretranslate", "--port", port, "--threads", "64", "--load-only", "en,de", "--disable-web-ui"]
        libretranslate.main()


if __name__ == "__main__":
    main()
