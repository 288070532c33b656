#pragma once
#include <cstdint>

#include "architecture/architecture.h"
#include "architecture/tying.h"

namespace ventris::architecture {

enum class RecurrentCell { kGru, kLstm };

/// How a target position is compared with a source position; kNone = the decoder sees the source only through its
/// first state.
enum class Scoring { kNone, kAdditive, kDot, kBilinear };

/// Settings of a recurrent encoder-decoder. The defaults are the model of Bahdanau et al. 2015, with smaller layers.
struct RnnOptions {
  int64_t src_vocab = 0;  ///< size with all special tokens; comes from the tokenizers
  int64_t tgt_vocab = 0;
  RecurrentCell cell = RecurrentCell::kGru;
  int64_t encoder_layers = 1;  ///< each reads in both directions
  int64_t decoder_layers = 1;
  int64_t d_embedding = 512;  ///< width of source and target embeddings
  int64_t d_hidden = 512;     ///< width of a state, of each direction of the encoder and of the decoder
  Scoring attention = Scoring::kAdditive;
  bool input_feeding = true;  ///< the recurrence of the decoder sees the attention; needs attention
  double dropout = 0.2;       ///< in [0, 1); of everything that is not recurrent
  int64_t max_length = 1024;  ///< maximum length of a sequence, in tokens with bos or eos
  Tying tying = Tying::kNone;  ///< needs d_embedding = d_hidden, unless it is kNone; kAll also src_vocab = tgt_vocab

  int64_t gates() const { return cell == RecurrentCell::kLstm ? 4 : 3; }  ///< blocks of rows in recurrent weights
  bool has_attention() const { return attention != Scoring::kNone; }
  /// Bahdanau et al. 2015: attention comes before the cell, which gets the context.
  bool attends_first() const { return input_feeding && attention == Scoring::kAdditive; }
  /// Luong et al. 2015: the cell comes before attention, and gets the attentional vector of the step before.
  bool feeds_back() const { return input_feeding && has_attention() && attention != Scoring::kAdditive; }
  int64_t d_context() const { return has_attention() ? 2 * d_hidden : 0; }
  /// Features of the input of the decoder's first layer.
  int64_t decoder_input() const {
    return d_embedding + (attends_first() ? d_context() : 0) + (feeds_back() ? d_hidden : 0);
  }
};

/// "architecture": "rnn".
class RnnArchitecture : public Architecture {
 public:
  explicit RnnArchitecture(const RnnOptions& settings = {}) : options(settings) {}

  std::string family() const override { return "rnn"; }
  nlohmann::json to_json() const override;
  std::vector<core::SettingDescription> describe() const override;
  int64_t src_vocab() const override { return options.src_vocab; }
  int64_t tgt_vocab() const override { return options.tgt_vocab; }
  ArchitecturePtr with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const override;
  int64_t max_length() const override { return options.max_length; }
  int64_t width() const override { return options.d_hidden; }
  void check_tokenizers(bool shared) const override { check_tied_tokenizers(options.tying, shared); }
  std::string source_embedding() const override { return "src_embed.weight"; }
  std::string target_embedding() const override { return "trg_embed.weight"; }
  void each_tensor(const TensorVisitor& visit) const override;

  RnnOptions options;
};

}  // namespace ventris::architecture
