#include "metrics/word_forms.h"

#include <gtest/gtest.h>

namespace ventris::metrics {
namespace {

TEST(WordForms, BeginAlikeWhateverTheirCapitalsAndAccents) {
  EXPECT_TRUE(begin_alike("Mann", "Männer"));
  EXPECT_TRUE(begin_alike("gut", "guten"));
  EXPECT_TRUE(begin_alike("HUNDE", "Hund"));
  EXPECT_FALSE(begin_alike("der", "den"));
  EXPECT_FALSE(begin_alike("Bau", "Bauernhof"));
  EXPECT_FALSE(begin_alike("", ""));
}

}  // namespace
}  // namespace ventris::metrics
