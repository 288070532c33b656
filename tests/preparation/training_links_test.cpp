#include "preparation/training_links.h"

#include <gtest/gtest.h>

#include "alignment/aligner.h"
#include "core/error.h"
#include "core/log.h"
#include "preparation/training_data.h"
#include "support/errors.h"
#include "support/toy_run.h"

namespace ventris::preparation {
namespace {

class TrainingLinks : public testing::Test {
 protected:
  void SetUp() override { core::set_log_level("warning"); }
  void TearDown() override { core::set_log_level("info"); }

  void read_links(const std::string& lines) {
    config.training.guided_alignment.links = config.data.train_links = folder.file("links", lines);
  }
  std::unique_ptr<const data::PairStore> load() { return load_training_pairs(config, tokenizers); }

  test::TempFolder folder;
  test::ToyCorpus corpus{folder.file("a.src", "red house\nblue tree\nblue house, red tree\n"),
                         folder.file("a.tgt", "house red\ntree blue\ntree red, house blue\n")};
  settings::RunConfig config = test::toy_config(test::write_toy_corpus(folder, "learning", 60, 1));
  Tokenizers tokenizers = prepare_tokenizers(config, {});
  TrainingLinks() { config.data.train = {corpus.source, corpus.target}; }
};

TEST_F(TrainingLinks, WithoutTheSettingPairsHaveNone) {
  EXPECT_EQ(link_reader_of(config), nullptr);
  EXPECT_EQ(load()->summary().links, 0);
}

TEST_F(TrainingLinks, OfAFileAreThoseOfItsLines) {
  read_links("0-1 1-0\n\n3-1 2-2\n");
  for (const char* cache : {"", "cache"}) {
    config.data.cache = *cache == 0 ? "" : folder.path(cache);
    const auto pairs = load();
    EXPECT_EQ(pairs->pair(0).links, (text::Links{{0, 1}, {1, 0}}));
    EXPECT_EQ(pairs->pair(1).links, text::Links{});
    EXPECT_EQ(pairs->pair(2).links, (text::Links{{2, 2}, {3, 1}}));
    EXPECT_EQ(pairs->summary().links, 4);
    EXPECT_TRUE(pairs->summary().has_text);
  }
}

TEST_F(TrainingLinks, LearntOnesAreThoseOfTheAlignerAlsoInACache) {
  config.training.guided_alignment.links = settings::kLearntLinks;
  alignment::SentencePairs words(alignment::kPrefix);
  const auto add = [&](std::string_view source, std::string_view target) {
    words.add(metrics::divided(source, metrics::Division::kText), metrics::divided(target, metrics::Division::kText));
  };
  add("red house", "house red");
  add("blue tree", "tree blue");
  add("blue house, red tree", "tree red, house blue");
  const auto expected = alignment::align(words, {});
  for (const char* cache : {"", "cache", "cache"}) {
    config.data.cache = *cache == 0 ? "" : folder.path(cache);
    config.training.threads += 1;
    const auto pairs = load();
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(pairs->pair(i).links, expected[i]) << i;
  }
}

TEST_F(TrainingLinks, ACacheWithOtherLinksIsBuiltAgain) {
  config.data.cache = folder.path("cache");
  const uint32_t without = load()->summary().checksum();
  read_links("0-1\n\n\n");
  EXPECT_EQ(load()->summary().links, 1);
  read_links("0-1\n0-1 1-1\n\n");
  EXPECT_EQ(load()->summary().links, 3);
  config.training.guided_alignment.tokenized = true;
  EXPECT_EQ(load()->summary().links, 3);
  config.training.guided_alignment.links = config.data.train_links = "";
  EXPECT_EQ(load()->summary().links, 0);
  config.tokenizer.sampling_alpha = 0.1;  // has texts, too
  EXPECT_NE(load()->summary().checksum(), without);
}

TEST_F(TrainingLinks, TokenizedOnesCountWhatIsBetweenSpaces) {
  read_links("\n\n3-3\n");
  config.training.guided_alignment.tokenized = true;
  EXPECT_EQ(load()->summary().links, 1);
  read_links("\n\n4-4\n");
  EXPECT_FAILS(load(), DataError, "links:3: the link 4-4 counts words from 0, but the line pair has 4 and 4 words");
  config.training.guided_alignment.tokenized = false;
  EXPECT_EQ(load()->summary().links, 1);
}

TEST_F(TrainingLinks, OfSeveralCorporaBelongToTheirEntries) {
  config.data.corpora = {{{{corpus.source, corpus.target}}}, {{{corpus.target, corpus.source}}}};
  config.data.corpora[1].spec.links = folder.file("second", "0-0\n1-1\n\n");
  config.data.train = {};
  config.training.guided_alignment.links = settings::kLinksOfCorpora;
  const auto some = load();
  EXPECT_EQ(some->summary().links, 2);
  EXPECT_EQ(some->pair(4).links, (text::Links{{1, 1}}));
  config.data.corpora[1].spec.links = "";
  config.training.guided_alignment.links = settings::kLearntLinks;
  const auto all = load();
  EXPECT_FALSE(all->pair(0).links.empty());
  EXPECT_FALSE(all->pair(5).links.empty());
}

TEST_F(TrainingLinks, WhatIsWrongWithAFileIsSaidWithItsLine) {
  read_links("0-1\n0:1\n\n");
  EXPECT_FAILS(load(), DataError, "links:2: expected links like 0-0 1-2, found '0:1'");
  read_links("0-1\n\n");
  EXPECT_FAILS(load(), DataError, "; expected one list of links per line of the corpus");
  EXPECT_FAILS(check_files(config.data), DataError, "line counts differ: ");
  read_links("0-1\n0-2\n\n");
  EXPECT_FAILS(load(), DataError, "links:2: the link 0-2 counts words from 0, but the line pair has 2 and 2 words");
  read_links("\n\n\n");
  EXPECT_FAILS(load(), DataError, "training.guided_alignment.links: the training pairs have no links");
  read_links("0-1\n\n\n");
  config.data.train_links = folder.path("missing");
  EXPECT_FAILS(check_files(config.data), DataError, "missing");
}

}  // namespace
}  // namespace ventris::preparation
