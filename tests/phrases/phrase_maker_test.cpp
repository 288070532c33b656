#include "phrases/phrase_maker.h"

#include <gtest/gtest.h>

#include "support/tiny_text.h"

namespace ventris::phrases {
namespace {

using constraints::Constraints;
using constraints::Phrase;
using constraints::Progress;
using Ids = std::vector<int32_t>;

class PhraseMakerTest : public testing::TestWithParam<text::TokenizerKind> {
 protected:
  Constraints requiring(const std::string& text) const { return {{*maker.make(text)}, {}, maker.borders()}; }
  Constraints forbidding(const std::string& text) const { return {{}, {*maker.make(text)}, maker.borders()}; }

  static Progress after_all(const Constraints& constraints, const Ids& ids) {
    Progress progress;
    for (const int32_t id : ids) progress = constraints.after(progress, id);
    return progress;
  }
  bool meets(const std::string& text, const std::string& phrase) const {
    const Constraints constraints = requiring(phrase);
    return constraints.missing(after_all(constraints, tokenizer.encode(text))) == 0;
  }
  /// Whether each token of the text may follow those before it.
  bool may_be(const Ids& ids, const std::string& forbidden) const {
    const Constraints constraints = forbidding(forbidden);
    Progress progress;
    for (const int32_t id : ids) {
      const Ids never = constraints.forbidden(progress);
      if (std::find(never.begin(), never.end(), id) != never.end()) return false;
      progress = constraints.after(progress, id);
    }
    return true;
  }

  text::Tokenizer tokenizer = test::tiny_tokenizer(GetParam());
  PhraseMaker maker{tokenizer};
};
INSTANTIATE_TEST_SUITE_P(Kinds, PhraseMakerTest,
                         testing::Values(text::TokenizerKind::kUnigram, text::TokenizerKind::kBpe));

TEST_P(PhraseMakerTest, APhraseIsTheUsualSegmentationOfItsText) {
  for (const char* text : {"bread", "the green umbrella", "Zürich.", "n"}) {
    const Ids ids = tokenizer.encode(text);
    const Phrase phrase = *maker.make(text);
    EXPECT_EQ(phrase.graph().usual, ids);
    EXPECT_EQ(phrase.tokens(), static_cast<int32_t>(ids.size()));
  }
}

TEST_P(PhraseMakerTest, IsFoundWhereverItsWordsAre) {
  EXPECT_TRUE(meets("Nobody sees bread.", "bread"));
  EXPECT_TRUE(meets("Nobody sees bread.", "sees bread"));
  EXPECT_TRUE(meets("Nobody sees bread.", "."));
  EXPECT_TRUE(meets("bread", "bread"));
  EXPECT_TRUE(meets("the neighbour's dog", "s dog"));
  EXPECT_FALSE(meets("Nobody sees bread.", "bridge"));
  EXPECT_FALSE(meets("Nobody sees breads.", "bread"));
  EXPECT_FALSE(meets("Nobody sees bread.", "body"));
}

TEST_P(PhraseMakerTest, IsExcludedInEverySegmentation) {
  EXPECT_FALSE(may_be(tokenizer.encode("Nobody sees bread."), "bread"));
  EXPECT_TRUE(may_be(tokenizer.encode("Nobody sees bridges."), "bread"));
  for (uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_FALSE(may_be(tokenizer.sample("Nobody sees bread.", 0.3, seed), "bread")) << seed;
    EXPECT_FALSE(may_be(tokenizer.sample("Nobody sees bread.", 0.3, seed), "Nobody sees")) << seed;
  }
}

TEST_P(PhraseMakerTest, UnknownCharactersAndBlankTextsMakeNone) {
  EXPECT_FALSE(maker.make("bread \u4f60").has_value());
  EXPECT_FALSE(maker.make("").has_value());
  EXPECT_FALSE(maker.make(" ").has_value());
}

TEST(PhraseMaker, CharactersInBytesAreAPhrase) {
  const auto tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram, true);
  const PhraseMaker maker(tokenizer);
  const auto phrase = maker.make("bread \u4f60");
  ASSERT_TRUE(phrase.has_value());
  const Constraints constraints({*phrase}, {}, maker.borders());
  Progress progress;
  for (const int32_t id : tokenizer.encode("sees bread \u4f60.")) progress = constraints.after(progress, id);
  EXPECT_EQ(constraints.missing(progress), 0);
}

}  // namespace
}  // namespace ventris::phrases
