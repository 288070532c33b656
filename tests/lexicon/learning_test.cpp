#include "lexicon/learning.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_text.h"

namespace ventris::lexicon {
namespace {

using Ids = std::vector<int32_t>;

Ids ids_of(std::span<const int32_t> ids) { return {ids.begin(), ids.end()}; }

TEST(LexiconOf, HasTheBestTargetsOfEachSourceWithoutSpecialOnes) {
  data::ParallelCorpus corpus;
  corpus.begin_part(0);
  corpus.add(Ids{4}, Ids{6, 5, 6, 1, 7});
  corpus.add(Ids{4}, Ids{6, 5, 4});
  const TranslationTable table{{}, {}, {}, {}, {{1, 0.5F}, {4, 0.1F}, {5, 0.2F}, {6, 0.1F}, {7, 0.1F}}, {{5, 1.0F}}};
  const auto made = lexicon_of(table, corpus, {.source_vocab = 5, .target_vocab = 9}, 3);
  EXPECT_EQ(ids_of(made.pieces(4)), (Ids{5, 4, 6}));
  EXPECT_EQ(ids_of(made.pieces(3)), Ids{});
  EXPECT_EQ(ids_of(made.frequent()), (Ids{6, 5, 4, 7}));
}

/// Each line, and the same line in capitals.
class LearnLexicon : public testing::Test {
 protected:
  static std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; });
    return text;
  }
  static text::Tokenizer learnt(bool capitals) {
    std::vector<std::string> lines;
    for (const std::string& line : test::tiny_text()) lines.push_back(capitals ? upper(line) : line);
    return {text::learn_tokenizer(test::source_of(lines), {.vocab_size = 150}), "tokenizer"};
  }
  data::CorpusFiles corpus() const {
    std::string lines, capitals;
    for (const std::string& line : test::tiny_text()) {
      lines += line + '\n';
      capitals += upper(line) + '\n';
    }
    return {folder.file("lower", lines), folder.file("upper", capitals)};
  }

  test::TempFolder folder;
  const text::Tokenizer source = learnt(false), target = learnt(true);
  LexiconOptions options{.corpora = {corpus()}};
};

TEST_F(LearnLexicon, APieceHasItsTranslationAmongItsFirstPieces) {
  const LearntLexicon learnt = learn_lexicon(source, target, options);
  EXPECT_EQ(learnt.pairs, 216);
  EXPECT_EQ(learnt.counts.front().kept, 216);
  for (const char* word : {"bread", "bridge", "driver", "likes"}) {
    const Ids from = source.encode(word), to = target.encode(upper(word));
    const auto found = learnt.lexicon.pieces(from.back());
    EXPECT_TRUE(std::ranges::find(found.first(5), to.back()) != found.begin() + 5) << word;
  }
}

TEST_F(LearnLexicon, IsTheSameForAnyNumberOfThreads) {
  const std::string expected = learn_lexicon(source, target, options).lexicon.bytes();
  options.threads = 3;
  EXPECT_EQ(learn_lexicon(source, target, options).lexicon.bytes(), expected);
}

TEST_F(LearnLexicon, AnEndIsMadeOfTooManyPairsByASample) {
  options.max_pairs = 50;
  const LearntLexicon some = learn_lexicon(source, target, options);
  EXPECT_EQ(some.pairs, 50);
  EXPECT_EQ(learn_lexicon(source, target, options).lexicon.bytes(), some.lexicon.bytes());
  options.seed = 2;
  EXPECT_NE(learn_lexicon(source, target, options).lexicon.bytes(), some.lexicon.bytes());
}

TEST_F(LearnLexicon, LinesThatAreLeftOutDoNotMakeTheSampleSmaller) {
  std::string lines, capitals;
  for (int i = 0; i < 50; ++i) {
    lines += "bread\n\n\n\n";
    capitals += "BREAD\n\n\n\n";
  }
  options.corpora = {{folder.file("blanks", lines), folder.file("also_blanks", capitals)}};
  for (const auto& [most, used] : {std::pair{50, 50}, {60, 50}, {49, 49}, {1, 1}}) {
    options.max_pairs = most;
    EXPECT_EQ(learn_lexicon(source, target, options).pairs, used);
  }
}

TEST_F(LearnLexicon, ReadsSeveralCorporaAndTheColumnsOfOneFile) {
  options.corpora.push_back({folder.file("tsv", "bread\tBREAD\nthe bridge\tTHE BRIDGE\n"), ""});
  const LearntLexicon learnt = learn_lexicon(source, target, options);
  EXPECT_EQ(learnt.pairs, 218);
  EXPECT_EQ(learnt.counts.back().kept, 2);
}

TEST_F(LearnLexicon, SettingsOutsideTheirLimitsAreRefused) {
  const auto refused = [&](auto change, const char* text) {
    LexiconOptions wrong = options;
    change(wrong);
    EXPECT_FAILS(learn_lexicon(source, target, wrong), ConfigError, text);
  };
  refused([](auto& wrong) { wrong.best = 0; }, "--best: must be from 1 to 1000, got 0");
  refused([](auto& wrong) { wrong.best = 1001; }, "--best: must be from 1 to 1000, got 1001");
  refused([](auto& wrong) { wrong.iterations = 0; }, "--iterations: must be from 1 to 100, got 0");
  refused([](auto& wrong) { wrong.max_pairs = 0; }, "--max-pairs: must be from 1 to ");
}

TEST_F(LearnLexicon, ACorpusThatTheTokenizersDoNotKnowIsRefused) {
  const std::string greek = folder.file("greek", "\u03b1\u03b2\u03b3 \u03b4\u03b5\u03b6\n");
  const std::string known = folder.file("known", "bread\n"), capitals = folder.file("capitals", "BREAD\n");
  options.corpora = {{greek, capitals}};
  EXPECT_FAILS(learn_lexicon(source, target, options), DataError,
               "greek: 2 of 4 source tokens are unknown to the source tokenizer; give the files in the order source");
  options.corpora = {{known, greek}};
  EXPECT_FAILS(learn_lexicon(source, target, options), DataError, "target tokens are unknown to the target tokenizer");
}

TEST_F(LearnLexicon, FilesOfDifferentLengthAndEmptyFilesAreRefused) {
  options.corpora = {{folder.file("one", "bread\n"), folder.file("two", "BREAD\nBREAD\n")}};
  EXPECT_FAILS(learn_lexicon(source, target, options), DataError, "line counts differ");
  options.corpora = {{folder.file("none", ""), folder.file("also", "")}};
  EXPECT_FAILS(learn_lexicon(source, target, options), DataError, "none: is empty");
  options.corpora = {{folder.file("blank", "\n"), folder.file("full", "BREAD\n")}};
  EXPECT_FAILS(learn_lexicon(source, target, options), DataError, "no sentence pair is left");
}

}  // namespace
}  // namespace ventris::lexicon
