#include "formats/value_writer.h"

#include <gtest/gtest.h>

namespace ventris::formats {
namespace {

TEST(ValueWriter, ChangedValuesAreWrittenInTheirPlaces) {
  markup::MarkedDocument document;
  ValueWriter writer("a=\\61;b=...;c=x\\ny");
  const auto write = [](const std::string& text) { return "[" + text + "]"; };
  writer.add({2, 5}, "a", 1, write, document);
  writer.add({8, 11}, "...", 1, write, document);
  writer.add({14, 18}, "x\ny", 1, write, document);
  ASSERT_EQ(document.blocks.size(), 3U) << "a text without letters is none";
  EXPECT_EQ(writer.write({"a", "x", "y"}), "a=\\61;b=...;c=x\\ny") << "what is the same stays as it is written";
  EXPECT_EQ(writer.write({"b", "x", "z"}), "a=[b];b=...;c=[x\nz]");
}

}  // namespace
}  // namespace ventris::formats
