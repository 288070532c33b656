#include "scripting/transformer_nat_script_source.h"

#include <fmt/format.h>

namespace ventris::scripting {

using architecture::DecoderInput;

std::string TransformerNatScriptSource::length_predictor() const {
  return R"(
def forward(self, states: Tensor, mask: Tensor) -> Tensor:
    seen = mask.squeeze(1).unsqueeze(2).to(6)
    return self.proj.forward(torch.sum(states * seen, [1]) / torch.sum(seen, [1]))
)";
}

std::string TransformerNatScriptSource::first_input() const {
  const std::string head = "\ndef first_input(self, src: Tensor, src_mask: Tensor, lengths: Tensor) -> Tensor:\n";
  if (options.decoder_input == DecoderInput::kMask) {
    return head + fmt::format(R"(    size = [lengths.size(0), int(torch.max(lengths))]
    return self.embed(torch.full(size, {}, dtype=4, device=src.device))
)",
                              ids.bos);
  }
  const std::string weights = options.decoder_input == DecoderInput::kUniform
                                  ? "    weights = torch.eq(torch.round(place).unsqueeze(2), source).to(6)\n"
                                  : fmt::format(R"(    scores = torch.abs(place.unsqueeze(2) - source) / {:#.17g}
    weights = torch.softmax(scores.masked_fill(torch.logical_not(seen).unsqueeze(1), float("-inf")), 2)
)",
                                                -options.copy_width);
  return head + R"(    seen = src_mask.squeeze(1)
    last = torch.sum(seen, [1], True).to(6) - 1.0
    steps = torch.clamp(lengths.to(6) - 1.0, min=1.0).unsqueeze(1)
    target = torch.arange(int(torch.max(lengths)), device=src.device).to(6)
    place = torch.minimum(target.unsqueeze(0) * last / steps, last)
    source = torch.arange(src.size(1), device=src.device).to(6)
)" + weights +
         R"(    return torch.matmul(weights, getattr(self.src_embed, "0").forward(src))
)";
}

/// Lines that set `lengths` [batch].
std::string TransformerNatScriptSource::lengths() const {
  if (options.ctc()) return fmt::format("    lengths = src_len * {}\n", options.upsampling);
  if (!options.predicts_length()) {
    return fmt::format("    lengths = torch.ceil(src_len.to(7) * {:#.17g}).to(4) + {}\n", options.length_factor,
                       architecture::NatOptions::kSparePositions);
  }
  return fmt::format(R"(    differences = torch.arange({classes}, device=src.device) - {range}
    every = src_len.unsqueeze(1) + differences
    refused = torch.logical_or(torch.lt(every, 1), torch.gt(every, max_len))
    scores = self.length_log_probs(memory, src_mask).masked_fill(refused, float("-inf"))
    lengths = torch.clamp(torch.gather(every, 1, torch.argmax(scores, -1, True)).squeeze(1), min=1, max=max_len)
)",
                     fmt::arg("classes", options.length_classes()), fmt::arg("range", options.length_range));
}

/// Lines that set `kept` [batch, longest]: which of `ids` are part of the translation.
std::string TransformerNatScriptSource::kept() const {
  if (options.predicts_length()) return "";
  if (!options.ctc()) {
    return fmt::format("    kept = torch.logical_and(kept, torch.eq(torch.cumsum(torch.eq(ids, {}).to(4), 1), 0))\n",
                       ids.eos);
  }
  return fmt::format(R"(    before = torch.cat([torch.full_like(ids[:, :1], {pad}), ids[:, :-1]], 1)
    kept = torch.logical_and(kept, torch.logical_and(torch.ne(ids, {pad}), torch.ne(ids, before)))
)",
                     fmt::arg("pad", ids.pad));
}

std::string TransformerNatScriptSource::greedy() const {
  std::string never = fmt::format("{}, {}", ids.unk, ids.bos);
  if (!options.ctc()) never += fmt::format(", {}", ids.pad);  // with CTC, it is the blank
  if (options.ctc() || options.predicts_length()) never += fmt::format(", {}", ids.eos);
  return fmt::format(R"(
def greedy(self, src: Tensor, max_len: int) -> Tensor:
    src_mask = torch.ne(src, {pad}).unsqueeze(1)
    memory = self.encode(src, src_mask)
    src_len = torch.sum(src_mask.squeeze(1), [1])
{lengths}    places = torch.arange(int(torch.max(lengths)), device=src.device)
    tgt_mask = torch.lt(places.unsqueeze(0), lengths.unsqueeze(1)).unsqueeze(1)
    hidden = self.decode(memory, src_mask, self.first_input(src, src_mask, lengths), tgt_mask)
    never = torch.tensor([{never}], dtype=4, device=src.device)
    ids = torch.argmax(torch.index_fill(self.generator.forward(hidden), 2, never, float("-inf")), -1)
    kept = tgt_mask.squeeze(1)
{kept}    kept = torch.logical_and(kept, torch.le(torch.cumsum(kept.to(4), 1), max_len))
    longest = int(torch.max(torch.sum(kept, [1])))
    found = torch.full([src.size(0), longest], {pad}, dtype=4, device=src.device)
    row = 0
    while row < src.size(0):
        part = torch.masked_select(ids[row], kept[row])
        found[row].narrow(0, 0, part.size(0)).copy_(part)
        row += 1
    return found
)",
                     fmt::arg("pad", ids.pad), fmt::arg("never", never), fmt::arg("lengths", lengths()),
                     fmt::arg("kept", kept()));
}

std::string TransformerNatScriptSource::model() const {
  std::string text = TransformerScriptSource{options.transformer, ids}.encode();
  if (options.predicts_length()) {
    text += fmt::format(R"(
def length_log_probs(self, memory: Tensor, src_mask: Tensor) -> Tensor:
    return torch.log_softmax(self.length.forward(memory[:, :, -{}:], src_mask), -1)
)",
                        options.transformer.d_model);
  }
  return text + R"(
def embed(self, ids: Tensor) -> Tensor:
    return getattr(self.tgt_embed, "0").forward(ids)
)" + first_input() +
         R"(
def decode(self, memory: Tensor, src_mask: Tensor, input: Tensor, tgt_mask: Tensor) -> Tensor:
    return self.decoder.forward(getattr(self.tgt_embed, "1").forward(input), memory, src_mask, tgt_mask)

def forward(self, src: Tensor, src_mask: Tensor, lengths: Tensor, tgt_mask: Tensor) -> Tensor:
    memory = self.encode(src, src_mask)
    return self.decode(memory, src_mask, self.first_input(src, src_mask, lengths), tgt_mask)
)" + greedy();
}

}  // namespace ventris::scripting
