#include "exports/ctranslate2_file.h"

#include <gtest/gtest.h>

namespace ventris::exports {
namespace {

using namespace std::string_literals;

TEST(CTranslate2File, HasTheBytesOfTheFormat) {
  CTranslate2File file;
  file.tensor("t", {2, 1}, {1.0F, -2.0F});
  file.flag("f", 1);
  file.number("n", -1);
  file.alias("a", "t");
  const std::string header = "\6\0\0\0"s + "\x10\0TransformerSpec\0"s + "\7\0\0\0"s;
  const std::string arrays = "\3\0\0\0"s +                            // sorted by name
                             "\2\0f\0"s + "\0"s + "\1\1\0\0\0\1"s +   // rank 0, type int8, 1 byte
                             "\2\0n\0"s + "\0"s + "\2\2\0\0\0\xff\xff"s + "\2\0t\0"s + "\2\2\0\0\0\1\0\0\0"s +
                             "\0\x08\0\0\0"s + "\0\0\x80\x3f\0\0\0\xc0"s;
  const std::string aliases = "\1\0\0\0"s + "\2\0a\0"s + "\2\0t\0"s;
  EXPECT_EQ(file.bytes(), header + arrays + aliases);
  EXPECT_EQ(file.bytes(), header + "\0\0\0\0\0\0\0\0"s) << "bytes() gives the arrays away";
}

}  // namespace
}  // namespace ventris::exports
