#include "encoding/npy.h"

#include <gtest/gtest.h>

namespace ventris::encoding {
namespace {

TEST(Npy, AHeaderIsThatOfNumPysFormat) {
  const std::string header = npy_header(3, 128);
  EXPECT_EQ(header.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(header.size() % 64, 0U);
  const auto low = static_cast<unsigned char>(header[8]), high = static_cast<unsigned char>(header[9]);
  EXPECT_EQ(low + 256U * high, header.size() - 10);
  EXPECT_EQ(header.substr(10, 63), "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 128), }  ");
  EXPECT_EQ(header.back(), '\n');
}

TEST(Npy, EveryLengthOfTheShapeIsPadded) {
  for (int64_t rows = 1; rows < int64_t{1} << 40; rows *= 10) {
    const std::string header = npy_header(rows, 7);
    EXPECT_EQ(header.size() % 64, 0U);
    EXPECT_NE(header.find("(" + std::to_string(rows) + ", 7), }"), std::string::npos);
  }
}

}  // namespace
}  // namespace ventris::encoding
