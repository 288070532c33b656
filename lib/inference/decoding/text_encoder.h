#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace ventris::decoding {

/// The ids of some texts, with the special ids that the model reads. Each has at least one id.
using TokenTexts = std::span<const std::span<const int32_t>>;

/// What a TextEncoder can do.
struct TextEncoderInfo {
  int64_t width = 0;        ///< numbers of a state
  int64_t first_layer = 1;  ///< number of the first layer that states() takes; 0 = the embeddings
  int64_t last_layer = 0;   ///< of the last one; less than first_layer = there are no layers to choose from
  bool has_pooler = false;        ///< whether texts begin with [CLS], whose state has a pooler
  bool predicts_tokens = false;   ///< whether it has the head for hidden tokens
  int64_t labels = 0;             ///< of a classifier; 0 = it is none
};

/// Computes the encoder of a model, and the heads of a BERT. For one thread. Results are valid until the next call.
class TextEncoder {
 public:
  virtual ~TextEncoder() = default;

  virtual const TextEncoderInfo& info() const = 0;

  /// The states of all tokens, text after text, without padding: [tokens of all texts, width]. `layer` empty = the
  /// output of the encoder, after its final norm if it has one; otherwise what leaves that layer, without this norm.
  virtual std::span<const float> states(TokenTexts texts, std::optional<int64_t> layer) = 0;

  /// The pooler of a BERT, tanh(W x + b) of the state x of each first token: [texts, width].
  virtual std::span<const float> pooled(TokenTexts texts) = 0;

  /// The probability of each id of the vocabulary at some places: [places, vocab]. A place is the number of a token,
  /// counted over all texts from 0; the places ascend.
  virtual std::span<const float> token_probabilities(TokenTexts texts, std::span<const size_t> places) = 0;

  /// The probability of each label: [texts, labels].
  virtual std::span<const float> label_probabilities(TokenTexts texts) = 0;
};

/// A model whose weights all its encoders share. Thread-safe.
class TextEncoderFactory {
 public:
  virtual ~TextEncoderFactory() = default;
  virtual std::unique_ptr<TextEncoder> make_encoder() const = 0;
};

}  // namespace ventris::decoding
