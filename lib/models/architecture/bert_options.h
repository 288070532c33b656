#pragma once
#include <cstdint>

#include "architecture/architecture.h"

namespace ventris::architecture {

/// Settings of BERT (Devlin et al. 2019). The defaults are BERT base.
struct BertOptions {
  int64_t vocab = 0;  ///< size with all special tokens; comes from the tokenizer
  int64_t layers = 12;
  int64_t d_model = 768;        ///< width between blocks, a multiple of `heads`
  int64_t d_ff = 3072;          ///< width inside a feed-forward block
  int64_t heads = 12;
  double dropout = 0.1;         ///< in [0, 1); of embeddings and after each block
  double attention_dropout = 0.1;  ///< of attention weights
  int64_t max_positions = 512;  ///< maximum length of an input in tokens, with its special tokens
  double norm_epsilon = 1e-12;  ///< added to the variance in layer norms
  double mask_rate = 0.15;      ///< share of the tokens of a passage that are predicted, in (0, 1)
  bool whole_words = false;     ///< all pieces of a word are predicted, or none
  bool next_sentence = true;    ///< also learn whether the second part of a passage follows the first
};

/// A family with the encoder of BERT, which reads one language and does not translate.
class BertEncoderArchitecture : public Architecture {
 public:
  explicit BertEncoderArchitecture(const BertOptions& settings) : options(settings) {}

  bool translates() const override { return false; }
  int64_t src_vocab() const override { return options.vocab; }
  int64_t tgt_vocab() const override { return options.vocab; }
  int64_t width() const override { return options.d_model; }
  std::string source_embedding() const override { return "bert.embeddings.word_embeddings.weight"; }
  void check_tokenizers(bool shared) const override;

  BertOptions options;
};

/// Whether this is a model with the encoder of BERT.
inline bool has_bert_encoder(const Architecture& model) {
  return dynamic_cast<const BertEncoderArchitecture*>(&model) != nullptr;
}

/// "architecture": "bert". Learns masked words and next-sentence prediction from running text.
class BertArchitecture : public BertEncoderArchitecture {
 public:
  /// The piece that stands for a hidden token.
  static constexpr const char* kMask = "[MASK]";
  /// Special tokens around an input: [CLS] (bos) first, [SEP] (eos) after each of its two parts.
  static constexpr int64_t kSpecialTokens = 3;

  explicit BertArchitecture(const BertOptions& settings = {}) : BertEncoderArchitecture(settings) {}

  std::string family() const override { return "bert"; }
  nlohmann::json to_json() const override;
  std::vector<core::SettingDescription> describe() const override;
  std::string task() const override { return "bert"; }
  CorpusKind corpus_kind() const override { return CorpusKind::kRunningText; }
  std::string other_use() const override;
  ArchitecturePtr with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const override;
  /// Of a passage with one eos: the other special tokens need room, too.
  int64_t max_length() const override { return options.max_positions - kSpecialTokens + 1; }
  std::vector<std::string> special_pieces() const override { return {kMask}; }
  void each_tensor(const TensorVisitor& visit) const override;
};

}  // namespace ventris::architecture
