#include "text/wire_writer.h"

#include <gtest/gtest.h>

namespace ventris::text {
namespace {

using namespace std::string_literals;

// The first two are the examples of the description of the encoding (protobuf.dev/programming-guides/encoding).
TEST(WireWriter, FieldsHaveTheBytesOfTheStandard) {
  EXPECT_EQ(varint_field(1, 150), "\x08\x96\x01"s);
  EXPECT_EQ(bytes_field(2, "testing"), "\x12\x07testing"s);
  EXPECT_EQ(float_field(3, 1), "\x1d\0\0\x80\x3f"s);
  EXPECT_EQ(varint_field(16, 0), "\x80\x01\0"s);
}

TEST(WireWriter, TheLargestNumberTakesTenBytes) {
  EXPECT_EQ(varint_field(1, ~uint64_t{0}), "\x08"s + std::string(9, '\xff') + "\x01");
}

}  // namespace
}  // namespace ventris::text
