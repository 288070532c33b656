#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model/package.h"
#include "text/tokenizer.h"
#include "translation/languages.h"

/// Converts between the text and the ids of a model.
namespace ventris::translation {

inline constexpr int kMostWorkers = 1024;  ///< maximum number of threads

/// A tokenizer of a package. Throws ModelError if its size differs from the model's vocabulary. The target's shares the
/// memory of `source` if both are the same.
text::Tokenizer source_tokenizer(const model::Package& package);
text::Tokenizer target_tokenizer(const model::Package& package, const text::Tokenizer& source);

/// A source as input of the model. `ids` is empty for a blank text.
struct EncodedSource {
  std::vector<int32_t> ids;  ///< with the marks of the languages
  bool cut = false;
};
/// A source with more than `max_length` tokens, eos included, is cut after the last sentence that ends in the second
/// half of what is allowed, or else after the last word in it, or else anywhere. The marks count towards the length.
EncodedSource encode_source(const std::string& text, const text::Tokenizer& tokenizer,
                            const model::TokenizerPolicy& policy, int64_t max_length, const LanguageMarks& marks = {});

/// Throws ConfigError unless `threads` is from 1 to kMostWorkers. `setting`: how the message names it.
void check_workers(int threads, const char* setting = "threads");

}  // namespace ventris::translation
