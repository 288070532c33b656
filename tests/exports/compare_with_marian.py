"""Compares the translations of a bundle with those of Marian, for which it is exported.

Needs pymarian 1.12.42 and the programs of Ventris:

    python tests/exports/compare_with_marian.py build/release/bin run/best val.en [--shortlist lexicon.bin]

Prints how many lines have the same best translation with a beam of 4, and the largest difference of the log-probability
of a translation that both found, for each token.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile


def nbest(lines):
    """Line number -> [(translation, log-probability, score)], the best first."""
    found = {}
    for line in lines:
        number, text, features, score = (field.strip() for field in line.split("|||"))
        found.setdefault(int(number), []).append((text, float(features.split("=")[1]), float(score)))
    return found


def of_marian(folder, sources, shortlist):
    import pymarian

    settings = (folder / "decoder.yml").read_text().splitlines()
    vocabularies = [str(folder / line[4:]) for line in settings if line.startswith("  - ") and line.endswith(".spm")]
    translator = pymarian.Translator(
        f"--models {folder}/model.npz --vocabs {' '.join(vocabularies)} --cpu-threads 1 --beam-size 4 --normalize 1 "
        f"--n-best --quiet --quiet-translation{f' --shortlist {folder}/lex.s2t.bin false' if shortlist else ''}")
    answer = translator.translate(sources)
    return nbest((answer if isinstance(answer, str) else "\n".join(answer)).splitlines())


def of_ventris(programs, bundle, path, shortlist):
    command = [programs / "ventris-translate", "-m", bundle, "-i", path, "-b", "4", "-n", "1", "--n-best", "4", "--allow-unk"]
    command += shortlist
    return nbest(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("bundle")
    parser.add_argument("sources")
    parser.add_argument("--shortlist", help="lexicon of which both get a shortlist")
    flags = parser.parse_args()
    shortlist = ["--shortlist", flags.shortlist] if flags.shortlist else []
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made) / "marian"
        command = [flags.programs / "ventris-export", "-m", flags.bundle, "--format", "marian", "-o", folder]
        subprocess.run(command + shortlist, check=True)
        theirs = of_marian(folder, pathlib.Path(flags.sources).read_text().splitlines(), flags.shortlist)
    ours = of_ventris(flags.programs, flags.bundle, flags.sources, shortlist)
    same = sum(ours[line][0][0] == theirs[line][0][0] for line in theirs)
    differences = []
    for line, found in theirs.items():
        known = {text: log_probability for text, log_probability, _ in ours[line]}
        for text, log_probability, score in found:
            if text in known:
                tokens = max(round(log_probability / score), 1)  # the score is the mean of a token
                differences.append(abs(known[text] - log_probability) / tokens)
    if not differences:
        sys.exit("no translation is in both lists")
    print(f"{same} of {len(theirs)} best translations are the same; log-probabilities of {len(differences)} translations "
          f"differ by at most {max(differences):.1e} for each token")


if __name__ == "__main__":
    main()
