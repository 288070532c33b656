#include "translation/translator_checks.h"

#include <gtest/gtest.h>

#include <functional>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"

namespace ventris::translation {
namespace {

TEST(TranslatorChecks, TheSuggestedOptionsAreTheModelsOwn) {
  model::DecodingDefaults defaults;
  defaults.beam_size = 7;
  defaults.length_alpha = 0.25;
  defaults.max_length_factor = 1.5;
  const TranslatorOptions options = suggested_options(defaults);
  EXPECT_EQ(options.search.beam_size, 7);
  EXPECT_EQ(options.search.length_alpha, 0.25);
  EXPECT_EQ(options.search.max_length_factor, 1.5);
  EXPECT_EQ(options.batch.sentences, TranslatorOptions().batch.sentences);
}

TEST(TranslatorChecks, SenselessOptionsAreNamed) {
  const auto expect_named = [](const char* name, const std::function<void(TranslatorOptions&)>& change) {
    TranslatorOptions options;
    change(options);
    EXPECT_FAILS(check(options), ConfigError, name);
  };
  expect_named("threads", [](auto& o) { o.workers = 0; });
  expect_named("threads", [](auto& o) { o.workers = 1025; });
  expect_named("mini_batch", [](auto& o) { o.batch.sentences = 0; });
  expect_named("mini_batch_words", [](auto& o) { o.batch.tokens = 0; });
  expect_named("maxi_batch", [](auto& o) { o.window_lines = 0; });
  expect_named("maxi_batch: must be from 1 to 100000, got 100001", [](auto& o) { o.window_lines = 100'001; });
  expect_named("workspace: must be from 1 to 1048576 MiB, got 0", [](auto& o) { o.workspace = 0; });
  expect_named("max_source_length", [](auto& o) { o.max_source_length = 1; });
  expect_named("beam_size", [](auto& o) { o.search.beam_size = 0; });
}

TEST(TranslatorChecks, AModelThatWritesAllAtOnceHasNoPhrases) {
  architecture::Writing writing;
  EXPECT_NO_THROW(check_wishes(false, {}, writing));
  writing.all_at_once = true;
  EXPECT_FAILS(check_wishes(false, {}, writing), ConfigError,
               "constraints, terms: this model writes all tokens at once, so no phrase can be required or forbidden");
}

TEST(TranslatorChecks, TermsAreSuggestedOnlyToAModelThatHasLearntIt) {
  const test::TempFolder folder;
  const text::Tokenizer tokenizer(test::tiny_package().source_spm, "tiny");
  TranslatorOptions options;
  options.term_use = TermUse::kSuggest;
  EXPECT_FALSE(suggests_terms(options, tokenizer, "m")) << "there are no terms";
  options.terms = std::make_shared<phrases::TermList>(folder.file("terms", "dog\tHund\n"));
  EXPECT_FAILS(suggests_terms(options, tokenizer, "m"), ConfigError,
               "term_use: m has not learnt to use suggested terms (its tokenizer has no pieces <term> and </term>)");
  options.term_use = TermUse::kRequire;
  EXPECT_FALSE(suggests_terms(options, tokenizer, "m"));
}

TEST(TranslatorChecks, ContextIsThatOfTheModelUpToItsSentences) {
  model::Package package = test::tiny_package();
  package.config.context = {.sentences = 2, .both = false, .separator = "a"};
  TranslatorOptions options;
  EXPECT_EQ(checked_context(options, package).sentences, 0) << "none was asked for";
  options.context = 2;
  EXPECT_EQ(checked_context(options, package).sentences, 2);
  options.context = -1;
  EXPECT_FAILS(checked_context(options, package), ConfigError, "context: must be from 0 (none) to 2, the most that");
}

TEST(TranslatorChecks, TheSeparatorIsAPieceOfTheTokenizer) {
  const text::Tokenizer tokenizer(test::tiny_package().source_spm, "tiny");
  EXPECT_EQ(separator_of(tokenizer, {}), kNoSeparator);
  EXPECT_EQ(separator_of(tokenizer, {.sentences = 1, .both = false, .separator = "</s>"}), tokenizer.id_of("</s>"));
  EXPECT_FAILS(separator_of(tokenizer, {.sentences = 1, .both = false, .separator = "<none>"}), ModelError,
               "context.separator: expected a piece of the tokenizer, got '<none>'");
}

}  // namespace
}  // namespace ventris::translation
