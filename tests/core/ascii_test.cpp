#include "core/ascii.h"

#include <gtest/gtest.h>

namespace ventris::core {
namespace {

TEST(Ascii, OnlyLettersOfAsciiBecomeSmall) { EXPECT_EQ(in_lower_case("Zh-TW \u00c4"), "zh-tw \u00c4"); }

}  // namespace
}  // namespace ventris::core
