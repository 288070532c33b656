#include "family_runs/bag_architecture.h"

#include <nlohmann/json.hpp>

#include "architecture/family_fields.h"

namespace ventris::bag {
namespace {

using architecture::ArchitecturePtr;

template <typename V, typename Options>
void fields(V& visit, Options& options) {
  visit.size({"width", "Features of a word, and of a state of the decoder."}, options.width);
}

const architecture::AddedFamily added("bag-of-words", [](core::JsonReader& reader) -> ArchitecturePtr {
  BagOptions options;
  architecture::SettingsReader visit(reader);
  fields(visit, options);
  return std::make_shared<BagArchitecture>(options);
});

}  // namespace

nlohmann::json BagArchitecture::to_json() const {
  architecture::SettingsWriter visit;
  fields(visit, options);
  return visit.out;
}

std::vector<core::SettingDescription> BagArchitecture::describe() const {
  architecture::SettingsList visit;
  fields(visit, options);
  return visit.sections.front().settings;
}

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
