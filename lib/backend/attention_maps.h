#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "model/attention_maps.h"
#include "model/package.h"
#include "nn/seq2seq.h"

/// Where a model looks: attention weights of every layer and head for a sentence pair.
namespace ventris::backend {

/// Weights while the decoder reads `target` (bos first): its row i is from where it produces the token after target[i].
/// `source` is what the encoder reads, with eos if the model wants it. `model` is in eval mode. Throws
/// std::invalid_argument if either is empty or longer than the model's positions.
model::AttentionMaps attention_maps(const nn::Seq2Seq& model, std::span<const int32_t> source,
                                    std::span<const int32_t> target);

/// A sentence pair through the tokenizers and the model. Throws DataError if a side has no tokens or more than the
/// model has positions.
model::SentenceAttention sentence_attention(const nn::Seq2Seq& model, const model::Package& package,
                                            const std::string& source, const std::string& target);

}  // namespace ventris::backend
