#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "model/attention_maps.h"
#include "model/package.h"
#include "nn/seq2seq.h"

/// Attention weights of every layer and head of a model for a sentence pair.
namespace ventris::backend {

/// The weights while the decoder reads `target` (bos first): row i belongs to the prediction of the token after
/// target[i]. `source` has eos if the model needs it. `model` must be in eval mode. Throws std::invalid_argument if
/// either is empty or longer than the model's positions.
model::AttentionMaps attention_maps(const nn::Seq2Seq& model, std::span<const int32_t> source,
                                    std::span<const int32_t> target);

/// What becomes of a target with more tokens than the model has positions.
enum class LongTarget { kRefused, kCut };

/// Tokenizes a sentence pair and returns the attention of the model. Throws DataError if a side has no tokens or, apart
/// from a target that is cut, more than the model has positions.
model::SentenceAttention sentence_attention(const nn::Seq2Seq& model, const model::Package& package,
                                            const std::string& source, const std::string& target,
                                            LongTarget long_target = LongTarget::kRefused);

}  // namespace ventris::backend
