#include "markup/simple_tables.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::markup {
namespace {

size_t end_of(const std::string& document) { return end_of_simple_table(document, 0); }

TEST(SimpleTables, EndBeforeAnEmptyLine) {
  EXPECT_EQ(end_of("a     b\n----  -----\n1     2\n\nc\n"), 27U);
  EXPECT_EQ(end_of("  a   b\r\n----  -----\r\n1     2\r\n\r\n"), 30U);
  EXPECT_EQ(end_of("----  ----\na     b\n----  ----"), 29U);
}

TEST(SimpleTables, OtherLinesAreNone) {
  for (const std::string document :
       {"a dog  b\n---  ---\nc\n", "---  ---\na    b\n", "a    b\n---  ---\n\n", "a\n---\nb\n", "a b\n-- --\nc d\n",
        "a    b\n---  ---\nsome words\n", "a    b\n---  ---\nc", "---  ---\n---  ---\n", "a    b", "", "\n"}) {
    EXPECT_EQ(end_of(document), std::string::npos) << document;
  }
}

}  // namespace
}  // namespace ventris::markup
