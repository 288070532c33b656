#include "markup/number_ranges.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

TEST(NumberRanges, ATildeBetweenNumbersPricesOrAsianLettersIsASign) {
  EXPECT_EQ(with_plain_ranges("10~20 $1~$2 9:00~17:00 5%~6% \uC6D4~\uAE08"),
            "10-20 $1-$2 9:00-17:00 5%-6% \uC6D4-\uAE08");
  for (const char* text : {"~~10~~", "H~2~O", "~1", "1~", "1~ 2", "~", "a~b", "1~$", "\uC6D4~"}) {
    EXPECT_EQ(with_plain_ranges(text), text);
  }
}

}  // namespace
}  // namespace ventris::markup
