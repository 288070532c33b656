#pragma once
#include <string>

#include "core/special_ids.h"
#include "model/safetensors.h"

namespace ventris::test {

/// The bytes of a safetensors file whose tables of embeddings [vocab, d_model] have `value` everywhere in the row of
/// bos.
inline std::string with_start(std::string weights, float value = 0) {
  const model::Safetensors file = model::Safetensors::parse(weights, "weights");
  for (const char* name : {"src_embed.0.lut.weight", "tgt_embed.0.lut.weight"}) {
    if (!file.contains(name)) continue;
    const auto& table = file.at(name);
    const size_t width = sizeof value * static_cast<size_t>(table.shape[1]);
    const auto row = static_cast<size_t>(core::SpecialIds().bos) * width;
    const auto first = static_cast<size_t>(table.bytes.data() - file.bytes().view().data()) + row;
    for (size_t i = 0; i < width; i += sizeof value) {
      weights.replace(first + i, sizeof value, reinterpret_cast<const char*>(&value), sizeof value);
    }
  }
  return weights;
}

}  // namespace ventris::test
