#!/usr/bin/env python3
"""Trains with a plain PyTorch loop around torch.nn.Transformer, as a user would write it, and measures the speed.

    train_plain_pytorch.py --config multi30k-tiny.json --train train.en train.de --tokenizer source.spm --threads 1

Takes model shape, batch size, loss, optimizer and schedule from a settings file of ventris-train. Prints one JSON
object with the target tokens per second after a warm-up (without padding), the peak memory and the loss. Run it with a
Python that has torch and sentencepiece.
"""
import argparse
import gzip
import json
import math
import random
import resource
import time

import sentencepiece
import torch
from torch import nn

from plain_attention import refuse_variants

PAD, BOS, EOS = 0, 2, 3


class Model(nn.Module):
    """torch.nn.Transformer, with one matrix for both embeddings and the output layer."""

    def __init__(self, vocab, d_model, d_ff, heads, encoder_layers, decoder_layers, dropout, norm, longest=1024):
        super().__init__()
        self.scale = math.sqrt(d_model)
        self.embedding = nn.Embedding(vocab, d_model, padding_idx=PAD)
        self.dropout = nn.Dropout(dropout)
        self.transformer = nn.Transformer(d_model, heads, encoder_layers, decoder_layers, d_ff, dropout,
                                          batch_first=True, norm_first=norm == "pre")
        self.output = nn.Linear(d_model, vocab)
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
        self.output.weight = self.embedding.weight
        self.register_buffer("positions", sinusoids(longest, d_model), persistent=False)

    def embed(self, ids):
        return self.dropout(self.embedding(ids) * self.scale + self.positions[:ids.size(1)])

    def forward(self, source, target):
        """source [batch, src_len], target [batch, tgt_len] -> logits [batch, tgt_len, vocab]."""
        source_padding, target_padding = source == PAD, target == PAD
        future = torch.ones(target.size(1), target.size(1), dtype=torch.bool, device=target.device).triu(1)
        hidden = self.transformer(self.embed(source), self.embed(target), tgt_mask=future,
                                  src_key_padding_mask=source_padding, tgt_key_padding_mask=target_padding,
                                  memory_key_padding_mask=source_padding, tgt_is_causal=True)
        return self.output(hidden)


def sinusoids(length, width):
    angles = torch.arange(length)[:, None] * torch.exp(torch.arange(0, width, 2) * -(math.log(10000.0) / width))
    return torch.stack([angles.sin(), angles.cos()], dim=2).view(length, width)


def open_text(path):
    return gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8")


def read_pairs(files, tokenizer, max_length):
    with open_text(files[0]) as source, open_text(files[1]) as target:
        pairs = [(tokenizer.encode(s.strip()), tokenizer.encode(t.strip()))
                 for s, t in zip(source, target, strict=True)]
    return [pair for pair in pairs if all(0 < len(side) <= max_length for side in pair)]


def longest_side(pair):
    return max(map(len, pair)) + 1  # with bos or eos


def make_batches(pairs, tokens, draw):
    """The batches of an epoch in random order.

    Each has sentences of similar length, and sentences x longest side is at most `tokens`.
    """
    order = sorted(pairs, key=lambda pair: (longest_side(pair), draw.random()))
    batches, batch = [], []
    for pair in order:
        if batch and (len(batch) + 1) * longest_side(pair) > tokens:
            batches.append(batch)
            batch = []
        batch.append(pair)
    batches.append(batch)
    draw.shuffle(batches)
    return batches


def to_tensors(batch):
    """source [batch, src_len], target with bos [batch, tgt_len], target with eos [batch, tgt_len]."""
    def padded(rows):
        return nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=PAD)
    return (padded([source + [EOS] for source, _ in batch]), padded([[BOS] + target for _, target in batch]),
            padded([target + [EOS] for _, target in batch]))


def endless_batches(pairs, tokens, seed):
    draw = random.Random(seed)
    while True:
        yield from make_batches(pairs, tokens, draw)


def make_optimizer(model, training):
    settings, schedule = training.get("optimizer", {}), training.get("schedule", {})
    warmup = schedule.get("warmup_updates", 4000)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=schedule.get("learning_rate", 5e-4), weight_decay=settings.get("weight_decay", 0.0),
        betas=(settings.get("beta1", 0.9), settings.get("beta2", 0.98)), eps=settings.get("epsilon", 1e-9))
    def factor(done):
        return min((done + 1) / warmup, math.sqrt(warmup / (done + 1)))
    return optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, factor)


def train(model, batches, training, warm_up, updates, device, bf16):
    """Does `warm_up` updates, then measures `updates` updates. With `bf16`, matrix products use autocast.

    Returns their target tokens, their seconds and their loss in nats per target token.
    """
    criterion = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=training.get("label_smoothing", 0.1))
    optimizer, schedule = make_optimizer(model, training)
    tokens, loss_sum, started = 0, 0.0, 0.0
    model.train()
    for update in range(warm_up + updates):
        if update == warm_up:
            tokens, loss_sum, started = 0, 0.0, time.perf_counter()
        source, target_in, target_out = (ids.to(device) for ids in to_tensors(next(batches)))
        with torch.autocast(device, torch.bfloat16, enabled=bf16):
            loss = criterion(model(source, target_in).flatten(0, 1), target_out.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), training.get("clip_norm", 1.0))
        optimizer.step()
        schedule.step()
        count = int((target_out != PAD).sum())
        tokens += count
        loss_sum += loss.item() * count
    return tokens, time.perf_counter() - started, loss_sum / tokens


def make_parser(description):
    """The arguments that train.py gives to this script and to train_eole.py."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--config", required=True, help="settings file of ventris-train")
    parser.add_argument("--train", nargs=2, required=True, metavar=("SRC", "TGT"))
    parser.add_argument("--tokenizer", required=True, help="shared SentencePiece model; pad 0, unk 1, bos 2, eos 3")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--warm-up", type=int, default=50, help="updates before the measurement")
    parser.add_argument("--updates", type=int, default=100, help="updates that are measured")
    return parser


def main():
    parser = make_parser(__doc__.splitlines()[0])
    parser.add_argument("--max-length", type=int, default=256, help="maximum length of each side of a pair, in tokens")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--precision", choices=["f32", "bf16"], default="f32")
    parser.add_argument("--without-cudnn-attention", action="store_true",
                        help="do not let cuDNN compute attention: it plans every new shape of a batch")
    arguments = parser.parse_args()
    if arguments.without_cudnn_attention:
        torch.backends.cuda.enable_cudnn_sdp(False)
    with open(arguments.config, encoding="utf-8") as file:
        config = json.load(file)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    tokenizer = sentencepiece.SentencePieceProcessor(model_file=arguments.tokenizer)
    assert [tokenizer.pad_id(), tokenizer.bos_id(), tokenizer.eos_id()] == [PAD, BOS, EOS], "unexpected special ids"
    pairs = read_pairs(arguments.train, tokenizer, arguments.max_length)
    shape = config["model"]
    assert shape["tying"] == "all", "this loop supports only the setting tying = all"
    refuse_variants(shape, arguments.config, "this loop")
    model = Model(tokenizer.get_piece_size(), shape["d_model"], shape["d_ff"], shape["heads"], shape["encoder_layers"],
                  shape["decoder_layers"], shape["dropout"], shape["norm"]).to(arguments.device)
    training = config["training"]
    batches = endless_batches(pairs, training["batch_tokens"], arguments.seed)
    tokens, seconds, loss = train(model, batches, training, arguments.warm_up, arguments.updates, arguments.device,
                                  arguments.precision == "bf16")
    print(json.dumps({"target_tokens_per_second": tokens / seconds, "target_tokens": tokens, "seconds": seconds,
                      "loss": loss, "parameters": sum(p.numel() for p in model.parameters()),
                      "peak_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


if __name__ == "__main__":
    main()
