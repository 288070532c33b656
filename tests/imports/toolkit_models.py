"""What the scripts make_joeynmt_expected.py, make_opennmt_expected.py, make_eole_expected.py and
make_fairseq_expected.py have in common: tokenizers, random weights, and what is computed with a model.

A model is given as two functions:
    encode(ids) -> [length, width], the states of the encoder for the ids of a source
    step(states, ids) -> [length, tokens], the logits after each of the ids of a target, the first of which is the start
"""

import io
import json
import pathlib

import sentencepiece
import torch
from lines import LINES, SOURCE, TARGET

DATA = pathlib.Path(__file__).parent / "data"
BEAM, LONGEST = 4, 24


def spm(vocab_size, **settings):
    """The bytes of a SentencePiece model of both sides; a file would have its path in it."""
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SOURCE + TARGET), model_writer=written, vocab_size=vocab_size, character_coverage=1.0,
        normalization_rule_name="identity", hard_vocab_limit=False, num_threads=1, **settings)
    return written.getvalue()


def pieces_of(model):
    return [model.id_to_piece(i) for i in range(model.get_piece_size())]


def randomise(model, seed, eos_rows=()):
    """Random weights, of sizes with which every part of the model matters. Rows of the end of a sentence in tables that
    are named in `eos_rows` become larger, so that sentences end."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            is_gain = "norm" in name and name.endswith("weight")
            size = 0.1 if parameter.dim() == 1 else 2 / parameter.shape[1] ** 0.5
            if "emb" in name:
                size = 1.3 / parameter.shape[-1] ** 0.5 if "pos" not in name and "pe." not in name else 1
            parameter.copy_((1 if is_gain else 0) + noise * size)
        for name, row in eos_rows:
            model.get_parameter(name)[row] *= 1.3
    return model.eval()


def beam_search(step, states, start, eos, never, beam):
    """The search of Ventris (lib/inference/decoding/search.h) with the model of a toolkit: the beam becomes smaller when
    a hypothesis ends, which toolkits do in different ways."""
    live, finished = [([], 0.0)], []
    while live:
        pool = []
        for ids, score in live:
            row = step(states, [start] + ids)[-1].log_softmax(-1)
            row[never] = -torch.inf
            pool += [(ids + [token], score + one) for token, one in enumerate(row.tolist())]
        pool = sorted(pool, key=lambda one: -one[1])[: beam - len(finished)]
        live = []
        for ids, score in pool:
            ends = ids[-1] == eos or len(ids) == LONGEST
            (finished if ends else live).append((ids, score / len(ids) if ends else score))
        best = max((score for _, score in finished), default=-torch.inf)
        live = [(ids, score) for ids, score in live if score / LONGEST > best]
    return max(finished, key=lambda one: one[1])[0]


def lines_of(encode, step, source_ids, target_ids, special, source_eos):
    """What is computed for each line. `special` has the ids of pad, unk, bos, eos and start."""
    pad, unk, bos, eos, start = (special[name] for name in ("pad", "unk", "bos", "eos", "start"))
    found = []
    for number, line in enumerate(LINES[:6]):
        text = TARGET[number % len(TARGET)]
        source = source_ids(line) + ([eos] if source_eos else [])
        target = target_ids(text) + [eos]
        with torch.no_grad():
            states = encode(source)
            log_probs = step(states, [start] + target[:-1]).log_softmax(-1)
            searches = {name: beam_search(step, states, start, eos, [pad, unk, bos], beam)
                        for name, beam in (("greedy", 1), ("beam", BEAM))}
        found.append({"source": line, "ids": source, "target": text, "target_ids": target,
                      "log_probs": [round(log_probs[i, token].item(), 6) for i, token in enumerate(target)],
                      "states": [round(x, 6) for x in states[[0, -1]].flatten().tolist()]} | searches)
    return found


def write_expected(path, toolkit, tokens, lines, source_eos, longest=LONGEST):
    """`tokens`: the texts of the rows of source and target."""
    found = {"toolkit": toolkit, "tokens": tokens, "source_eos": source_eos, "longest": longest, "lines": lines}
    path.write_text(json.dumps(found, ensure_ascii=False) + "\n")
