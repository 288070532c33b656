#include "documents/printf_conversion.h"

#include <gtest/gtest.h>

namespace ventris::documents {
namespace {

/// How many bytes behind the "%" a conversion has; 0 = there is none.
size_t size_of(std::string_view text) { return PrintfConversion(text, 0).end(); }

TEST(PrintfConversion, HasFlagsWidthPrecisionAndLength) {
  EXPECT_EQ(size_of("s"), 1U);
  EXPECT_EQ(size_of("-5.2lf km"), 6U);
  EXPECT_EQ(size_of("1$*2$d x"), 6U);
  EXPECT_EQ(size_of(",d"), 2U);
  EXPECT_EQ(size_of("<s"), 2U);
  EXPECT_EQ(size_of("-10<name>s"), 10U);
  EXPECT_EQ(size_of("0:s"), 3U);
  EXPECT_EQ(size_of("1$tY"), 4U);
  for (const char* text : {"", "!", "10 ", "(name)s", "1: some", "0:sa"}) EXPECT_EQ(size_of(text), 0U) << text;
}

TEST(PrintfConversion, SaysWhatItHas) {
  EXPECT_TRUE(PrintfConversion("2$s", 0).has_position());
  EXPECT_TRUE(PrintfConversion("[2]s", 0).has_position());
  EXPECT_TRUE(PrintfConversion("5d", 0).has_digits());
  EXPECT_FALSE(PrintfConversion("d", 0).has_digits());
  EXPECT_TRUE(PrintfConversion(" d", 0).has_space());
  EXPECT_EQ(PrintfConversion(" d", 0).end(), 2U);
  EXPECT_EQ(PrintfConversion(" d", 0).end_without_space(), 0U);
}

TEST(PrintfConversion, AFlagOfJavaIsNoName) {
  EXPECT_TRUE(PrintfConversion::has_flag_of_java("(,.2f", 0));
  EXPECT_TRUE(PrintfConversion::has_flag_of_java(",d", 0));
  EXPECT_FALSE(PrintfConversion::has_flag_of_java("(date)s", 0));
  EXPECT_FALSE(PrintfConversion::has_flag_of_java("5d", 0));
}

}  // namespace
}  // namespace ventris::documents
