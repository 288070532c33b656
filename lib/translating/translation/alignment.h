#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "decoding/pair_scorer.h"
#include "text/tokenizer.h"

/// Word alignments from attention between tokens.
namespace ventris::translation {

/// The attention from which words are linked. Numbers count from 1; 0 = the default.
struct AttentionChoice {
  int64_t layer = 0;  ///< decoder layer; default: the second-to-last of three or more, otherwise the last
  int64_t head = 0;   ///< default: the mean over all heads
};

/// Turns the choice into a question to a model. Throws ConfigError if the model has no such layer or head, or none.
decoding::PairQuestion attention_question(const AttentionChoice& choice, const decoding::AttentionShape& shape);

/// Words are separated by white space and counted from 0.
struct Link {
  int64_t source = 0;
  int64_t target = 0;
};

/// The word to which each place belongs: the one that contains it, or, for white space, the next one; -1 = none.
std::vector<int64_t> words_of(const std::string& text, const std::vector<text::ByteRange>& places);

/// The attention of a translation: `weights` [tokens, sources] row by row, and the word of each token (-1 = none).
struct TokenAttention {
  std::span<const float> weights;
  std::vector<int64_t> source_words;
  std::vector<int64_t> target_words;
};

/// Links each target word to the source word with the largest attention, summed over its tokens (ties: the first).
/// Sorted by source word, then target word.
std::vector<Link> align_words(const TokenAttention& attention);

/// "0-0 2-1": links in Pharaoh format.
std::string format_links(const std::vector<Link>& links);

/// The index of the largest weight in row `row` of attention [tokens, sources], among source tokens whose `allowed`
/// is true (one value per source token); -1 if none is true.
int64_t most_attended(std::span<const float> weights, size_t row, const std::vector<bool>& allowed);

}  // namespace ventris::translation
