#pragma once
#include <cstdint>

#include "architecture/architecture.h"
#include "architecture/transformer_options.h"

namespace ventris::architecture {

/// What the decoder reads at first: mask tokens; for each position one source token, evenly spread (kUniform); or a
/// mean of all source tokens with most weight on that one (kSoft).
enum class DecoderInput { kMask, kUniform, kSoft };
/// What ends a translation: its length, which a classifier predicts, or the first eos.
enum class Stop { kLength, kEos };
/// What the decoder learns; docs/models.md describes them.
enum class NatLoss { kPlain, kMaskPredict, kGlancing, kCtc, kCtcGlancing };

/// Settings of a non-autoregressive Transformer. A target position is a position of the decoder.
struct NatOptions {
  TransformerOptions transformer;  ///< layers, sizes and vocabularies
  NatLoss objective = NatLoss::kMaskPredict;
  DecoderInput decoder_input = DecoderInput::kMask;
  Stop stop = Stop::kLength;    ///< has no meaning with CTC
  int64_t length_range = 128;   ///< kLength: largest difference of target and source length that has a class
  double length_weight = 0.1;   ///< kLength: weight of the loss of the length
  double length_factor = 2;     ///< kEos: target positions = factor x source positions + kSparePositions, at least 1
  double copy_width = 0.3;      ///< kSoft: weight of a source token = exp(-distance / width), in tokens
  int64_t upsampling = 2;       ///< CTC: target positions per source position
  double glancing_ratio = 0.5;  ///< glancing: tokens shown per wrong token at the first update, in [0, 1)
  double glancing_final = 0.3;  ///< the same from update `glancing_updates` on
  int64_t glancing_updates = 50000;

  static constexpr int64_t kSparePositions = 5;

  bool ctc() const { return objective == NatLoss::kCtc || objective == NatLoss::kCtcGlancing; }
  bool glances() const { return objective == NatLoss::kGlancing || objective == NatLoss::kCtcGlancing; }
  bool predicts_length() const { return !ctc() && stop == Stop::kLength; }
  int64_t length_classes() const { return 2 * length_range + 1; }
  /// The target positions for a source of this many positions, unless the length is predicted.
  int64_t positions(int64_t src_len) const;
  /// The most target positions of any source.
  int64_t most_positions() const;
};

/// "architecture": "transformer-nat".
class NatArchitecture : public Architecture {
 public:
  explicit NatArchitecture(const NatOptions& settings = {}) : options(settings) {}

  std::string family() const override { return "transformer-nat"; }
  nlohmann::json to_json() const override;
  std::vector<core::SettingDescription> describe() const override;
  std::string task() const override { return "nat"; }
  Writing writing() const override;
  bool smooths_labels() const override { return !options.ctc(); }
  int64_t src_vocab() const override { return options.transformer.src_vocab; }
  int64_t tgt_vocab() const override { return options.transformer.tgt_vocab; }
  ArchitecturePtr with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const override;
  int64_t max_length() const override { return options.transformer.max_positions; }
  int64_t width() const override { return options.transformer.d_model; }
  std::string source_embedding() const override { return "src_embed.0.lut.weight"; }
  std::string target_embedding() const override { return "tgt_embed.0.lut.weight"; }
  void check_tokenizers(bool shared) const override { check_tied_tokenizers(options.transformer.tying, shared); }
  void each_tensor(const TensorVisitor& visit) const override;

  NatOptions options;
};

}  // namespace ventris::architecture
