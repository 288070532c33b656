"""Translates greedily with a plain PyTorch model that has the weights of a bundle. Needs PyTorch.

    python weights_in_pytorch.py run/best "two dogs play"
"""

import pathlib
import sys

import torch

import ventris
import ventris.torch


def translate(folder: pathlib.Path, text: str) -> str:
    model = ventris.torch.annotated_transformer(folder)
    source = ventris.Tokenizer(folder / "source.spm")
    shared = not (folder / "target.spm").exists()
    target = source if shared else ventris.Tokenizer(folder / "target.spm")
    ids = source.encode(text)
    src = torch.tensor([ids + [model.eos] if model.source_eos else ids])
    mask = model.source_mask(src)
    tgt = torch.tensor([[model.bos]])
    with torch.no_grad():
        memory = model.encode(src, mask)
        while tgt[0, -1] != model.eos and tgt.shape[1] < 3 * src.shape[1] + 10:
            hidden = model.decode(memory, mask, tgt, model.target_mask(tgt))
            best = model.generator(hidden[:, -1]).argmax(-1, keepdim=True)
            tgt = torch.cat([tgt, best], 1)
    return target.decode(int(number) for number in tgt[0, 1:] if number != model.eos)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: weights_in_pytorch.py BUNDLE TEXT")
    try:
        print(translate(pathlib.Path(sys.argv[1]), sys.argv[2]))
    except ventris.Error as error:
        sys.exit(f"weights_in_pytorch.py: {error}")
