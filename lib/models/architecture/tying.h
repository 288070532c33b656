#pragma once
#include "core/json_reader.h"

namespace ventris::architecture {

enum class Tying { kNone, kDecoder, kAll };  ///< kDecoder: generator and target embedding; kAll: also source

inline const core::Choices<Tying>& tyings() {
  static const core::Choices<Tying> all{{"none", Tying::kNone}, {"decoder", Tying::kDecoder}, {"all", Tying::kAll}};
  return all;
}

/// Throws ConfigError if `tying` needs one tokenizer for both sides and `shared` is false.
void check_tied_tokenizers(Tying tying, bool shared);

}  // namespace ventris::architecture
