#include "core/human.h"

#include <gtest/gtest.h>

namespace ventris::core {
namespace {

TEST(Grouped, CommasStandBeforeEveryThreeDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(-1234), "-1,234");
  EXPECT_EQ(grouped(-123), "-123");
}

TEST(SizeText, TheUnitFitsTheSize) {
  EXPECT_EQ(size_text(1023), "1023 bytes");
  EXPECT_EQ(size_text(1536), "1.5 KiB");
  EXPECT_EQ(size_text(uint64_t{1} << 20), "1.0 MiB");
  EXPECT_EQ(size_text((uint64_t{1} << 20) - 1), "1.0 MiB");
  EXPECT_EQ(size_text(uint64_t{3000} << 40), "3000.0 TiB");
}

TEST(TimeText, HoursStandOnlyWhereThereAreSome) {
  EXPECT_EQ(time_text(0), "0:00");
  EXPECT_EQ(time_text(59.6), "1:00");
  EXPECT_EQ(time_text(3599), "59:59");
  EXPECT_EQ(time_text(3723), "1:02:03");
  EXPECT_EQ(time_text(-5), "0:00");
}

TEST(RateText, SmallRatesHaveADigitAfterThePoint) {
  EXPECT_EQ(rate_text(6, 4), "1.5");
  EXPECT_EQ(rate_text(0, 4), "0.0");
  EXPECT_EQ(rate_text(9999, 100), "100");
  EXPECT_EQ(rate_text(24'690, 2), "12,345");
  EXPECT_EQ(rate_text(0, 0), "0.0");
}

TEST(Human, OneOfAKindHasNoPlural) {
  EXPECT_EQ(plural(1, "line"), "line");
  EXPECT_EQ(plural(0, "line"), "lines");
  EXPECT_EQ(plural(2, "pair"), "pairs");
  EXPECT_EQ(count_of(1, "document"), "1 document");
  EXPECT_EQ(count_of(20, "document"), "20 documents");
}

TEST(FirstLines, NamesAllOfAFewAndTheFirstOfMany) {
  FirstLines lines;
  lines.add(7);
  lines.add(7);
  EXPECT_EQ(lines.text(), "line 7");
  for (const int64_t line : {9, 10, 11, 30}) lines.add(line);
  EXPECT_EQ(lines.text(), "lines 7, 9, 10, 11, 30");
  lines.add(1234);
  EXPECT_EQ(lines.text(), "first: lines 7, 9, 10, 11, 30");
  EXPECT_EQ(lines.count(), 6);
}

TEST(FirstLines, AreInOrderWhateverCameFirst) {
  FirstLines lines;  // attributes of a document are looked at behind its text
  for (const int64_t line : {11, 12, 13, 14, 8, 12}) lines.add(line);
  EXPECT_EQ(lines.text(), "lines 8, 11, 12, 13, 14");
  lines.add(2);
  EXPECT_EQ(lines.text(), "first: lines 2, 8, 11, 12, 13");
  EXPECT_EQ(lines.count(), 6);
}

}  // namespace
}  // namespace ventris::core
