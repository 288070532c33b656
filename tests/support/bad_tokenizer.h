#pragma once
#include <string>

#include "support/model_writer.h"

namespace ventris::test {

/// A tokenizer of which SentencePiece would follow the rules of normalisation out of their table, and what is said of
/// it.
inline std::string bad_tokenizer() {
  return written_model() + charsmap_field(CharsmapWriter().put(0, CharsmapWriter::node(0, 1U << 20)).write());
}
inline constexpr const char* kBadTokenizer = ": normalisation rules: damaged: a rule leads out of the table";

}  // namespace ventris::test
