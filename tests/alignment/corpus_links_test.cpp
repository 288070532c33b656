#include "alignment/corpus_links.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::alignment {
namespace {

using metrics::Division;

class CorpusLinks : public testing::Test {
 protected:
  data::CorpusSpec corpus(const std::string& name, const std::string& source, const std::string& target) const {
    data::CorpusSpec made;
    made.files.source = folder.file(name + ".en", source);
    made.files.target = folder.file(name + ".de", target);
    return made;
  }
  /// A corpus of `lines` sentences of two of five words, in which the order of the words is turned.
  data::CorpusSpec turned(const std::string& name, int lines) const {
    const std::vector<std::pair<std::string, std::string>> words{
        {"one", "eins"}, {"two", "zwei"}, {"red", "rot"}, {"blue", "blau"}, {"dog", "Hund"}};
    std::string source, target;
    for (int i = 0; i < lines; ++i) {
      const auto &first = words[static_cast<size_t>(i) % 5], &second = words[static_cast<size_t>(i / 5 + i + 1) % 5];
      source += first.first + " " + second.first + "\n";
      target += second.second + " " + first.second + "\n";
    }
    return corpus(name, source, target);
  }
  test::TempFolder folder;
};

TEST_F(CorpusLinks, AFileHasALineForEachLine) {
  data::CorpusSpec one = corpus("a", "", "");
  one.links = folder.file("a.links", "0-0 1-2\n\n3-1\n");
  const auto reader = links_in_files(Division::kText);
  reader->begin(one);
  EXPECT_EQ(reader->next(), (text::Links{{0, 0}, {1, 2}}));
  EXPECT_TRUE(reader->next().empty());
  EXPECT_EQ(reader->next(), (text::Links{{3, 1}}));
  EXPECT_FAILS(reader->next(), DataError, one.links + ": ends before the corpus; expected a line for each line");
  reader->begin(one);
  EXPECT_EQ(reader->next().size(), 2U) << "each corpus begins with its first line";
}

TEST_F(CorpusLinks, ACorpusWithoutAFileHasNone) {
  data::CorpusSpec one = corpus("a", "", "");
  one.links = folder.file("a.links", "0-0\n");
  const auto reader = links_in_files(Division::kText);
  reader->begin(one);
  reader->begin(corpus("b", "", ""));
  EXPECT_TRUE(reader->next().empty());
  EXPECT_TRUE(reader->next().empty());
}

TEST_F(CorpusLinks, ALineThatIsNoListOfLinksIsShown) {
  data::CorpusSpec one = corpus("a", "", "");
  one.links = folder.file("a.links", "0-0\n0:1 " + std::string(50, 'x') + "\n");
  const auto reader = links_in_files(Division::kText);
  reader->begin(one);
  reader->next();
  EXPECT_FAILS(reader->next(), DataError,
               one.links + ":2: expected links like 0-0 1-2, found '0:1 " + std::string(36, 'x') + "'");
}

TEST_F(CorpusLinks, TheOriginSaysHowWordsAreDividedAndWhetherTheyWereLearnt) {
  EXPECT_EQ(links_in_files(Division::kText)->origin(), "text");
  EXPECT_EQ(links_in_files(Division::kTokenized)->origin(), "tokenized");
  EXPECT_EQ(learnt_links({}, Division::kText, 1)->origin(), "learnt");
  EXPECT_EQ(learnt_links({}, Division::kTokenized, 1)->origin(), "learnt, tokenized");
  EXPECT_EQ(learnt_links({}, Division::kTokenized, 1)->division(), Division::kTokenized);
}

TEST_F(CorpusLinks, AreLearntFromAllCorporaTogetherAndGivenForEach) {
  const std::vector<data::CorpusSpec> corpora{turned("a", 40), corpus("b", "red dog\n", "rot Hund\n")};
  for (const int threads : {1, 2}) {
    const auto reader = learnt_links(corpora, Division::kText, threads);
    reader->begin(corpora[1]);
    EXPECT_EQ(reader->next(), (text::Links{{0, 0}, {1, 1}})) << "the words are learnt in the other corpus";
    reader->begin(corpora[0]);
    for (int i = 0; i < 40; ++i) EXPECT_EQ(reader->next(), (text::Links{{0, 1}, {1, 0}})) << i;
  }
}

TEST_F(CorpusLinks, WithoutAnyWordsThereIsNothingToLearn) {
  const data::CorpusSpec empty = corpus("a", "\n", "\n");
  const auto reader = learnt_links({empty}, Division::kText, 1);
  EXPECT_THROW(reader->begin(empty), DataError);
}

}  // namespace
}  // namespace ventris::alignment
