#include "architecture/tying.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::architecture {
namespace {

TEST(Tying, OnlyTyingAllNeedsOneTokenizer) {
  for (const auto& [name, tying] : tyings()) EXPECT_NO_THROW(check_tied_tokenizers(tying, true)) << name;
  EXPECT_NO_THROW(check_tied_tokenizers(Tying::kNone, false));
  EXPECT_NO_THROW(check_tied_tokenizers(Tying::kDecoder, false));
  EXPECT_FAILS(check_tied_tokenizers(Tying::kAll, false), ConfigError,
               "model.tying: 'all' shares the embeddings of both sides, which needs one tokenizer");
}

}  // namespace
}  // namespace ventris::architecture
