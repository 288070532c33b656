"""Checks TorchScript files of ventris-export against PyTorch twins of the scripts here: the same names in state_dict,
the same outputs, the same greedy translations. Says so in one line per file.

    .venv/bin/python tests/parity/check_torchscript.py model.pt ...
"""

import itertools
import json
import sys
import warnings

warnings.filterwarnings("ignore")
import torch  # noqa: E402

import make_attention_variants_expected as variants  # noqa: E402
import make_rnn_expected as recurrent  # noqa: E402
import make_transformer_expected as plain  # noqa: E402
import make_transformer_nat_expected as nat  # noqa: E402

PAD, UNK, BOS, EOS = 0, 1, 2, 3
MAX_LEN = 12  # of greedy translations


class RnnTwin(recurrent.EncoderDecoder):
    def encode(self, src, src_mask):
        return super().encode(src)

    def decode(self, memory, src_mask, tgt, tgt_mask):
        return self.decoder(self.trg_embed(tgt), *memory, src_mask.squeeze(1))[0]


class NatVariantTwin(nat.NonAutoregressive):
    """The decoder layers see more of the encoder than its last layer."""

    encode, seen_by = variants.EncoderDecoder.encode, variants.EncoderDecoder.seen_by

    def __init__(self, o):
        super().__init__(o, variants)

    def length_log_probs(self, memories, src_lens):
        return super().length_log_probs(memories[-1], src_lens)

    def decode(self, memories, src_mask, x, tgt_mask):
        y = self.tgt_embed[1](x)
        for layer, memory in zip(self.decoder.layers, memories):
            y = layer(y, memory, src_mask, tgt_mask)
        return self.decoder.normed(y)


def has_variants(model):
    """Whether the settings differ from those of make_transformer_expected.py."""
    keys = [key for key in (*variants.UNUSUAL, "self_attention") if key != "encoder_layers"]
    plain_too = {"self_attention": "ssru"}
    return any(model.get(key, variants.SIZES[key]) not in (variants.SIZES[key], plain_too.get(key)) for key in keys)


def make_twin(config):
    model = config["model"]
    if config["architecture"] == "rnn":
        return RnnTwin(model)
    if config["architecture"] == "transformer-nat":
        return NatVariantTwin(variants.SIZES | model) if has_variants(model) else nat.NonAutoregressive(model)
    return (variants if has_variants(model) else plain).EncoderDecoder(model)


def twin_of(script, config):
    """The twin with the script's weights; fails if a name is missing on either side."""
    twin = make_twin(config).eval()
    ours, theirs = set(script.state_dict()), set(twin.state_dict())
    assert ours == theirs, (f"state_dict names differ: only ours {sorted(ours - theirs)}, "
                            f"only theirs {sorted(theirs - ours)}")
    twin.load_state_dict(script.state_dict(), strict=True)
    return twin


def random_ids(sentences, length, vocab):
    """Ids that end with eos, at different lengths, padded."""
    ids = torch.randint(4, vocab, (sentences, length))
    for row in range(sentences):
        end = length - 1 - row % 3
        ids[row, end] = EOS
        ids[row, end + 1:] = PAD
    return ids


def without(log_probs, never):
    return log_probs.index_fill(-1, torch.tensor(never), float("-inf"))


def same(ours, theirs):
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)


def greedy(twin, src, max_len):
    """Greedy decoding as The Annotated Transformer writes it, for a batch."""
    src_mask = (src != PAD).unsqueeze(1)
    memory = twin.encode(src, src_mask)
    ids = torch.full((src.shape[0], 1), BOS)
    done = torch.zeros(src.shape[0], dtype=torch.bool)
    while ids.shape[1] <= max_len and not done.all():
        mask = torch.ones(1, ids.shape[1], ids.shape[1], dtype=torch.bool).tril()
        scores = twin.generator(twin.decode(memory, src_mask, ids, mask)[:, -1])
        best = without(scores, [PAD, UNK, BOS]).argmax(-1).masked_fill(done, PAD)
        ids = torch.cat([ids, best.unsqueeze(1)], 1)
        done |= best == EOS
    return ids[:, 1:]


def what_script_encodes(twin, memory):
    """The output of the script's encoder that this memory of the twin stands for."""
    if isinstance(memory, list):  # what each decoder layer sees
        return torch.cat(memory, -1) if twin.o["cross_attention"] in ("layerwise", "weighted") else memory[0]
    if not isinstance(memory, tuple):
        return memory
    states, final = memory  # of a recurrent encoder; the first states of the decoder follow at each position
    first = twin.decoder.first(final)
    kinds = first if isinstance(first, tuple) else (first,)  # each [layers, batch, d_hidden]
    parts = torch.stack(kinds, 1).flatten(0, 1).unsqueeze(2).expand(-1, -1, states.shape[1], -1)
    return torch.cat([states, *parts], -1)


def check_translator(script, twin, model):
    """A model that writes token by token."""
    src, tgt = random_ids(6, 9, model["src_vocab"]), random_ids(6, 7, model["tgt_vocab"])
    src_mask = (src != PAD).unsqueeze(1)
    tgt_mask = (tgt != PAD).unsqueeze(1) & torch.ones(1, 7, 7, dtype=torch.bool).tril()
    memory = twin.encode(src, src_mask)
    hidden = twin.decode(memory, src_mask, tgt, tgt_mask)
    encoded = what_script_encodes(twin, memory)
    same(script.encode(src, src_mask), encoded)
    same(script.decode(encoded, src_mask, tgt, tgt_mask), hidden)
    same(script(src, tgt, src_mask, tgt_mask), hidden)
    same(script.generator(hidden), twin.generator(hidden))
    assert torch.equal(script.greedy(src, MAX_LEN), greedy(twin, src, MAX_LEN)), "greedy translations differ"
    return "encode, decode, forward, generator and greedy"


def lengths_of(twin, memory, src_lens):
    """The positions of the decoder: the most probable ones, if a model predicts them."""
    if not nat.predicts_length(twin.o):
        return [nat.positions(twin.o, n) for n in src_lens]
    lengths = []
    for n, log_probs in zip(src_lens, twin.length_log_probs(memory, src_lens).tolist()):
        allowed = {n + place - len(log_probs) // 2: score for place, score in enumerate(log_probs)}
        lengths.append(max((length for length in allowed if 1 <= length <= MAX_LEN), key=allowed.get))
    return lengths


def read(twin, ids):
    """The translation that the symbols of a sentence's positions stand for."""
    if nat.is_ctc(twin.o):
        ids = [symbol for symbol, _ in itertools.groupby(ids) if symbol != PAD]
    if EOS in ids:
        ids = ids[:ids.index(EOS)]
    return ids[:MAX_LEN]


def check_nat(script, twin, model):
    """A model that writes all tokens at once."""
    src = random_ids(6, 9, model["src_vocab"])
    src_mask, src_lens = (src != PAD).unsqueeze(1), (src != PAD).sum(1).tolist()
    memory = twin.encode(src, src_mask)
    lengths = lengths_of(twin, memory, src_lens)
    tgt_mask = (torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)).unsqueeze(1)
    first = twin.first_input(src, src_lens, lengths)
    hidden = twin.decode(memory, src_mask, first, tgt_mask)
    encoded = what_script_encodes(twin, memory)
    visible = tgt_mask.squeeze(1)
    same(script.encode(src, src_mask), encoded)
    same(script.first_input(src, src_mask, torch.tensor(lengths))[visible], first[visible])
    same(script.decode(encoded, src_mask, first, tgt_mask)[visible], hidden[visible])
    same(script(src, src_mask, torch.tensor(lengths), tgt_mask)[visible], hidden[visible])
    same(script.generator(hidden), twin.generator(hidden))
    if nat.predicts_length(twin.o):
        same(script.length_log_probs(encoded, src_mask), twin.length_log_probs(memory, src_lens))
    never = [UNK, BOS] + ([] if nat.is_ctc(model) else [PAD])
    if nat.is_ctc(model) or nat.predicts_length(model):
        never.append(EOS)
    best = without(twin.generator(hidden), never).argmax(-1).tolist()
    expected = [read(twin, ids[:n]) for ids, n in zip(best, lengths)]
    found = [[symbol for symbol in row if symbol != PAD] for row in script.greedy(src, MAX_LEN).tolist()]
    assert found == expected, f"greedy translations differ: {found}, {expected}"
    return "encode, first input, decode, forward, generator, lengths and greedy"


@torch.no_grad()
def main():
    for path in sys.argv[1:]:
        extra = {"config.json": ""}
        script = torch.jit.load(path, _extra_files=extra)
        config = json.loads(extra["config.json"])
        twin = twin_of(script, config)
        torch.manual_seed(1)
        check = check_nat if config["architecture"] == "transformer-nat" else check_translator
        agreed = check(script, twin, config["model"])
        print(f"{path}: {len(script.state_dict())} names, {agreed} agree with PyTorch")


if __name__ == "__main__":
    main()
