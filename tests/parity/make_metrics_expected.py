"""Writes what sacreBLEU computes, for metrics_test.cpp and corpora_test.cpp to compare ours with.

metrics_expected.json.gz: 2,000 made-up lines (nasty_lines.py) with two random edits of each as references, and their
BLEU, chrF and TER with every tokenization, smoothing and case, of the whole text, of blocks of lines and of sentences;
confidence intervals and paired tests. metrics.spm: the SentencePiece model that tokenization "spm" used.
corpora_expected.json: scores of worn copies of real texts, which are not stored; their folder is the argument.

    python3 -m venv /tmp/sacrebleu
    /tmp/sacrebleu/bin/pip install sacrebleu==2.6.0 numpy==2.4.6 regex sentencepiece
    /tmp/sacrebleu/bin/python tests/parity/make_metrics_expected.py ../shared/corpora
"""

import gzip
import itertools
import json
import logging
import pathlib
import random
import sys
import zlib

import nasty_lines
import numpy
import sacrebleu
import sentencepiece
from sacrebleu.metrics import BLEU, CHRF, TER, bleu
from sacrebleu.significance import PairedTest
from sacrebleu.tokenizers.tokenizer_spm import TokenizerSPM
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

HERE = pathlib.Path(__file__).parent
LINES, BLOCK, CORPUS_LINES = 2000, 100, 500
CORPORA = ["multi30k-en-de/test_2016_flickr.de", "multi30k-en-de/val.en", "iwslt15-en-vi/tst2012.vi",
           "iwslt15-en-vi/tst2012.en", "tatoeba-en-de/dev.de", "tatoeba-en-de/dev.en"]
TOKENIZATIONS = ("13a", "intl", "zh", "char", "spm", "none")
SMOOTHINGS = ("exp", "floor", "add-k", "none")
FURTHER_SMOOTHINGS = [("floor", 0.5), ("floor", 0.0), ("add-k", 0.25), ("add-k", 3.0)]
CHRF_SETTINGS = [*(dict(word_order=w, lowercase=lc) for w in (0, 2) for lc in (False, True)), dict(whitespace=True),
                 dict(eps_smoothing=True, word_order=2), dict(beta=1), dict(beta=3, word_order=1), dict(char_order=8),
                 dict(char_order=1), dict(char_order=0, word_order=2)]
TER_FLAGS = ("normalized", "no_punct", "asian_support", "case_sensitive")
TER_SETTINGS = [dict(zip(TER_FLAGS, flags)) for flags in itertools.product((False, True), repeat=4)]


class GivenModel(TokenizerSPM):
    """sacreBLEU's own, with our model instead of one from the network."""

    def __init__(self):
        self.name = "given"
        self.sp = sentencepiece.SentencePieceProcessor(model_file=str(HERE / "metrics.spm"))


def use_given_model():
    find = bleu._get_tokenizer
    bleu._get_tokenizer = lambda name: GivenModel if name == "spm" else find(name)


def learn_model(lines):
    text = [" ".join(line.split()) for line in lines if line.split()]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text), model_prefix=str(HERE / "metrics"), vocab_size=400, hard_vocab_limit=False,
        normalization_rule_name="identity", minloglevel=2, num_threads=1)
    (HERE / "metrics.model").rename(HERE / "metrics.spm")
    (HERE / "metrics.vocab").unlink()


def rounded(value):
    return None if value is None else round(float(value), 10)


def blocks(count):
    return [slice(start, start + BLOCK) for start in range(0, count, BLOCK)]


def scores(metric, sentence_metric, hypotheses, references):
    """Of the whole, of each block, and the mean of the sentences of each block."""
    def corpus(part):
        return metric.corpus_score(hypotheses[part], [r[part] for r in references])

    sentences = [sentence_metric.sentence_score(h, list(r)).score for h, *r in zip(hypotheses, *references)]
    return corpus(slice(None)), dict(
        blocks=[rounded(corpus(part).score) for part in blocks(len(hypotheses))],
        sentences=[rounded(numpy.mean(sentences[part])) for part in blocks(len(hypotheses))])


def bleu_details(score):
    return dict(score=rounded(score.score), precisions=[rounded(p) for p in score.precisions],
                brevity_penalty=rounded(score.bp), hyp_length=score.sys_len, ref_length=score.ref_len)


def bleu_entries(hypotheses, references):
    settings = [(t, s, None, lc, n) for t, s, lc in itertools.product(TOKENIZATIONS, SMOOTHINGS, (False, True))
                for n in (1, 2)]
    settings += [("13a", smoothing, value, False, 2) for smoothing, value in FURTHER_SMOOTHINGS]
    for tokenize, smoothing, value, lowercase, count in settings:
        options = dict(tokenize=tokenize, lowercase=lowercase, smooth_method=smoothing, smooth_value=value, force=True)
        whole, parts = scores(BLEU(**options), BLEU(effective_order=True, **options), hypotheses, references[:count])
        yield dict(tokenize=tokenize, lowercase=lowercase, smoothing=smoothing, value=value, references=count,
                   **bleu_details(whole), **parts)


def plain_entries(metric_class, settings, hypotheses, references):
    for options, count in itertools.product(settings, (1, 2)):
        metric = metric_class(**options)
        whole, parts = scores(metric, metric, hypotheses, references[:count])
        yield dict(references=count, score=rounded(whole.score), **options, **parts)


def checksums(lines):
    """crc32 of each block's lines, every line with a line feed."""
    return [zlib.crc32("".join(line + "\n" for line in lines[part]).encode()) for part in blocks(len(lines))]


def token_checksums(lines):
    kept = [line.rstrip() for line in lines]
    result = {}
    for name in TOKENIZATIONS:
        tokenizer = bleu._get_tokenizer(name)()
        result[name] = checksums([" ".join(tokenizer(line).split()) for line in kept])
    tercom = [dict(**options, blocks=checksums([TercomTokenizer(**options)(line) for line in kept]))
              for options in TER_SETTINGS]
    return dict(tokens=result, tercom=tercom, lowered=checksums([line.lower() for line in kept]))


def metrics_for_tests(references):
    return {"BLEU": BLEU(references=references, force=True), "CHRF": CHRF(references=references),
            "TER": TER(references=references)}


def confidence_entries(hypotheses, references, samples):
    for name, metric in metrics_for_tests(references).items():
        score = metric.corpus_score(hypotheses, None, n_bootstrap=samples)
        yield dict(metric=name, samples=samples, mean=rounded(score._mean), interval=rounded(score._ci))


def paired_entries(systems, references, test, samples, metrics=None):
    named = [(str(i), system) for i, system in enumerate(systems)]
    metrics = metrics or metrics_for_tests(references)
    _, results = PairedTest(named, metrics, None, test_type=test, n_samples=samples)()
    for name, column in zip(metrics, list(results.values())[1:]):
        yield dict(metric=name, test=test, samples=samples, systems=[
            dict(score=rounded(r.score), p_value=rounded(r.p_value), mean=rounded(r.mean), interval=rounded(r.ci))
            for r in column])


def significance(systems, references, samples, trials):
    return dict(confidence=list(confidence_entries(systems[0], references, samples)),
                paired=[*paired_entries(systems, references, "bs", samples),
                        *paired_entries(systems, references, "ar", trials)])


def nasty_expectations():
    dice = random.Random(20260)
    hypotheses = [nasty_lines.line(dice) for _ in range(LINES)]
    references = [[nasty_lines.edited(dice, text, rate) for text in hypotheses] for rate in (0.3, 0.6)]
    learn_model(hypotheses)
    other = [nasty_lines.edited(dice, text, 0.05) for text in hypotheses]
    systems = [hypotheses, other, references[1]]
    add_k = {"BLEU": BLEU(references=references[:1], force=True, smooth_method="add-k", smooth_value=0.5)}
    expected = dict(sacrebleu=sacrebleu.__version__, block=BLOCK, lines=list(zip(hypotheses, *references, other)),
                    **token_checksums(hypotheses), bleu=list(bleu_entries(hypotheses, references)),
                    chrf=list(plain_entries(CHRF, CHRF_SETTINGS, hypotheses, references)),
                    ter=list(plain_entries(TER, TER_SETTINGS, hypotheses, references)))
    few = [system[:3] for system in systems]
    expected["significance"] = [
        dict(lines=LINES, references=1, **significance(systems, references[:1], 200, 200)),
        dict(lines=LINES, references=2, **significance(systems[:2], references, 50, 50)),
        dict(lines=3, references=1, **significance(few[:2], [references[0][:3]], 100, 100))]
    expected["add_k"] = list(paired_entries(systems[:2], references[:1], "ar", 50, add_k))
    return expected


def worn(number, line):
    """The line as a poor translation would have it, by a rule that corpora_test.cpp has too."""
    result = []
    for position, word in enumerate(line.split(" ")):
        fate = (7 * number + 3 * position) % 11
        if fate == 1:
            result.insert(max(0, len(result) - 2), word)
        elif fate == 2:
            result += [word, word]
        elif fate == 3:
            result.append("x")
        elif fate > 0:
            result.append(word)
    return " ".join(result)


def corpus_expectations(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        lines = [line.rstrip() for line in itertools.islice(file, CORPUS_LINES)]
    systems = [[worn(i + offset, line) for i, line in enumerate(lines)] for offset in (0, 5)]
    scores_of = [BLEU(tokenize=t, smooth_method=s, lowercase=lc, force=True).corpus_score(systems[0], [lines])
                 for t, s, lc in itertools.product(TOKENIZATIONS, SMOOTHINGS, (False, True))]
    return dict(bleu=[rounded(score.score) for score in scores_of],
                chrf=[rounded(CHRF(**o).corpus_score(systems[0], [lines]).score) for o in CHRF_SETTINGS],
                ter=[rounded(TER(**o).corpus_score(systems[0], [lines]).score) for o in TER_SETTINGS[::5]],
                **significance(systems, [lines], 1000, 1000))


def write_corpora(folder):
    corpora = {name: corpus_expectations(folder / name) for name in CORPORA}
    rows = [json.dumps(name) + ":" + json.dumps(corpus, separators=(",", ":")) for name, corpus in corpora.items()]
    text = f'{{"lines":{CORPUS_LINES},"corpora":{{\n' + ",\n".join(rows) + "\n}}\n"
    (HERE / "corpora_expected.json").write_text(text)


def main():
    assert sacrebleu.__version__ == "2.6.0", "the numbers stored are those of 2.6.0"
    assert numpy.__version__ >= "2", "resamples are scored in the arithmetic of NumPy 2"
    logging.disable(logging.CRITICAL)
    use_given_model()
    text = json.dumps(nasty_expectations(), separators=(",", ":"), ensure_ascii=False)
    with gzip.GzipFile(HERE / "metrics_expected.json.gz", "wb", mtime=0) as file:
        file.write(text.encode())
    if len(sys.argv) > 1:
        write_corpora(pathlib.Path(sys.argv[1]))
    for path in sorted(HERE.glob("*expected.json*")):
        print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
