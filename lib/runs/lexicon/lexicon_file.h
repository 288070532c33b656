#pragma once
#include <string>

#include "lexicon/learning.h"

namespace ventris::lexicon {

/// What `ventris-vocab lexicon` does.
struct LexiconJob {
  std::string model;         ///< a bundle folder, or a tokenizer
  std::string target_model;  ///< the tokenizer of the target; "" = that of `model`
  std::string output;        ///< file to write
  LexiconOptions options;    ///< with at least one corpus
};

/// Learns a lexicon and writes it. If this fails or is stopped, nothing is written. Throws ConfigError if there is no
/// corpus, if `target_model` is given besides a bundle, or if `output` is an input; ModelError for a bundle or a
/// tokenizer that cannot be opened; WriteError; and as learn_lexicon() does.
void make_lexicon(const LexiconJob& job);

}  // namespace ventris::lexicon
