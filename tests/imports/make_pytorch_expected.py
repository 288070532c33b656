"""Makes small state dicts of Transformers written in PyTorch, with random weights, and what they compute.

Needs torch, safetensors and sentencepiece. Writes data/pytorch.spm, data/pytorch_NAME.safetensors (one as .pt) and
data/pytorch.json. The same versions give the same files:

    python tests/imports/make_pytorch_expected.py
"""

import io
import json
import math
import pathlib

import safetensors.torch
import sentencepiece
import torch
from torch import nn

DATA = pathlib.Path(__file__).parent / "data"
LINES = [
    "the old man sees a green book", "my sister carries bread", "a dog runs in the snow", "two men play football",
    "the girl reads a letter", "children sing under the tall tree", "the train leaves at noon", "she drinks cold water",
]
UNK, BOS, EOS, PAD = 0, 1, 2, 3
WIDTH, INNER, HEADS, VOCAB, LAYERS = 16, 24, 4, 60, 2


def sinusoids(count):
    table = torch.zeros(count, WIDTH)
    for position in range(count):
        for i in range(0, WIDTH, 2):
            angle = position / 10000 ** (i / WIDTH)
            table[position, i], table[position, i + 1] = math.sin(angle), math.cos(angle)
    return table


class Tutorial(nn.Module):
    """torch.nn.Transformer with the names of PyTorch's tutorial on translation."""

    class Tokens(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(VOCAB, WIDTH)

        def forward(self, ids):
            return self.embedding(ids) * math.sqrt(WIDTH)

    class Positions(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("pos_embedding", sinusoids(100).unsqueeze(1))

    def __init__(self):
        super().__init__()
        self.transformer = nn.Transformer(WIDTH, HEADS, LAYERS, LAYERS, INNER, dropout=0.0, batch_first=True)
        self.generator = nn.Linear(WIDTH, VOCAB)
        self.src_tok_emb, self.tgt_tok_emb = self.Tokens(), self.Tokens()
        self.positional_encoding = self.Positions()

    def embed(self, tokens, ids):
        return tokens(ids) + self.positional_encoding.pos_embedding[: ids.shape[1], 0]

    def forward(self, source, target):
        mask = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
        hidden = self.transformer(self.embed(self.src_tok_emb, source), self.embed(self.tgt_tok_emb, target),
                                  tgt_mask=mask, tgt_is_causal=True)
        return self.generator(hidden).log_softmax(-1)


def attend(q, k, v, causal):
    """q, k, v [len, heads * width of a head]"""
    q, k, v = (x.unflatten(-1, (HEADS, -1)).transpose(0, 1) for x in (q, k, v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -math.inf)
    return (scores.softmax(-1) @ v).transpose(0, 1).flatten(1)


class Separate(nn.Module):
    """The names of attention-is-all-you-need-pytorch: projections without biases, a norm in each block."""

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            for name in ("w_qs", "w_ks", "w_vs", "fc"):
                setattr(self, name, nn.Linear(WIDTH, WIDTH, bias=False))
            self.layer_norm = nn.LayerNorm(WIDTH, eps=1e-6)

        def forward(self, x, memory, causal=False):
            mixed = self.fc(attend(self.w_qs(x), self.w_ks(memory), self.w_vs(memory), causal))
            return self.layer_norm(x + mixed)

    class FeedForward(nn.Module):
        def __init__(self):
            super().__init__()
            self.w_1, self.w_2 = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
            self.layer_norm = nn.LayerNorm(WIDTH, eps=1e-6)

        def forward(self, x):
            return self.layer_norm(x + self.w_2(torch.relu(self.w_1(x))))

    class Side(nn.Module):
        def __init__(self, word, blocks):
            super().__init__()
            setattr(self, word, nn.Embedding(VOCAB, WIDTH))
            self.layer_norm = nn.LayerNorm(WIDTH, eps=1e-6)
            self.layer_stack = nn.ModuleList()
            for _ in range(LAYERS):
                layer = nn.Module()
                for block in blocks:
                    setattr(layer, block, Separate.Block())
                layer.pos_ffn = Separate.FeedForward()
                self.layer_stack.append(layer)
            self.position_enc = nn.Module()
            self.position_enc.register_buffer("pos_table", sinusoids(200).unsqueeze(0))

    def __init__(self, shared):
        super().__init__()
        self.encoder = self.Side("src_word_emb", ["slf_attn"])
        self.decoder = self.Side("trg_word_emb", ["slf_attn", "enc_attn"])
        self.trg_word_prj = nn.Linear(WIDTH, VOCAB, bias=False)
        self.shared = shared
        if shared:
            self.trg_word_prj.weight = self.decoder.trg_word_emb.weight

    def embed(self, side, table, ids):
        return side.layer_norm(table(ids) + side.position_enc.pos_table[0, : len(ids)])

    def forward(self, source, target):
        memory = self.embed(self.encoder, self.encoder.src_word_emb, source[0])
        for layer in self.encoder.layer_stack:
            memory = layer.pos_ffn(layer.slf_attn(memory, memory))
        x = self.embed(self.decoder, self.decoder.trg_word_emb, target[0])
        for layer in self.decoder.layer_stack:
            x = layer.pos_ffn(layer.enc_attn(layer.slf_attn(x, x, causal=True), memory))
        logits = self.trg_word_prj(x) * (WIDTH ** -0.5 if self.shared else 1)
        return logits.log_softmax(-1).unsqueeze(0)


class Annotated(nn.Module):
    """The names and the norm of The Annotated Transformer."""

    class Norm(nn.Module):
        def __init__(self):
            super().__init__()
            self.a_2, self.b_2 = nn.Parameter(torch.ones(WIDTH)), nn.Parameter(torch.zeros(WIDTH))

        def forward(self, x):
            return self.a_2 * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) + self.b_2

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.linears = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(4))

        def forward(self, x, memory, causal=False):
            q, k, v = (linear(y) for linear, y in zip(self.linears, (x, memory, memory)))
            return self.linears[3](attend(q, k, v, causal))

    class FeedForward(nn.Module):
        def __init__(self):
            super().__init__()
            self.w_1, self.w_2 = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)

        def forward(self, x):
            return self.w_2(torch.relu(self.w_1(x)))

    class Stack(nn.Module):
        def __init__(self, blocks):
            super().__init__()
            self.layers = nn.ModuleList()
            for _ in range(LAYERS):
                layer = nn.Module()
                for block in blocks:
                    setattr(layer, block, Annotated.Attention())
                layer.feed_forward = Annotated.FeedForward()
                layer.sublayer = nn.ModuleList(nn.Module() for _ in range(len(blocks) + 1))
                for sublayer in layer.sublayer:
                    sublayer.norm = Annotated.Norm()
                self.layers.append(layer)
            self.norm = Annotated.Norm()

    class Tokens(nn.Module):
        def __init__(self):
            super().__init__()
            self.lut = nn.Embedding(VOCAB, WIDTH)

        def forward(self, ids):
            return self.lut(ids) * math.sqrt(WIDTH)

    class Positions(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("pe", sinusoids(5000).unsqueeze(0))

        def forward(self, x):
            return x + self.pe[0, : len(x)]

    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = self.Stack(["self_attn"]), self.Stack(["self_attn", "src_attn"])
        self.src_embed = nn.Sequential(self.Tokens(), self.Positions())
        self.tgt_embed = nn.Sequential(self.Tokens(), self.Positions())
        self.generator = nn.Module()
        self.generator.proj = nn.Linear(WIDTH, VOCAB)

    def forward(self, source, target):
        memory = self.src_embed(source[0])
        for layer in self.encoder.layers:
            y = layer.sublayer[0].norm(memory)
            memory = memory + layer.self_attn(y, y)
            memory = memory + layer.feed_forward(layer.sublayer[1].norm(memory))
        memory = self.encoder.norm(memory)
        x = self.tgt_embed(target[0])
        for layer in self.decoder.layers:
            y = layer.sublayer[0].norm(x)
            x = x + layer.self_attn(y, y, causal=True)
            x = x + layer.src_attn(layer.sublayer[1].norm(x), memory)
            x = x + layer.feed_forward(layer.sublayer[2].norm(x))
        return self.generator.proj(self.decoder.norm(x)).log_softmax(-1).unsqueeze(0)


def randomise(model, seed):
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            is_gain = "norm" in name and (name.endswith("weight") or name.endswith("a_2"))
            parameter.copy_((1 if is_gain else 0) + noise * (0.1 if parameter.dim() == 1 else 0.25))
    return model.eval()


def tokenizer():
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LINES), model_writer=written, vocab_size=VOCAB, model_type="bpe", pad_id=PAD, unk_id=UNK,
        bos_id=BOS, eos_id=EOS, normalization_rule_name="identity", hard_vocab_limit=False, num_threads=1)
    (DATA / "pytorch.spm").write_bytes(written.getvalue())
    model = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    assert model.get_piece_size() == VOCAB
    return model


def rows_of(model, pieces):
    rows = []
    for source, target in zip(LINES, LINES[1:]):
        ids = pieces.encode(source) + [EOS]
        wanted = pieces.encode(target) + [EOS]
        with torch.no_grad():
            log_probs = model(torch.tensor([ids]), torch.tensor([[BOS] + wanted[:-1]]))[0]
        picked = log_probs[range(len(wanted)), wanted].tolist()
        rows.append({"source": source, "target": target, "log_probs": [round(value, 6) for value in picked]})
    return rows


def main():
    pieces = tokenizer()
    models = {"tutorial": Tutorial(), "separate": Separate(shared=False), "shared": Separate(shared=True),
              "annotated": Annotated()}
    expected = {}
    for seed, (name, model) in enumerate(models.items()):
        randomise(model, seed)
        state = {key: value.contiguous() for key, value in model.state_dict().items() if not key.endswith(".pe")}
        if name == "shared":
            torch.save(model.state_dict(), DATA / f"pytorch_{name}.pt")
        else:
            safetensors.torch.save_file(state, DATA / f"pytorch_{name}.safetensors")
        expected[name] = rows_of(model, pieces)
    (DATA / "pytorch.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
