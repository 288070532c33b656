#include "data/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "data/corpus.h"
#include "data/corpus_cache.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_text.h"

namespace ventris::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Labels : public testing::Test {
 protected:
  CorpusSpec labelled(const std::string& text) {
    CorpusSpec spec{{folder.file("labelled.tsv", text), ""}};
    spec.files.labelled = true;
    return spec;
  }
  std::vector<std::string> collected(const std::string& text) {
    const std::vector<CorpusSpec> corpora{labelled(text)};
    return collect_labels(corpora);
  }
  ParallelCorpus read(const std::string& text, int64_t max_length = 100) {
    ReadOptions options;
    options.labels = {"news", "talk"};
    options.filter.max_length = max_length;
    options.filter.max_ratio = 1;
    const std::vector<CorpusSpec> corpora{labelled(text)};
    return load_corpora(corpora, tokenizer, tokenizer, options, counts);
  }

  test::TempFolder folder;
  const text::Tokenizer tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  std::vector<CorpusCounts> counts;
};

TEST_F(Labels, AreCollectedSortedFromTextsThatAreNotBlank) {
  EXPECT_THAT(collected("b\tbread\na\tan old man\nb\tman\nnone\t \nB c\tx\n"), ElementsAre("B c", "a", "b"));
}

TEST_F(Labels, AFileFromWhichNothingCanBeLearntIsRefused) {
  EXPECT_FAILS(collected("a\tbread\na\tman\n"), DataError,
               "labelled.tsv: expected texts with at least 2 different labels, found only 'a'; each line has a label, "
               "a TAB and a text");
  EXPECT_FAILS(collected("a\t\nb\t \n"), DataError, "found no text");
  EXPECT_FAILS(collected("a\tbread\n\tman\n"), DataError, "labelled.tsv:2: the label is empty");
  EXPECT_FAILS(collected("a\tbread\nman\n"), DataError,
               "labelled.tsv:2: expected 2 columns separated by TABs, found 1");
  EXPECT_FAILS(collected("a\tbread\tman\n"), DataError,
               "labelled.tsv:1: expected 2 columns separated by TABs, found 3");
}

TEST_F(Labels, ATextIsStoredWithTheNumberOfItsLabel) {
  const ParallelCorpus corpus = read("talk\tThe old man\nnews\tbread\n");
  ASSERT_EQ(corpus.size(), 2U);
  EXPECT_EQ(corpus.pair(0).source, tokenizer.encode("The old man"));
  EXPECT_THAT(corpus.pair(0).target, ElementsAre(1));
  EXPECT_THAT(corpus.pair(1).target, ElementsAre(0));
  EXPECT_THAT(describe(counts.front()), HasSubstr("2 lines, 2 texts with 2 labels, 0 empty"));
}

TEST_F(Labels, ALongTextIsCutAndABlankOneLeftOut) {
  const ParallelCorpus corpus = read("talk\tThe old man sees bread\nnews\t\nnews\tman\n", 3);
  ASSERT_EQ(corpus.size(), 2U);
  auto begin = tokenizer.encode("The old man sees bread");
  ASSERT_GT(begin.size(), 3U);
  begin.resize(3);
  EXPECT_EQ(corpus.pair(0).source, begin);
  EXPECT_THAT(describe(counts.front()), HasSubstr("3 lines, 2 texts with 2 labels, 1 empty, 0 over 1 MiB, 1 cut"));
}

TEST_F(Labels, AnUnknownLabelIsNamedWithItsLineAndTheKnownOnes) {
  EXPECT_FAILS(read("talk\tman\nnew\tbread\n"), DataError,
               "labelled.tsv:2: the label 'new' is not a label of the model, which has news, talk; the label is the "
               "text before the TAB");
  EXPECT_FAILS(read("talk\t\n"), DataError, "labelled.tsv: no text is left: 1 line, 0 texts");
}

TEST_F(Labels, ACacheIsBuiltAgainForOtherLabels) {
  const std::vector<CorpusSpec> corpora{labelled("a\tman\nb\tbread\n")};
  ReadOptions options;
  options.labels = {"a", "b"};
  const auto targets = [&] {
    const auto cache = open_cache(folder.path("cache"), corpora, tokenizer, tokenizer, options, counts);
    return std::vector<int32_t>{cache->pair(0).target.at(0), cache->pair(1).target.at(0)};
  };
  EXPECT_THAT(targets(), ElementsAre(0, 1));
  EXPECT_THAT(targets(), ElementsAre(0, 1));
  EXPECT_EQ(counts.front().labels, 2);
  options.labels = {"b", "a"};
  EXPECT_THAT(targets(), ElementsAre(1, 0));
}

}  // namespace
}  // namespace ventris::data
