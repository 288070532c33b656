#include "data/corpus_reader.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "data/corpus.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_text.h"

namespace ventris::data {
namespace {

text::Tokenizer tagged_tokenizer(text::TokenizerKind kind) {
  const auto lines = test::tiny_text();
  text::TokenizerTraining training;
  training.kind = kind;
  training.vocab_size = 150;
  training.user_pieces = {"<bt>", "<de>"};
  return {text::learn_tokenizer(test::source_of(lines), training), "tagged tokenizer"};
}

class ReadCorpus : public testing::Test {
 protected:
  std::vector<SentencePair> read(const CorpusSpec& corpus) {
    std::vector<SentencePair> pairs;
    counts = read_corpus(corpus, tokenizer, tokenizer, options, [&](SentencePair& pair) { pairs.push_back(pair); });
    return pairs;
  }
  CorpusSpec spec(const std::string& weights = "") const {
    CorpusSpec corpus{
        {folder.file("a.src", "bread\nthe bridge\nbread\n"), folder.file("a.tgt", "bread\nbread\nbread\n")}};
    if (!weights.empty()) corpus.line_weights = folder.file("weights", weights);
    return corpus;
  }

  test::TempFolder folder;
  text::Tokenizer tokenizer = tagged_tokenizer(text::TokenizerKind::kUnigram);
  ReadOptions options;
  CorpusCounts counts;
};

TEST_F(ReadCorpus, TextIsKeptOnlyIfAskedFor) {
  EXPECT_EQ(read(spec())[1].source_text, "");
  options.keep_text = true;
  EXPECT_EQ(read(spec())[1].source_text, "the bridge");
  EXPECT_EQ(read(spec())[1].target_text, "bread");
}

TEST_F(ReadCorpus, ATranslationMemoryIsReadAsItsPairs) {
  options.keep_text = true;
  const std::string memory =
      folder.file("a.tmx",
                  "<tmx><tu><tuv xml:lang=\"en\"><seg>bread</seg></tuv><tuv xml:lang=\"fr\"><seg>the bridge</seg></tuv>"
                  "<tuv xml:lang=\"de\"><seg>bread and bread</seg></tuv></tu></tmx>");
  const CorpusSpec corpus{in_one_file(memory + ":fr:en")};
  EXPECT_EQ(check_corpus(corpus), 1);
  const auto pairs = read(corpus);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].source_text, "the bridge");
  EXPECT_EQ(pairs[0].target_text, "bread");
  EXPECT_EQ(name_of(corpus.files), memory + ":fr:en");
}

TEST_F(ReadCorpus, ATagIsEncodedAsATranslatorWouldEncodeIt) {
  for (const auto kind : {text::TokenizerKind::kUnigram, text::TokenizerKind::kBpe}) {
    tokenizer = tagged_tokenizer(kind);
    CorpusSpec corpus = spec();
    corpus.tag = "<bt>";
    const auto pairs = read(corpus);
    EXPECT_EQ(pairs[1].source, tokenizer.encode("<bt> the bridge"));
    EXPECT_EQ(pairs[1].target, tokenizer.encode("bread"));
  }
}

TEST_F(ReadCorpus, ATagThatTheTokenizerSplitsIsRefused) {
  CorpusSpec corpus = spec();
  corpus.tag = "<fr>";
  EXPECT_FAILS(read(corpus), ConfigError, "data.corpora: the tag '<fr>' is not a single piece");
}

TEST_F(ReadCorpus, TheTagCountsForTheLengthOfASource) {
  CorpusSpec corpus = spec();
  corpus.tag = "<bt>";
  options.filter.max_length = static_cast<int64_t>(tokenizer.encode("the bridge").size());
  EXPECT_EQ(read(spec()).size(), 3U);
  read(corpus);
  EXPECT_EQ(counts.too_long, 1);
}

TEST_F(ReadCorpus, WeightsGoWithTheirLinesAndThoseOfZeroTeachNothing) {
  const auto pairs = read(spec("0.5\n0\n3e1\n"));
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].weight, 0.5F);
  EXPECT_EQ(pairs[1].weight, 30);
  EXPECT_EQ(counts.weight_zero, 1);
  EXPECT_NE(describe(counts).find(", 1 with weight 0"), std::string::npos);
  EXPECT_EQ(read(spec("1e6\n1e-10\n1e-400\n")).size(), 1U);
  EXPECT_EQ(counts.weight_zero, 2) << "too small to count";
  EXPECT_FAILS(read(spec("0\n0\n0\n")), DataError, "no sentence pair is left");
}

TEST_F(ReadCorpus, AWeightThatIsOutOfRangeIsNamedWithItsLine) {
  for (const char* bad : {"-1", "nan", "inf", "x", "", "1 2", "1e999", "1e36", "1000001", "0x1"}) {
    EXPECT_FAILS(read(spec("1\n" + std::string(bad) + "\n1\n")), DataError,
                 "weights:2: expected a weight, a number from 0 to 1e+06, found '" + std::string(bad) + "'");
  }
}

TEST_F(ReadCorpus, AWeightForEachLineIsExpected) {
  for (const char* other : {"1\n1\n", "1\n1\n1\n1\n"}) {
    EXPECT_FAILS(check_corpus(spec(other)), DataError, "expected one weight per line of the corpus");
  }
  CorpusSpec corpus = spec();
  corpus.line_weights = folder.path("none");
  EXPECT_FAILS(check_corpus(corpus), DataError, "none: cannot be read");
}

TEST_F(ReadCorpus, CorporaStandOneBehindTheOther) {
  CorpusSpec tagged = spec("1\n0.5\n1\n");
  tagged.tag = "<de>";
  const std::vector<CorpusSpec> corpora{{{folder.file("b.tsv", "bread\tbread\n"), ""}}, tagged};
  std::vector<CorpusCounts> all;
  const auto pairs = load_corpora(corpora, tokenizer, tokenizer, options, all);
  ASSERT_EQ(pairs.size(), 4U);
  EXPECT_EQ(all.size(), 2U);
  EXPECT_EQ(pairs.summary().parts[0].pairs, 1U);
  EXPECT_EQ(pairs.summary().parts[1].tag_tokens, tag_ids(tokenizer, "<de>").size());
  EXPECT_EQ(pairs.pair(0).weight, 1);
  EXPECT_EQ(pairs.pair(2).weight, 0.5F);
}

TEST(EncodingProblem, NamesTheFilesOfWhichManyLinesAreNotUtf8) {
  EXPECT_EQ(encoding_problem({"a.en", "a.de"}, {.lines = 1000, .invalid_utf8 = 9}), "");
  const std::string text = encoding_problem({"a.en", "a.de"}, {.lines = 300, .invalid_utf8 = 128});
  EXPECT_TRUE(text.starts_with("a.en, a.de: 128 of 300 lines are not valid UTF-8")) << text;
  EXPECT_TRUE(encoding_problem({"a.tsv", ""}, {.lines = 3, .invalid_utf8 = 3}).starts_with("a.tsv: 3 of 3 lines"));
}

TEST_F(ReadCorpus, TheEncodingIsNamedBeforeTheLinesThatFollowFromIt) {
  const std::string utf16("\xFF\xFE\n\0b\0\n\0\r\0\n\0", 12);
  EXPECT_FAILS(check_files({folder.file("a", "bread\n"), folder.file("b", utf16)}), DataError, "b: is UTF-16 text");
}

TEST_F(ReadCorpus, BlankLinesBetweenDocumentsAreNoEmptySides) {
  CorpusSpec corpus;
  corpus.files = {folder.file("a", "bread\n\nbread\n\nbread\n"), folder.file("b", "bread\n\nbread\nbread\nbread\n")};
  const auto found = [&] { return read_corpus(corpus, tokenizer, tokenizer, options, [](SentencePair&) {}); };
  EXPECT_EQ(found().empty, 2);
  EXPECT_EQ(found().blank, 0);
  options.documents = true;
  EXPECT_EQ(found().empty, 1) << "one side alone is";
  EXPECT_EQ(found().blank, 1);
  EXPECT_EQ(
      describe(found()),
      "5 lines, 3 kept, 1 with an empty side, 0 too long, 0 with a bad length ratio, 0 with invalid UTF-8, 1 blank "
      "between documents");
}

TEST_F(ReadCorpus, APairKnowsHowManyOfItsDocumentAreRightBeforeIt) {
  CorpusSpec corpus;
  corpus.files = {folder.file("a", "bread\nbread\n\nbread\nbread\nbread\n"),
                  folder.file("b", "bread\nbread\n\nbread\n\nbread\n")};
  const auto preceding = [&] {
    std::vector<uint32_t> all;
    for (const SentencePair& pair : read(corpus)) all.push_back(pair.preceding);
    return all;
  };
  EXPECT_EQ(preceding(), (std::vector<uint32_t>{0, 0, 0, 0}));
  options.documents = true;
  EXPECT_EQ(preceding(), (std::vector<uint32_t>{0, 1, 0, 0}));  // a pair that is left out is a border, too
  corpus.documents = folder.file("ids", "x\ny\ny\ny\ny\ny\n");
  EXPECT_EQ(preceding(), (std::vector<uint32_t>{0, 0, 0, 0}));
  corpus.documents = folder.file("ids", "x\ny\n");
  EXPECT_FAILS(read(corpus), DataError, "line counts differ: ");
  EXPECT_FAILS(read(corpus), DataError, "ids has 2; expected one id of a document per line of the corpus");
}

}  // namespace
}  // namespace ventris::data
