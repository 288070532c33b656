#!/usr/bin/env python3
"""Measures the speed of the generator's three matrix products, by the number of rows that are computed at a time.

    generator_products.py --vocab 32000 --width 512

Prints GFLOP/s on one core for f32 and bf16, each the best of 4 measurements. As in lib/modules/nn/loss.cpp, there are three
products for every block of rows: the logits, the gradient of the decoder states, and the gradient of the weight matrix
(summed in f32). Run it with a Python that has torch.
"""
import argparse
import time

import torch

TOKENS = 1024
ROWS = (64, 128, 256, 512, 1024)


def seconds(dtype, vocab, width, rows):
    table, states = torch.randn(vocab, width).to(dtype), torch.randn(TOKENS, width).to(dtype)
    of_table = torch.zeros(vocab, width)
    block = torch.empty(rows, vocab, dtype=dtype)
    start = time.perf_counter()
    for first in range(0, TOKENS, rows):
        some = states[first:first + rows]
        torch.mm(some, table.t(), out=block)
        block.mul_(0.5)  # in place of the loss: one pass over the block
        torch.mm(block, table)
        if dtype == torch.float32:
            of_table.addmm_(block.t(), some)
        else:
            of_table.add_(torch.mm(block.t(), some))
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vocab", type=int, default=32000)
    parser.add_argument("--width", type=int, default=512)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    flops = 3 * 2 * TOKENS * arguments.vocab * arguments.width
    for dtype in (torch.float32, torch.bfloat16):
        for rows in ROWS:
            best = min(seconds(dtype, arguments.vocab, arguments.width, rows) for _ in range(4))
            print(f"{dtype}, {rows} rows: {flops / best / 1e9:.0f} GFLOP/s", flush=True)


if __name__ == "__main__":
    with torch.no_grad():
        main()
