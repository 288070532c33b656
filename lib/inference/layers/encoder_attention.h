#pragma once
#include <memory>

#include "decoding/memory_needs.h"
#include "layers/attention_weights.h"
#include "layers/packed_attention.h"

namespace ventris::layers {

/// Self-attention of an encoder layer to whole sentences, without its projections. One for each thread.
class EncoderAttention {
 public:
  virtual ~EncoderAttention() = default;

  /// projected [len, heads * (2 d_k + d_v)]: queries, keys and values of a sentence, side by side, which it may change
  /// -> out [len, heads * d_v].
  virtual void attend(float* projected, int64_t len, float* out) = 0;
};

/// The memory of that kind in all layers of an encoder, with what it needs of the thread's workspace. The classes
/// below have what their kind needs besides a packed sequence and its scores.
decoding::MemoryNeeds encoder_attention_needs(const architecture::TransformerOptions& options);

/// What a position sees of its sequence.
enum class Sight { kAll, kUpToItself };

/// Whether Sight::kUpToItself is possible: the decoder has full attention, whose scores are products.
bool sees_prefixes_at_once(const architecture::TransformerOptions& options);

/// The kind that the settings ask for. The weights must outlive it. With Sight::kUpToItself, it is full attention.
std::unique_ptr<EncoderAttention> make_encoder_attention(const Context& context, const SelfAttentionWeights& weights,
                                                         Sight sight = Sight::kAll);

}  // namespace ventris::layers
