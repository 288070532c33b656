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

TEST(SimpleTables, EmptyLinesMayDivideRowsBetweenLinesOfHyphens) {
  const std::string rows = "  a   the dog\n      barks\n\n  b   the cat\n";
  const std::string columns = " ---  -------\n", line = "--------------\n";
  const std::string table = line + "  c   two\n      lines\n" + columns + rows + line;
  EXPECT_EQ(end_of(table + "\nd\n"), table.size() - 1);
  const std::string headless = columns + rows + columns;
  EXPECT_EQ(end_of(headless), headless.size() - 1);
  EXPECT_EQ(end_of(line + "c\n" + columns + rows), std::string::npos) << "no end";
  EXPECT_EQ(end_of(table + "d\n"), std::string::npos) << "text directly below";
  EXPECT_EQ(end_of(line + "c\n" + columns + "some words\n" + line), std::string::npos) << "text between the columns";
  EXPECT_EQ(end_of(line + "\n" + rows + line), std::string::npos) << "no columns";
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
