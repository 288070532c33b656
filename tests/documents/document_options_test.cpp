#include <gtest/gtest.h>

#include "core/error.h"
#include "documents/document_translator.h"
#include "support/errors.h"

namespace ventris::documents {
namespace {

class DocumentOptionsTest : public testing::Test {
 protected:
  DocumentOptions options;
  translation::TranslatorOptions translator_settings;
};

TEST_F(DocumentOptionsTest, CandidatesOfSeveralSentencesAreRefused) {
  options.split_sentences = true;
  translator_settings.search.n_best = 2;
  EXPECT_FAILS(translator_options(options, translator_settings), ConfigError, "n_best: must be 1 with split_sentences");
  options = {};
  options.language = "xxyyzz";
  EXPECT_FAILS(translator_options(options, {}), ConfigError, "language: expected the code of a language");
}

TEST_F(DocumentOptionsTest, ChangesOfADocumentNeedHtmlOrXml) {
  options.changes = {.attributes = true};
  EXPECT_FAILS(translator_options(options, {}), ConfigError, "translate_attributes: has an effect only in HTML, XML");
  options.markup = Markup::kMarkdown;
  EXPECT_NO_THROW(translator_options(options, {}));
  options.changes = {.language = "de"};
  EXPECT_FAILS(translator_options(options, {}), ConfigError, "document_language: has an effect only in HTML, XML");
  options.markup = Markup::kXml;
  options.changes = {.language = "xxyyzz"};
  EXPECT_FAILS(translator_options(options, {}), ConfigError, "document_language: expected the code of a language");
  options.changes = {.language = "de_AT\""};
  EXPECT_FAILS(translator_options(options, {}), ConfigError, "document_language: expected letters, digits and hyphens");
}

TEST_F(DocumentOptionsTest, WhatIsPutBackNeedsLinksInsideAndOneCandidate) {
  EXPECT_FALSE(translator_options(options, translator_settings).finish.alignment);
  options.markup = Markup::kHtml;
  EXPECT_TRUE(translator_options(options, translator_settings).finish.alignment);
  translator_settings.finish.alignment = true;
  EXPECT_FAILS(translator_options(options, translator_settings), ConfigError,
               "alignment: cannot be combined with placeholders and markup");
  translator_settings = {};
  translator_settings.search.n_best = 2;
  EXPECT_FAILS(translator_options(options, translator_settings), ConfigError,
               "n_best: must be 1 with placeholders and markup, because only the best candidate gets them back");
}

TEST_F(DocumentOptionsTest, SettingsOfAFormatNeedIt) {
  options.format.keys = "title";
  EXPECT_FAILS(translator_options(options, {}), ConfigError, "translate_keys: has an effect only in JSON, YAML and");
  options.markup = Markup::kYaml;
  EXPECT_NO_THROW(translator_options(options, {}));
  options.markup = Markup::kMarkdown;
  EXPECT_NO_THROW(translator_options(options, {}));
  options.format = {};
  options.format.fuzzy = false;
  EXPECT_FAILS(translator_options(options, {}), ConfigError, "no_fuzzy: has an effect only in PO; add --markup po");
  options.markup = Markup::kPo;
  EXPECT_NO_THROW(translator_options(options, {}));
}

TEST_F(DocumentOptionsTest, InMessagesOfProgramsWhatProgramsReplaceComesBack) {
  options.placeholders = "numbers";
  EXPECT_EQ(options.kept(), "numbers");
  options.markup = Markup::kPo;
  EXPECT_EQ(options.kept(), "builtin,numbers");
  options.placeholders = "";
  EXPECT_EQ(options.kept(), "builtin");
}

}  // namespace
}  // namespace ventris::documents
