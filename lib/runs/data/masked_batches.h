#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/special_ids.h"
#include "data/batch_plan.h"
#include "text/tokenizer.h"

namespace ventris::data {

/// How batches for masked words and next-sentence prediction are made.
struct MaskingOptions {
  int32_t mask_id = 0;         ///< of the piece [MASK]
  int32_t vocab = 0;           ///< any id after the special ones and below `vocab` may replace a token
  double mask_rate = 0.15;     ///< share of the tokens to predict
  bool whole_words = false;  ///< hide all pieces of a word or none; of a word with more pieces than wanted, the first
  bool next_sentence = true;  ///< two parts, the second perhaps from another passage; otherwise one part
  uint64_t seed = 1;
  core::SpecialIds ids = {};
};

/// Makes batches from passages (data/documents.h), for BERT (Devlin et al. 2019, section 3.1):
///   source      [CLS] first part [SEP] second part [SEP], with hidden tokens; [CLS] is bos, [SEP] is eos
///   segments    0 up to the first [SEP], then 1; padding 0
///   target_out  the original id of each token to predict, padding elsewhere; as long as the source
///   classes     1 if the second part is from another passage, else 0; empty without next_sentence
/// `target_in` is empty. Of the tokens to predict, 80 % are replaced by [MASK], 10 % by a random token, 10 % stay.
/// A passage is divided at a random end of a sentence (one of a single sentence: in its middle). In half of the cases,
/// sentences of another passage of the same corpus, but not of a neighbour, replace the second part. All draws are a
/// function of (seed, epoch, number).
class MaskedBatchMaker : public BatchMaker {
 public:
  /// `tokenizer` decides which pieces begin a word.
  MaskedBatchMaker(const MaskingOptions& options, const text::Tokenizer& tokenizer);

  Batch make(std::span<const SentencePair> passages, const BatchSource& source) const override;

 private:
  struct Example;
  class Draws;
  Example divide(const SentencePair& passage, uint32_t number, const PairStore& store, Draws& draws) const;
  std::vector<int32_t> other_part(uint32_t number, const PairStore& store, size_t most, bool from_middle,
                                  Draws& draws) const;
  void hide(Example& example, Draws& draws) const;
  std::vector<std::vector<size_t>> words_of(const Example& example) const;

  MaskingOptions options_;
  std::vector<char> begins_word_;  // of each id
};

}  // namespace ventris::data
