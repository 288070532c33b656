#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "layers/decoder_attention.h"
#include "layers/decoder_layers.h"
#include "layers/encoder.h"
#include "layers/prefixes.h"

namespace ventris::engine {

using arithmetic::Aligned;
using arithmetic::Kernels;
using layers::Context;
using layers::DecoderAttention;
using layers::Encoder;
using layers::Prefixes;
using layers::SourceRows;
using layers::TransformerWeights;
using layers::Workspace;

/// Decodes target prefixes (rows) token by token. It has the encoded sentences, and the keys and values of the
/// prefixes.
class Steps : private layers::DecoderRows {
 public:
  Steps(const Kernels& kernels, const TransformerWeights& weights);

  /// What decoding steps need.
  static decoding::MemoryNeeds needs(const architecture::TransformerOptions& options);

  static constexpr int64_t kGroup = 256;  ///< tokens that are encoded together, unless a sentence has more

  void reset();
  /// Frees all memory, too.
  void release();
  /// Encodes sentences and appends an empty row for each; as decoding::StepScorer::admit. Throws std::invalid_argument
  /// for a sentence that is empty or too long, and for an id outside the vocabulary.
  void admit(std::span<const std::span<const int32_t>> sources);
  /// Row i becomes what row parents[i] was.
  void follow(std::span<const int32_t> parents);
  /// Appends a token to every row. Returns the decoder's states [rows, d_model], valid until the next call. Throws
  /// std::invalid_argument for another number of ids than rows, an id outside the vocabulary, or a row that is too
  /// long.
  const float* run(std::span<const int32_t> last_ids);

  /// From now on, run() ends with calls of watch(row, weights [heads, length], length): the attention of each row to
  /// its source in this decoder layer; -1 = in none.
  using Watch = std::function<void(size_t row, const float* weights, int64_t length)>;
  void watch(int64_t layer, Watch watch);

 private:
  struct Sentence {
    int64_t length = 0;
    std::vector<Aligned<float>> packed;  // of each decoder layer: keys and values of the source
  };

  void admit_group(std::span<const std::span<const int32_t>> sources);
  void attend(size_t layer, float* projected, int64_t rows, float* out) override;
  std::span<const SourceRows> sources(size_t layer) override;
  void add_room_for_weights();
  void show_weights() const;

  const TransformerWeights& weights_;
  Workspace work_;
  Context context_;
  Encoder encoder_;
  Prefixes prefixes_;
  std::unique_ptr<DecoderAttention> self_attention_;
  std::vector<Sentence> sentences_;
  std::vector<int32_t> free_;  // numbers of sentences that can be used again
  std::vector<int64_t> positions_;
  std::vector<SourceRows> source_rows_;  // of the last layer that was asked for
  Aligned<float> x_, watched_;
  int64_t watched_layer_ = -1;
  Watch watch_;
};

}  // namespace ventris::engine
