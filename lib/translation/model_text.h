#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model/package.h"
#include "text/tokenizer.h"

/// Between a model's text and its ids.
namespace ventris::translation {

inline constexpr int kMostWorkers = 1024;  ///< threads of one program

/// A package's tokenizer. Throws ModelError if it has another size than the model's vocabulary.
text::Tokenizer source_tokenizer(const model::Package& package);
text::Tokenizer target_tokenizer(const model::Package& package);

/// A source ready for the model. `ids` is empty for a blank text.
struct EncodedSource {
  std::vector<int32_t> ids;
  bool cut = false;
};
EncodedSource encode_source(const std::string& text, const text::Tokenizer& tokenizer,
                            const model::TokenizerPolicy& policy, int64_t max_length);

/// Throws ConfigError unless `threads` is from 1 to kMostWorkers.
void check_workers(int threads);

}  // namespace ventris::translation
