#pragma once
#include "architecture/architecture.h"

/// A model family as somebody outside the library would add it: a bag-of-words encoder and a decoder of one layer.
namespace ventris::bag {

struct BagOptions {
  int64_t src_vocab = 0;
  int64_t tgt_vocab = 0;
  int64_t width = 32;
};

class BagArchitecture : public architecture::Architecture {
 public:
  explicit BagArchitecture(const BagOptions& settings) : options(settings) {}

  std::string family() const override { return "bag-of-words"; }
  nlohmann::json to_json() const override;
  std::vector<core::SettingDescription> describe() const override;
  int64_t src_vocab() const override { return options.src_vocab; }
  int64_t tgt_vocab() const override { return options.tgt_vocab; }
  architecture::ArchitecturePtr with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const override;
  int64_t max_length() const override { return 512; }
  int64_t width() const override { return options.width; }
  void check_tokenizers(bool /*shared*/) const override {}
  void each_tensor(const TensorVisitor& visit) const override;

  BagOptions options;
};

}  // namespace ventris::bag
