#include "scripting/rnn_script_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "scripting/search_script_source.h"

namespace ventris::scripting {

using architecture::Scoring;

std::string RnnScriptSource::weights(int64_t layer, bool both_directions) const {
  std::string list;
  for (const char* direction : {"", "_reverse"}) {
    for (const char* name : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"}) {
      list += fmt::format("{}self.{}_l{}{}", list.empty() ? "" : ", ", name, layer, direction);
    }
    if (!both_directions) break;
  }
  return list;
}

std::string RnnScriptSource::encoder_rnn() const {
  std::string text = fmt::format(R"(
def forward(self, x: Tensor, lengths: Tensor) -> Tuple[Tensor, List[Tensor]]:
    order = torch.argsort(lengths, 0, True)
    back = torch.argsort(order)
    sorted = torch.index_select(lengths, 0, order).cpu()
    data, sizes = torch._pack_padded_sequence(torch.index_select(x, 0, order), sorted, True)
    zeros = torch.zeros([2, x.size(0), {}], dtype=x.dtype, device=x.device)
    finals: List[Tensor] = []
)",
                                 options.d_hidden);
  for (int64_t layer = 0; layer < options.encoder_layers; ++layer) {
    if (layer > 0) text += "    data = self.dropout.forward(data)\n";
    text += fmt::format("    data, hidden{} = torch.{}(data, sizes, {}, [{}], True, 1, 0.0, self.training, True)\n",
                        has_cells() ? ", cell" : "", has_cells() ? "lstm" : "gru",
                        has_cells() ? "[zeros, zeros]" : "zeros", weights(layer, true));
    for (const char* kind : {"hidden", "cell"}) {
      text += fmt::format("    finals.append(torch.index_select({}.transpose(0, 1).flatten(1), 0, back))\n", kind);
      if (!has_cells()) break;
    }
  }
  return text + R"(    padded, kept = torch._pad_packed_sequence(data, sizes, True, 0.0, x.size(1))
    return torch.index_select(padded, 0, back), finals
)";
}

std::string RnnScriptSource::decoder_rnn() const {
  std::string all = "\ndef forward(self, x: Tensor, first: List[Tensor]) -> Tensor:\n";
  std::string step = "\ndef step(self, x: Tensor, state: List[Tensor]) -> List[Tensor]:\n    next: List[Tensor] = []\n";
  for (int64_t layer = 0; layer < options.decoder_layers; ++layer) {
    const int64_t at = layer * kinds();
    if (layer > 0) all += "    x = self.dropout.forward(x)\n", step += "    x = self.dropout.forward(x)\n";
    const std::string list = weights(layer, false);
    if (has_cells()) {
      all += fmt::format(
          "    x, h{0}, c{0} = torch.lstm(x, [first[{1}].unsqueeze(0), first[{2}].unsqueeze(0)], [{3}], True, 1, 0.0, "
          "self.training, False, True)\n",
          layer, at, at + 1, list);
      step += fmt::format("    x, c{0} = torch.lstm_cell(x, [state[{1}], state[{2}]], {3})\n", layer, at, at + 1, list);
      step += fmt::format("    next.append(x)\n    next.append(c{})\n", layer);
    } else {
      all += fmt::format(
          "    x, h{0} = torch.gru(x, first[{1}].unsqueeze(0), [{2}], True, 1, 0.0, self.training, False, True)\n",
          layer, at, list);
      step += fmt::format("    x = torch.gru_cell(x, state[{}], {})\n    next.append(x)\n", at, list);
    }
  }
  return all + "    return x\n" + step + "    return next\n";
}

std::string RnnScriptSource::attention() const {
  std::string text = "\ndef keys(self, states: Tensor) -> Tensor:\n";
  text += options.attention == Scoring::kDot
              ? fmt::format("    return states[:, :, :{0}] + states[:, :, {0}:]\n", options.d_hidden)
              : "    return self.key_layer.forward(states)\n";
  text += "\ndef forward(self, query: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:\n";
  text += options.attention == Scoring::kAdditive
              ? "    active = torch.tanh(self.query_layer.forward(query).unsqueeze(2) + keys.unsqueeze(1))\n"
                "    scores = self.energy_layer.forward(active).squeeze(-1)\n"
              : "    scores = torch.bmm(query, keys.transpose(1, 2))\n";
  return text + R"(    scores = scores.masked_fill(torch.logical_not(mask), float("-inf"))
    weights = torch.softmax(scores, -1)
    weights = weights.masked_fill(torch.logical_not(torch.any(mask, -1, True)), 0.0)
    return torch.bmm(weights, values)
)";
}

std::string RnnScriptSource::encoder() const {
  return R"(
def forward(self, x: Tensor, mask: Tensor) -> Tuple[Tensor, List[Tensor]]:
    lengths = torch.clamp_min(torch.sum(torch.squeeze(mask, 1), -1), 1)
    return self.rnn.forward(self.dropout.forward(x), lengths)
)";
}

/// `remember` appends the first states to the output of the encoder, `first` takes them out again.
std::string RnnScriptSource::first_states() const {
  std::string remember =
      "\ndef remember(self, states: Tensor, finals: List[Tensor]) -> Tensor:\n    parts = [states]\n";
  std::string first = "\ndef first(self, memory: Tensor) -> List[Tensor]:\n    return [";
  int64_t at = 2 * options.d_hidden;
  for (int64_t layer = 0; layer < options.decoder_layers; ++layer) {
    const int64_t from = std::max<int64_t>(layer + options.encoder_layers - options.decoder_layers, 0);
    for (int64_t kind = 0; kind < kinds(); ++kind) {
      remember += fmt::format(
          "    parts.append(torch.tanh(self.{}.forward(finals[{}])).unsqueeze(1).expand(-1, states.size(1), -1))\n",
          kind == 0 ? "bridge" : "bridge_cell", from * kinds() + kind);
      first += fmt::format("{}memory[:, 0, {}:{}]", layer + kind == 0 ? "" : ", ", at, at + options.d_hidden);
      at += options.d_hidden;
    }
  }
  return remember + "    return torch.cat(parts, 2)\n" + first + "]\n";
}

std::string RnnScriptSource::pre_output() const {
  const bool luong = options.attention == Scoring::kDot || options.attention == Scoring::kBilinear;
  return fmt::format(R"(
def pre_output(self, parts: List[Tensor]) -> Tensor:
    mixed = self.pre_output_layer.forward(self.dropout.forward(torch.cat(parts, -1)))
    return {}
)",
                     luong ? "torch.tanh(mixed)" : "mixed");
}

std::string RnnScriptSource::run() const {
  std::string text = "    outputs = self.rnn.forward(self.dropout.forward(y), self.first(memory))\n";
  if (!options.has_attention()) return text + "    return self.pre_output([y, outputs])\n";
  return text + R"(    contexts = self.attention.forward(outputs, self.attention.keys(states), states, src_mask)
    return self.pre_output([y, outputs, contexts])
)";
}

std::string RnnScriptSource::run_fed() const {
  const std::string attend =
      "        context = self.attention.forward(output.unsqueeze(1), keys, states, src_mask).squeeze(1)\n";
  const int64_t top = (options.decoder_layers - 1) * kinds();
  std::string text = fmt::format(R"(    state = self.first(memory)
    keys = self.attention.keys(states)
    x = self.dropout.forward(y)
    output = state[{}]
    fed = torch.zeros_like(output)
    found: List[Tensor] = []
    for i in range(y.size(1)):
)",
                                 top);
  if (options.attends_first()) {
    text += attend + "        state = self.rnn.step(torch.cat([x[:, i], context], 1), state)\n";
  } else {
    text += "        state = self.rnn.step(torch.cat([x[:, i], fed], 1), state)\n";
  }
  text += fmt::format("        output = state[{}]\n", top);
  if (!options.attends_first()) text += attend;
  return text + R"(        fed = self.pre_output([y[:, i], output, context])
        found.append(fed)
    return torch.stack(found, 1)
)";
}

std::string RnnScriptSource::decoder() const {
  const std::string head = fmt::format(R"(
def forward(self, y: Tensor, memory: Tensor, src_mask: Tensor) -> Tensor:
    states = memory[:, :, :{}]
)",
                                       2 * options.d_hidden);
  return first_states() + pre_output() + head + (options.input_feeding ? run_fed() : run());
}

std::string RnnScriptSource::encoder_decoder() const {
  return R"(
def encode(self, src: Tensor, src_mask: Tensor) -> Tensor:
    states, finals = self.encoder.forward(self.src_embed.forward(src), src_mask)
    return self.decoder.remember(states, finals)

def decode(self, memory: Tensor, src_mask: Tensor, tgt: Tensor, tgt_mask: Tensor) -> Tensor:
    return self.decoder.forward(self.trg_embed.forward(tgt), memory, src_mask)

def forward(self, src: Tensor, tgt: Tensor, src_mask: Tensor, tgt_mask: Tensor) -> Tensor:
    return self.decode(self.encode(src, src_mask), src_mask, tgt, tgt_mask)
)" + script_source::steps_without_cache() +
         script_source::greedy(ids) + script_source::beam(ids);
}

}  // namespace ventris::scripting
