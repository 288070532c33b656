#include "decoding/pair_scorer.h"

#include <stdexcept>
#include <string>

namespace ventris::decoding {

void check_pairs(std::span<const Pair> pairs, const PairQuestion& question, const AttentionShape& shape,
                 int64_t max_length) {
  if (question.attention && (question.layer < 0 || question.layer >= shape.layers || question.head >= shape.heads)) {
    throw std::invalid_argument("PairScorer: this model has no attention of layer " + std::to_string(question.layer) +
                                ", head " + std::to_string(question.head));
  }
  const auto most = static_cast<size_t>(max_length);
  for (const Pair& pair : pairs) {
    if (pair.source.empty()) throw std::invalid_argument("PairScorer: a source has no tokens");
    if (pair.source.size() > most || pair.tokens() > most) {
      throw std::invalid_argument("PairScorer: a pair is longer than the model allows");
    }
  }
}

}  // namespace ventris::decoding
