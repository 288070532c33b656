#include "families/bag_architecture.h"

#include <nlohmann/json.hpp>

#include "architecture/reading.h"

namespace ventris::bag {
namespace {

using architecture::ArchitecturePtr;

const architecture::AddedFamily added("bag-of-words", [](core::JsonReader& reader) -> ArchitecturePtr {
  BagOptions options;
  architecture::read_size(reader, "width", options.width);
  return std::make_shared<BagArchitecture>(options);
});

}  // namespace

nlohmann::json BagArchitecture::to_json() const { return {{"width", options.width}}; }

ArchitecturePtr BagArchitecture::with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const {
  return std::make_shared<BagArchitecture>(BagOptions{src_vocab, tgt_vocab, options.width});
}

void BagArchitecture::each_tensor(const TensorVisitor& visit) const {
  visit("src_embed.weight", {options.src_vocab, options.width});
  visit("tgt_embed.weight", {options.tgt_vocab, options.width});
  visit("layer.weight", {options.width, 3 * options.width});
  visit("layer.bias", {options.width});
  visit("generator.proj.weight", {options.tgt_vocab, options.width});
  visit("generator.proj.bias", {options.tgt_vocab});
}

}  // namespace ventris::bag
