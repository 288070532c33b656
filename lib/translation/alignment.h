#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "decoding/pair_scorer.h"
#include "text/tokenizer.h"

/// From attention between tokens to links between words.
namespace ventris::translation {

/// Which attention to the source links words: numbers from 1, 0 = the default.
struct AttentionChoice {
  int64_t layer = 0;  ///< decoder layer; default: the last but one, or the only one
  int64_t head = 0;   ///< default: the mean over all
};

/// The choice as a question to a model. Throws ConfigError if the model has no such layer or head, or none at all.
decoding::PairQuestion attention_question(const AttentionChoice& choice, const decoding::AttentionShape& shape);

/// Words are what stands between white space, counted from 0.
struct Link {
  int64_t source = 0;
  int64_t target = 0;
};

/// The word each place belongs to: the one it lies in or, for white space, the one behind it; -1 = none.
std::vector<int64_t> words_of(const std::string& text, const std::vector<text::ByteRange>& places);

/// Attention of a translation: `weights` [tokens, sources] row by row, and the word of each token (-1 = none).
struct TokenAttention {
  std::span<const float> weights;
  std::vector<int64_t> source_words;
  std::vector<int64_t> target_words;
};

/// Each target word's link to the source word that its tokens together look at most (equal: the first), sorted by
/// source word, then target word.
std::vector<Link> align_words(const TokenAttention& attention);

/// "0-0 2-1": as the Pharaoh decoder writes them.
std::string format_links(const std::vector<Link>& links);

/// The source's share in row `row` of attention [tokens, sources]: the index of the greatest weight among those whose
/// `candidates` is true (one a source token); -1 if none is.
int64_t most_attended(std::span<const float> weights, size_t row, const std::vector<bool>& candidates);

}  // namespace ventris::translation
