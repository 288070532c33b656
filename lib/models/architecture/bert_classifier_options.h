#pragma once
#include <string>
#include <vector>

#include "architecture/bert_options.h"

namespace ventris::architecture {

/// "architecture": "bert-classifier". Learns the label of a text from the state of [CLS] (Devlin et al. 2019, section
/// 4.1).
class BertClassifierArchitecture : public BertEncoderArchitecture {
 public:
  /// Special tokens around a text: [CLS] (bos) before it, [SEP] (eos) after it.
  static constexpr int64_t kSpecialTokens = 2;

  /// The settings of masking in `settings` are not used. `labels` are distinct; none = not known yet.
  explicit BertClassifierArchitecture(const BertOptions& settings = {}, std::vector<std::string> labels = {})
      : BertEncoderArchitecture(settings), labels_(std::move(labels)) {}

  std::string family() const override { return "bert-classifier"; }
  nlohmann::json to_json() const override;
  std::vector<core::SettingDescription> describe() const override;
  std::string task() const override { return "classification"; }
  CorpusKind corpus_kind() const override { return CorpusKind::kLabels; }
  std::string other_use() const override { return "use ventris-classify or ventris-embed"; }
  bool takes_encoder_of(const Architecture& other) const override { return has_bert_encoder(other); }
  ArchitecturePtr with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const override;
  /// Of a text with its eos: [CLS] needs room, too.
  int64_t max_length() const override { return options.max_positions - kSpecialTokens + 1; }
  std::vector<std::string> labels() const override { return labels_; }
  ArchitecturePtr with_labels(const std::vector<std::string>& labels) const override;
  void each_tensor(const TensorVisitor& visit) const override;

 private:
  std::vector<std::string> labels_;
};

}  // namespace ventris::architecture
