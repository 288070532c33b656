"""Checks a TorchScript file of ventris-export against a PyTorch twin of the scripts here: the same names in state_dict,
the same outputs, the same greedy translations.

    .venv/bin/python tests/parity/check_torchscript.py model.pt
"""

import json
import sys
import warnings

warnings.filterwarnings("ignore")
import torch  # noqa: E402

import make_attention_variants_expected as variants  # noqa: E402
import make_transformer_expected as plain  # noqa: E402

PAD, UNK, BOS, EOS = 0, 1, 2, 3


def twin_of(script, config):
    """The twin with the script's weights; fails if a name is missing on either side."""
    model = config["model"]
    usual = all(model[key] == variants.SIZES[key] for key in (*variants.UNUSUAL, "self_attention")
                if key != "encoder_layers")
    twin = (plain if usual else variants).EncoderDecoder(model).eval()
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


def greedy(twin, src, max_len):
    """Greedy decoding as The Annotated Transformer writes it, for a batch."""
    src_mask = (src != PAD).unsqueeze(1)
    memory = twin.encode(src, src_mask)
    ids = torch.full((src.shape[0], 1), BOS)
    done = torch.zeros(src.shape[0], dtype=torch.bool)
    while ids.shape[1] <= max_len and not done.all():
        mask = torch.ones(1, ids.shape[1], ids.shape[1], dtype=torch.bool).tril()
        scores = twin.generator(twin.decode(memory, src_mask, ids, mask)[:, -1])
        scores[:, [PAD, UNK, BOS]] = float("-inf")
        best = scores.argmax(-1).masked_fill(done, PAD)
        ids = torch.cat([ids, best.unsqueeze(1)], 1)
        done |= best == EOS
    return ids[:, 1:]


@torch.no_grad()
def main():
    extra = {"config.json": ""}
    script = torch.jit.load(sys.argv[1], _extra_files=extra)
    config = json.loads(extra["config.json"])
    twin = twin_of(script, config)
    torch.manual_seed(1)
    src, tgt = random_ids(6, 9, config["model"]["src_vocab"]), random_ids(6, 7, config["model"]["tgt_vocab"])
    src_mask = (src != PAD).unsqueeze(1)
    tgt_mask = (tgt != PAD).unsqueeze(1) & torch.ones(1, 7, 7, dtype=torch.bool).tril()
    memory = twin.encode(src, src_mask)
    hidden = twin.decode(memory, src_mask, tgt, tgt_mask)
    if isinstance(memory, list):  # what each decoder layer sees
        memory = torch.cat(memory, -1) if config["model"]["cross_attention"] in ("layerwise", "weighted") else memory[0]
    torch.testing.assert_close(script.encode(src, src_mask), memory, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(script.decode(memory, src_mask, tgt, tgt_mask), hidden, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(script(src, tgt, src_mask, tgt_mask), hidden, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(script.generator(hidden), twin.generator(hidden), rtol=1e-5, atol=1e-5)
    assert torch.equal(script.greedy(src, 12), greedy(twin, src, 12)), "greedy translations differ"
    print(f"{len(script.state_dict())} names, encode, decode, forward, generator and greedy agree with PyTorch")


if __name__ == "__main__":
    main()
