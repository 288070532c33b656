#include <gtest/gtest.h>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/whole_words.h"
#include "translation/translator.h"

/// Required and forbidden phrases, from the request to the translation.
namespace ventris::translation {
namespace {

TranslatorOptions beam_of(int32_t size) {
  TranslatorOptions options;
  options.search.beam_size = size;
  options.phrases = true;
  return options;
}

std::vector<Translation> run(const std::vector<Request>& requests, const TranslatorOptions& options) {
  const auto package = test::copying_package();
  const Translator translator(package, test::copy_factory(package), options);
  std::vector<Translation> found;
  size_t next = 0;
  translator.run(
      [&](Request& request) {
        if (next == requests.size()) return false;
        request = requests[next++];
        return true;
      },
      [] { return true; }, [&](const Translation& translation) { found.push_back(translation); });
  return found;
}

Request request_of(const std::string& text, const phrases::WishedPhrases& phrases) {
  Request request;
  request.text = text;
  request.phrases = phrases;
  return request;
}

/// Lines of several lengths; every second one has phrases.
std::vector<Request> mixed_requests() {
  std::vector<Request> requests;
  for (size_t i = 0; i < 40; ++i) {
    phrases::WishedPhrases phrases;
    if (i % 2 == 0) phrases = {{"two wooden boats"}, {"likes", "the bridge"}};
    if (i % 4 == 0) phrases.required.emplace_back("Zürich");
    requests.push_back(request_of(test::tiny_text()[i * 5], phrases));
    if (i % 3 == 0) requests.back().text += " " + test::tiny_text()[i];
  }
  return requests;
}

TEST(Phrases, EveryTranslationIsAsWished) {
  TranslatorOptions options = beam_of(6);
  options.search.n_best = 3;
  const auto requests = mixed_requests();
  const auto found = run(requests, options);
  for (size_t i = 0; i < requests.size(); ++i) {
    for (const Candidate& candidate : found[i].candidates) {
      for (const std::string& one : requests[i].phrases.required) EXPECT_TRUE(test::has_words(candidate.text, one));
      for (const std::string& one : requests[i].phrases.forbidden) EXPECT_FALSE(test::has_words(candidate.text, one));
      EXPECT_TRUE(candidate.unmet.empty());
    }
  }
}

TEST(Phrases, BatchesAndThreadsChangeNothingWithPhrasesOrWithout) {
  const auto requests = mixed_requests();
  const auto found = run(requests, beam_of(4));
  TranslatorOptions other = beam_of(4);
  other.batch.sentences = 3;
  other.workers = 3;
  const auto others = run(requests, other);
  std::vector<Request> plain = requests;
  for (Request& request : plain) request.phrases = {};
  const auto without = run(plain, beam_of(4));
  for (size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(found[i].text(), others[i].text());
    EXPECT_EQ(found[i].candidates.front().token_log_probs, others[i].candidates.front().token_log_probs);
    if (!requests[i].phrases.empty()) continue;
    EXPECT_EQ(found[i].text(), without[i].text());
    EXPECT_EQ(found[i].candidates.front().token_log_probs, without[i].candidates.front().token_log_probs);
  }
}

TEST(Phrases, TheTranslationsOfTermsAreRequired) {
  const test::TempFolder folder;
  TranslatorOptions options = beam_of(5);
  options.terms =
      std::make_shared<const phrases::TermList>(folder.file("terms", "bread\tZürich\nold man\tthe bridge\n"));
  const auto found = run({request_of("Nobody sees bread.", {}), request_of("The old man sees bread.", {}),
                          request_of("Nobody sees bread.", {{"umbrella"}, {}}), request_of("My sister.", {})},
                         options);
  EXPECT_TRUE(test::has_words(found[0].text(), "Zürich"));
  EXPECT_TRUE(test::has_words(found[1].text(), "Zürich") && test::has_words(found[1].text(), "the bridge"));
  EXPECT_TRUE(test::has_words(found[2].text(), "Zürich") && test::has_words(found[2].text(), "umbrella"));
  EXPECT_EQ(found[3].text(), "My sister.");
}

TEST(Phrases, WhatIsNotAsWishedIsNamed) {
  const auto found = run({request_of("Nobody sees bread.", {{"\u4f60", "bread"}, {}}), request_of("", {{"bread"}, {}}),
                          request_of("bread", {{std::string(300, 'n')}, {}})},
                         beam_of(4));
  ASSERT_EQ(found[0].candidates.front().unmet.size(), 1U);
  EXPECT_EQ(found[0].candidates.front().unmet.front().phrase, "\u4f60");
  EXPECT_EQ(found[0].candidates.front().unmet.front().why, phrases::Obstacle::kUnknown);
  EXPECT_TRUE(test::has_words(found[0].text(), "bread"));
  ASSERT_EQ(found[1].candidates.front().unmet.size(), 1U);
  ASSERT_EQ(found[2].candidates.front().unmet.size(), 1U);
  EXPECT_EQ(found[2].candidates.front().unmet.front().why, phrases::Obstacle::kTooLong);
  EXPECT_EQ(found[2].text(), "bread");
}

TEST(Phrases, APrefixMayHaveThem) {
  Request request = request_of("My sister sees bread.", {{"Nobody", "umbrella"}, {"sister"}});
  request.prefix = "Nobody sees";
  const auto found = run({request}, beam_of(4));
  EXPECT_THAT(found[0].text(), testing::StartsWith("Nobody"));
  EXPECT_TRUE(found[0].candidates.front().unmet.empty());
  request.phrases = {{}, {"Nobody"}};
  const auto forbidden = run({request}, beam_of(4));
  ASSERT_EQ(forbidden[0].candidates.front().unmet.size(), 1U);
  EXPECT_EQ(forbidden[0].candidates.front().unmet.front().why, phrases::Obstacle::kPresent);
}

TEST(Phrases, GreedySearchAndSamplingMayHaveForbiddenOnes) {
  TranslatorOptions sampling = beam_of(1);
  sampling.search.sampling.enabled = true;
  sampling.search.n_best = 5;
  for (const TranslatorOptions& options : {beam_of(1), sampling}) {
    const auto found = run({request_of("Nobody sees bread.", {{}, {"bread"}})}, options);
    for (const Candidate& candidate : found[0].candidates) {
      EXPECT_FALSE(test::has_words(candidate.text, "bread"));
    }
    EXPECT_FAILS(run({request_of("Nobody sees bread.", {{"bread"}, {}})}, options), ConfigError,
                 "constraints, terms: phrases that must be in a translation need a beam search");
  }
}

TEST(Phrases, TermsWithoutABeamAreRefusedAtOnce) {
  const test::TempFolder folder;
  TranslatorOptions options = beam_of(1);
  options.terms = std::make_shared<const phrases::TermList>(folder.file("terms", "bread\tZürich\n"));
  EXPECT_FAILS(run({}, options), ConfigError, "give --beam-size 5 or more");
}

}  // namespace
}  // namespace ventris::translation
