#include "filters/finished_input.h"

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"
#include "support/errors.h"
#include "support/gzip.h"
#include "support/temp_folder.h"

namespace ventris::filters {
namespace {

class FinishedInputTest : public testing::Test {
 protected:
  void SetUp() override { choose(numbers(100)); }

  void choose(const std::string& lines) { settings.input = folder.file("in", lines); }

  static std::string numbers(int count) {
    std::string lines;
    for (int i = 1; i <= count; ++i) lines += std::to_string(i) + "\n";
    return lines;
  }
  /// Marks after so many lines of numbers().
  static nlohmann::ordered_json marks_after(int count, const std::string& prefix = "") {
    FinishedInput input;
    for (int i = 1; i <= count + 5; ++i) input.read(std::to_string(i), prefix);
    for (int i = 0; i < count; ++i) input.finish();
    return input.to_json();
  }

  test::TempFolder folder;
  TranslateSettings settings;
};

TEST_F(FinishedInputTest, LinesBehindThoseThatAreFinishedMayChange) {
  const auto marks = marks_after(50);
  EXPECT_EQ(lines_as_before(marks, settings), 50);
  choose(numbers(50) + "other\n");
  EXPECT_EQ(lines_as_before(marks, settings), 50);
  choose(numbers(50));
  EXPECT_EQ(lines_as_before(marks, settings), 50);
}

TEST_F(FinishedInputTest, IfALineHasChangedThoseBeforeItAreFoundToHalfTheDistance) {
  const auto marks = marks_after(90);
  choose(numbers(89) + "other\n");
  EXPECT_EQ(lines_as_before(marks, settings), 89);
  for (const int same : {1, 40, 60, 80, 85}) {
    choose(numbers(same) + "other\n" + numbers(200));
    const int64_t found = lines_as_before(marks, settings);
    EXPECT_LE(found, same);
    EXPECT_GE(found, 90 - 2 * (90 - same)) << same;
  }
  choose("other\n" + numbers(200));
  EXPECT_EQ(lines_as_before(marks, settings), 0);
}

TEST_F(FinishedInputTest, ThereAreFewMarksHoweverLongTheInputIs) {
  const int count = 1'000'000;
  FinishedInput input;
  std::string lines;
  for (int i = 1; i <= count; ++i) {
    input.read("x", "");
    input.finish();
    lines += "x\n";
  }
  const auto marks = input.to_json();
  EXPECT_LT(marks.size(), 40U);
  choose(lines);
  EXPECT_EQ(lines_as_before(marks, settings), count);
  choose(lines.substr(0, size_t{2} * (count - 1000)) + "y\n");
  EXPECT_GE(lines_as_before(marks, settings), count - 2000);
}

TEST_F(FinishedInputTest, PrefixesBelongToTheirLines) {
  settings.force_prefix = folder.file("prefixes", "a\na\na\nb\n");
  EXPECT_EQ(lines_as_before(marks_after(3, "a"), settings), 3);
  EXPECT_EQ(lines_as_before(marks_after(4, "a"), settings), 3);
  settings.force_prefix = "";
  EXPECT_EQ(lines_as_before(marks_after(3, "a"), settings), 0);
}

TEST_F(FinishedInputTest, BlankLinesAmongJsonLinesAreNone) {
  const auto marks = marks_after(3);
  const std::string lines = "\n1\n \n\t\n2\n\n3\n";
  choose(lines + "\nother\n");
  EXPECT_EQ(lines_as_before(marks, settings), 0);
  settings.input_format = InputFormat::kJsonl;
  EXPECT_EQ(lines_as_before(marks, settings), 3);
  choose(lines.substr(0, lines.size() - 2) + "other\n");
  EXPECT_EQ(lines_as_before(marks, settings), 2);
  choose(lines + "\n\n");
  settings.force_prefix = folder.file("prefixes", "a\na\na\n");
  EXPECT_EQ(lines_as_before(marks_after(3, "a"), settings), 3);
}

TEST_F(FinishedInputTest, PackedLinesCountAsTheyAreUnpacked) {
  settings.input = folder.file("in.gz", test::gzipped(numbers(60)));
  EXPECT_EQ(lines_as_before(marks_after(50), settings), 50);
}

TEST_F(FinishedInputTest, SomethingElseThanMarksFitsNoInput) {
  for (const char* text :
       {"null", "7", "[]", "[7]", "[[1]]", R"([["a", 1, 2]])", "[[-1, 1, 2]]", R"({"a": [1, 2, 3]})"})
    EXPECT_EQ(lines_as_before(nlohmann::ordered_json::parse(text), settings), 0) << text;
}

TEST_F(FinishedInputTest, AnInputThatIsGoneIsAnError) {
  settings.input = folder.path("nothing");
  EXPECT_FAILS(lines_as_before(marks_after(3), settings), DataError, "nothing: cannot be read: No such file");
}

}  // namespace
}  // namespace ventris::filters
