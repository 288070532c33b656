#include "preparation/text_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/log.h"
#include "data/corpus.h"
#include "support/loaded_corpus.h"
#include "support/tiny_bundle.h"
#include "support/toy_run.h"

namespace ventris::preparation {
namespace {

using testing::HasSubstr;
using testing::Not;

class TextFitTest : public testing::Test {
 protected:
  data::ParallelCorpus pairs(const std::string& source, const std::string& target) const {
    data::CorpusCounts counts;
    return test::load_corpus({folder.file("source", source), folder.file("target", target)}, tokenizers.source,
                             tokenizers.target, {}, 1, counts);
  }

  model::Bundle bundle(const std::string& path) const {
    test::write_tiny_bundle(folder.path("bundle"));
    model::Bundle bundle = model::read_bundle(folder.path("bundle"));
    bundle.package.path = path;
    return bundle;
  }

  /// What log_text_fit() writes.
  static std::string log(const OpenedRun& run, const data::PairStore& pairs, const Tokenizers& tokenizers) {
    core::set_log_level("info");
    testing::internal::CaptureStderr();
    log_text_fit(run, pairs, tokenizers);
    return testing::internal::GetCapturedStderr();
  }

  test::TempFolder folder;
  settings::RunConfig config = test::toy_config(test::write_toy_corpus(folder, "train", 100, 1));
  Tokenizers tokenizers = prepare_tokenizers(config, {});
};

TEST_F(TextFitTest, CountsTokensWordsAndUnknownTokens) {
  const auto corpus = pairs("red tree\nblue \u4e2d house\n", "tree red\nhouse\n");
  const TextFit source = fit_of(corpus, &data::SentencePair::source, tokenizers.source);
  EXPECT_EQ(source.tokens, static_cast<int64_t>(tokenizers.source.encode("red tree").size() +
                                                tokenizers.source.encode("blue \u4e2d house").size()));
  EXPECT_EQ(source.words, 5);
  EXPECT_EQ(source.unknown, 1);
  EXPECT_EQ(fit_of(corpus, &data::SentencePair::target, tokenizers.target).words, 3);
}

TEST_F(TextFitTest, ALongCorpusIsSampledEvenly) {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += i % 10 == 0 ? "red\n" : "red tree house\n";
  const auto corpus = pairs(lines, lines);
  EXPECT_EQ(fit_of(corpus, &data::SentencePair::source, tokenizers.source, 10).words, 10);
  EXPECT_EQ(fit_of(corpus, &data::SentencePair::source, tokenizers.source, 100).words, 280);
}

TEST_F(TextFitTest, TheTagOfACorpusDoesNotCount) {
  const data::CorpusFiles files{folder.file("source", "red tree\nhouse\n"), folder.file("target", "tree red\nhouse\n")};
  settings::CorpusConfig tagged;
  tagged.spec = {config.data.train, "<bt>"};
  config.data.train = {};
  config.data.corpora = {tagged};
  const Tokenizers with_tag = prepare_tokenizers(config, {});
  const std::vector<data::CorpusSpec> both{{files}, {files, "<bt>"}};
  std::vector<data::CorpusCounts> counts;
  const auto corpus = data::load_corpora(both, with_tag.source, with_tag.target, {}, counts);
  const auto tokens = [&](const char* text) { return static_cast<int64_t>(with_tag.source.encode(text).size()); };
  const TextFit source = fit_of(corpus, &data::SentencePair::source, with_tag.source);
  EXPECT_EQ(source.tokens, 2 * (tokens("red tree") + tokens("house")));
  EXPECT_EQ(source.words, 6);
  EXPECT_EQ(fit_of(corpus, &data::SentencePair::target, with_tag.target).words, 6);
}

TEST_F(TextFitTest, IsDescribedPerWord) {
  EXPECT_EQ(describe({.tokens = 300, .words = 200, .unknown = 3}), "1.50 pieces per word, 1.00 % unknown");
  EXPECT_EQ(describe({.tokens = 300, .words = 0, .unknown = 0}), "0.00 % unknown");
  EXPECT_EQ(describe({}), "0.00 % unknown");
}

TEST_F(TextFitTest, IsLoggedForANewRunFromAModelOnly) {
  const auto known = pairs("red tree\n", "tree red\n");
  OpenedRun run;
  EXPECT_EQ(log(run, known, tokenizers), "");
  run.base = bundle("base");
  const std::string text = log(run, known, tokenizers);
  EXPECT_THAT(text, HasSubstr("the tokenizer of base on the training corpus: source "));
  EXPECT_THAT(text, HasSubstr(" pieces per word, 0.00 % unknown; target "));
  EXPECT_THAT(text, Not(HasSubstr("are unknown to")));
  run.checkpoint.emplace();
  EXPECT_EQ(log(run, known, tokenizers), "");
}

TEST_F(TextFitTest, AWarningSaysWhichSideIsUnknown) {
  OpenedRun run;
  run.base = bundle("base");
  const std::string target = log(run, pairs("red tree\n", "tree \u4e2d\n"), tokenizers);
  EXPECT_THAT(target,
              HasSubstr("% of the target tokens are unknown to the tokenizer of base, so they are not learnt; a "
                        "run that learns its own tokenizer would learn them"));
  EXPECT_THAT(target, Not(HasSubstr("% of the source tokens")));
  const std::string source = log(run, pairs("red \u4e2d\n", "tree red\n"), tokenizers);
  EXPECT_THAT(source, HasSubstr("% of the source tokens are unknown to the tokenizer of base, so they are not learnt"));
  EXPECT_THAT(source, Not(HasSubstr("% of the target tokens")));
}

TEST_F(TextFitTest, AFewUnknownTokensAreNoWarning) {
  OpenedRun run;
  run.base = bundle("base");
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "red tree house blue\n";
  EXPECT_THAT(log(run, pairs(lines + "\u4e2d\n", lines + "\u4e2d\n"), tokenizers), Not(HasSubstr("are unknown to")));
}

TEST_F(TextFitTest, AnEncoderHasOnlyASource) {
  OpenedRun run;
  run.encoder = bundle("bert");
  const std::string text = log(run, pairs("red tree\n", "\u4e2d\n"), tokenizers);
  EXPECT_THAT(text, HasSubstr("the tokenizer of bert on the training corpus: source "));
  EXPECT_THAT(text, Not(HasSubstr("target")));
  EXPECT_THAT(log(run, pairs("red \u4e2d\n", "tree\n"), tokenizers),
              HasSubstr("% of the source tokens are unknown to the tokenizer of bert"));
}

}  // namespace
}  // namespace ventris::preparation
