#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "decoding/pair_scorer.h"
#include "model/model_config.h"
#include "text/tokenizer.h"

/// Word alignments from attention between tokens.
namespace ventris::translation {

/// The attention from which words are linked. Numbers count from 1; 0 = the default. If both are 0, the default is
/// what has learnt links, if the model has such a head.
struct AttentionChoice {
  static constexpr int64_t kMean = -1;
  int64_t layer = 0;  ///< decoder layer; default: architecture::default_alignment_layer
  int64_t head = 0;   ///< kMean = the mean over all heads, which is the default

  bool given() const { return layer != 0 || head != 0; }
};

/// Turns the choice into a question to a model. `learnt` is what has learnt links, or has layer 0. Throws ConfigError
/// if the model has no such layer or head, or none.
decoding::PairQuestion attention_question(const AttentionChoice& choice, const decoding::AttentionShape& shape,
                                          const model::GuidedAttention& learnt = {});

/// The attention [tokens, sources] of the steps that read tokens, from that of the steps that write them. No step reads
/// the last token: its row becomes zeros if it is eos (`ended`), and otherwise stays.
void move_to_reading(std::vector<float>& weights, size_t sources, bool ended);

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
  bool knows_none = false;  ///< the model has learnt to look at eos, which belongs to no word, for words without links
};

/// Links each target word to the source word with the largest attention, summed over its tokens (ties: the first), or,
/// if the model knows words without links, to none if tokens of no word have more. Sorted by source word, then target
/// word.
std::vector<Link> align_words(const TokenAttention& attention);

/// "0-0 2-1": links in Pharaoh format.
std::string format_links(const std::vector<Link>& links);

/// The index of the largest weight in row `row` of attention [tokens, sources], among source tokens whose `allowed`
/// is true (one value per source token); -1 if none is true.
int64_t most_attended(std::span<const float> weights, size_t row, const std::vector<bool>& allowed);

}  // namespace ventris::translation
