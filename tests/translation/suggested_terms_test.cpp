#include <gtest/gtest.h>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "translation/translator.h"

/// Translations of terms that the model reads in its source.
namespace ventris::translation {
namespace {

class SuggestedTerms : public testing::Test {
 protected:
  SuggestedTerms() {
    options.terms = std::make_shared<const phrases::TermList>(folder.file("terms", "bread\tboats\nold man\tZürich\n"));
    options.term_use = TermUse::kSuggest;
    options.search.beam_size = 1;  // required terms need more
  }
  /// A package whose tokenizer has the marks of terms.
  static model::Package package_with_marks() {
    const auto lines = test::tiny_text();
    text::TokenizerTraining training;
    training.vocab_size = 150;
    training.user_pieces = {"<term>", "</term>"};
    model::Package package = test::copying_package();
    package.source_spm = package.target_spm = text::learn_tokenizer(test::source_of(lines), training);
    const text::Tokenizer tokenizer(package.source_spm, "with marks");
    auto& shape = test::shape_of(package.config);
    shape.src_vocab = shape.tgt_vocab = tokenizer.size();
    return package;
  }
  Candidate translate(const std::string& text) const {
    const auto package = package_with_marks();
    return Translator(package, test::copy_factory(package), options).translate({text}).front().candidates.front();
  }

  test::TempFolder folder;
  TranslatorOptions options;
};

TEST_F(SuggestedTerms, AreReadByAModelThatHasLearntThem) {
  const Candidate found = translate("Nobody sees bread.");
  EXPECT_EQ(found.text, "Nobody sees bread<term> boats</term>.");  // this model copies what it reads
  EXPECT_TRUE(found.unmet.empty());
  EXPECT_EQ(translate("Nobody sees boats.").text, "Nobody sees boats.");
}

TEST_F(SuggestedTerms, LinksAreThoseOfTheLine) {
  options.finish.alignment = true;
  options.finish.attention.layer = 1;
  EXPECT_EQ(format_links(translate("bread likes").links), "0-0 0-1 1-2");
}

TEST_F(SuggestedTerms, ATermThatTheTranslationLacksIsUnmet) {
  options.search.max_length_factor = 0.1;  // the copy ends before its second word
  const Candidate found = translate("old man");
  ASSERT_EQ(found.unmet.size(), 1U) << found.text;
  EXPECT_EQ(found.unmet[0].phrase, "Zürich");
  EXPECT_EQ(found.unmet[0].why, phrases::Obstacle::kUnused);
  EXPECT_EQ(phrases::sentence_about(found.unmet[0]),
            "'Zürich' is not in the translation, although it was suggested; require terms if each of them must be "
            "there");
}

TEST_F(SuggestedTerms, ALineThatWouldBeTooLongWithThemGetsNone) {
  const auto package = package_with_marks();
  const auto length = [&](const std::string& text) {
    return static_cast<int64_t>(text::Tokenizer(package.source_spm, "").encode(text).size());
  };
  options.max_source_length = length("Nobody sees bread.") + 1;
  EXPECT_EQ(translate("Nobody sees bread.").text, "Nobody sees bread.");
  const auto unmet = translate("Nobody sees bread.").unmet;
  ASSERT_EQ(unmet.size(), 1U);
  EXPECT_EQ(phrases::sentence_about(unmet[0]),
            "'boats' is not in the translation, and it was not suggested, because the line would have been too long "
            "with its terms, or has <term> or </term> itself");
}

TEST_F(SuggestedTerms, ALineWithAMarkOfTermsGetsNone) {
  const Candidate found = translate("bread <term> and bread");
  EXPECT_EQ(found.text, "bread <term> and bread");
  ASSERT_EQ(found.unmet.size(), 1U);
  EXPECT_EQ(found.unmet[0].phrase, "boats");
  EXPECT_EQ(found.unmet[0].why, phrases::Obstacle::kNotGiven);
}

TEST_F(SuggestedTerms, AModelThatHasNotLearntThemCannotHaveThem) {
  const auto package = test::copying_package();
  EXPECT_FAILS(Translator(package, test::copy_factory(package), options), ConfigError,
               "term_use: tiny package has not learnt to use suggested terms (its tokenizer has no pieces <term> and "
               "</term>); require them, or train a model with the modifier 'terms'");
}

TEST_F(SuggestedTerms, TheyCanBeRequiredInstead) {
  options.term_use = TermUse::kRequire;
  options.search.beam_size = 4;
  const Candidate found = translate("Nobody sees bread.");
  EXPECT_NE(found.text.find("boats"), std::string::npos);
  EXPECT_EQ(found.text.find("<term>"), std::string::npos);
}

}  // namespace
}  // namespace ventris::translation
