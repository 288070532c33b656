#include "imports/byte_reader.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

TEST(ByteReader, TakesLittleEndianNumbersAndNames) {
  const std::string bytes("\1\2ab\0rest", 9);
  ByteReader reader(bytes, "model", "file");
  EXPECT_EQ(reader.number<uint16_t>(), 0x201);
  EXPECT_EQ(reader.name(3), "ab");
  EXPECT_EQ(reader.take(4), "rest");
  EXPECT_EQ(reader.left(), 0U);
}

TEST(ByteReader, DamageIsNamedWithItsPlace) {
  const std::string bytes = "abc";
  ByteReader reader(bytes, "model", "file of some program");
  EXPECT_FAILS(reader.number<uint64_t>(), ModelError,
               "model: damaged, or no file of some program: it ends too early, at byte 0");
  EXPECT_FAILS(reader.name(2), ModelError, "a name is not a printable text with a 0 at its end, at byte 2");
  EXPECT_FAILS(reader.name(0), ModelError, "a name is not a printable text with a 0 at its end, at byte 2");
}

}  // namespace
}  // namespace ventris::imports
