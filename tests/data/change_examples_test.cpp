#include "data/change_examples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::data {
namespace {

using modifiers::Modifiers;
using modifiers::TextPair;
using testing::HasSubstr;
using Kind = modifiers::ModifierKind;

class ChangeExamples : public testing::Test {
 protected:
  CorpusSpec corpus(const std::string& source, const std::string& target) const {
    return {{folder.file("a", source), folder.file("b", target)}};
  }

  test::TempFolder folder;
};

TEST_F(ChangeExamples, AreTheFirstOfEachModifier) {
  std::string lines;
  for (int i = 0; i < 500; ++i) lines += "line " + std::to_string(i) + "\n";
  const Modifiers modifiers({{Kind::kUpper, 0.2}, {Kind::kTypos, 0.1}}, 7);
  const auto examples = find_examples(corpus(lines, lines), modifiers, 10);
  ASSERT_EQ(examples.size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(examples[i].size(), 10U);
    for (const ChangeExample& example : examples[i]) {
      const std::string before = "line " + std::to_string(example.line - 1);
      EXPECT_EQ(example.before, std::vector<TextPair>({{before, before}}));
      EXPECT_EQ(modifiers.choose(0, static_cast<uint64_t>(example.line - 1))->modifier, i);
    }
  }
  EXPECT_EQ(examples[0][0].after.target, "LINE " + std::to_string(examples[0][0].line - 1));
}

TEST_F(ChangeExamples, LeaveOutPairsWithAnEmptySide) {
  const auto examples =
      find_examples(corpus("a\n\nc\nd\n", "A\nB\n\nD\n"), Modifiers({{Kind::kMerge, 1, 0.1, 2}}, 1), 10);
  ASSERT_EQ(examples[0].size(), 1U);  // nothing follows the last
  EXPECT_EQ(examples[0][0].line, 1);
  EXPECT_EQ(examples[0][0].before, (std::vector<TextPair>{{"a", "A"}, {"d", "D"}}));
  EXPECT_EQ(examples[0][0].after, (TextPair{"a d", "A D"}));
}

TEST_F(ChangeExamples, AreShownBeforeAndAfter) {
  const Modifiers modifiers({{Kind::kCopy, 1}}, 1);
  const auto examples = find_examples(corpus("a\x1b dog\n", "ein Hund\n"), modifiers, 10);
  EXPECT_EQ(to_text(modifiers, examples),
            "copy, share 1: 1 example\n  line 1\n    source  a\\x1b dog\n        =>  ein Hund\n    target  ein Hund\n");
  EXPECT_EQ(to_json(modifiers, examples).dump(),
            R"({"modifiers":[{"kind":"copy","share":1.0,"examples":[{"line":1,"before":[{"source":"a\u001b dog",)"
            R"("target":"ein Hund"}],"after":{"source":"ein Hund","target":"ein Hund"}}]}]})");
}

TEST_F(ChangeExamples, NeedAPair) {
  const Modifiers modifiers({{Kind::kUpper, 1}}, 1);
  EXPECT_FAILS(find_examples(corpus("\na\n", "b\n\n"), modifiers, 10), DataError,
               "a: has no sentence pair; expected one on each line");
}

TEST_F(ChangeExamples, SayIfNothingIsChanged) {
  const Modifiers modifiers({{Kind::kUpper, 1}}, 1);
  EXPECT_THAT(to_text(modifiers, find_examples(corpus("一\n", "一\n"), modifiers, 10)),
              HasSubstr("upper, share 1: no line of this corpus is changed\n"));
}

}  // namespace
}  // namespace ventris::data
