#include "text/double_array.h"

#include <gtest/gtest.h>

#include "support/model_writer.h"

namespace ventris::text {
namespace {

using test::CharsmapWriter;

DoubleArray array_of(const CharsmapWriter& table) {
  return DoubleArray(std::string_view(table.write()).substr(4, 1024));
}

TEST(DoubleArray, AUnitIsReadAsItsFormatSays) {
  const TrieUnit near{0x61 | 1U << 8 | 5U << 10};
  EXPECT_EQ(near.label(), 0x61);
  EXPECT_TRUE(near.has_value());
  EXPECT_FALSE(near.is_value());
  EXPECT_EQ(near.offset(), 5U);
  const TrieUnit far{1U << 9 | 5U << 10};
  EXPECT_EQ(far.offset(), 5U << 8);
  EXPECT_FALSE(far.has_value());
  const TrieUnit value{1U << 31 | 77};
  EXPECT_TRUE(value.is_value());
  EXPECT_EQ(value.value(), 77U);
}

TEST(DoubleArray, AUnitLeadsToThoseThatItsBaseAndTheirLabelsGive) {
  const auto array = array_of(CharsmapWriter()
                                  .put(0, CharsmapWriter::node(0, 16))
                                  .put(16 ^ 'a', CharsmapWriter::node('a', 1))
                                  .put(16 ^ 'b', CharsmapWriter::node('x', 1))    // of another unit
                                  .put(16 ^ 'c', CharsmapWriter::value('c')));
  EXPECT_EQ(array.base(0), 16U);
  const auto [first, last] = array.children(0);
  ASSERT_EQ(last - first, 2U);  // the second is the unit at 16, which has the label 0, as all empty ones
  EXPECT_EQ(array.child(first), 16U);
  EXPECT_EQ(array.child(first + 1), 16U ^ 'a');
}

TEST(DoubleArray, OnlyWholeBlocksAreInside) {
  const auto array =
      array_of(CharsmapWriter().put(1, CharsmapWriter::node(0, 255)).put(2, CharsmapWriter::node(0, 256)));
  EXPECT_TRUE(array.leads_inside(0));
  EXPECT_TRUE(array.leads_inside(1));
  EXPECT_FALSE(array.leads_inside(2));
  EXPECT_FALSE(DoubleArray(std::string(4 * 255, '\0')).leads_inside(0));
}

}  // namespace
}  // namespace ventris::text
