#include "evaluation/inputs.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/gzip.h"
#include "support/temp_folder.h"

namespace ventris::evaluation {

using metrics::References;

namespace {

using Lines = std::vector<std::string>;

TEST(Inputs, LinesLoseTheWhiteSpaceAtTheirEnds) {
  const test::TempFolder folder;
  EXPECT_EQ(read_lines(folder.file("a", " one\r\ntwo\u3000\u2028\n\nfour")), (Lines{" one", "two", "", "four"}));
  EXPECT_EQ(read_lines(folder.file("a.gz", test::gzipped("one\ntwo\n"))), (Lines{"one", "two"}));
  EXPECT_EQ(read_lines(folder.file("b", "bad \xFF byte\n")), Lines{"bad \uFFFD byte"});
}

TEST(Inputs, SystemsAreNamedByTheirPaths) {
  const test::TempFolder folder;
  const std::string a = folder.file("a", "1\n2\n"), b = folder.file("b", "3\n4\n");
  const Corpus corpus = read_corpus({a, b}, {b});
  ASSERT_EQ(corpus.systems.size(), 2U);
  EXPECT_EQ(corpus.systems[1].name, b);
  EXPECT_EQ(corpus.systems[1].lines, (Lines{"3", "4"}));
  EXPECT_EQ(corpus.references, (References{{"3", "4"}}));
  EXPECT_EQ(name_of("-"), "standard input");
}

TEST(Inputs, FilesThatDoNotFitTogetherAreRefused) {
  const test::TempFolder folder;
  const std::string a = folder.file("a", "1\n2\n"), b = folder.file("b", "3\n"), empty = folder.file("empty", "");
  EXPECT_FAILS(read_corpus({b}, {a}), DataError,
               b + ": has 1 line, but " + a + " has 2; expected the same number of lines");
  EXPECT_FAILS(read_corpus({empty}, {a}), DataError, "empty: is empty");
  EXPECT_FAILS(read_corpus({"-"}, {"-"}), ConfigError, "standard input can be only one of the inputs");
  EXPECT_FAILS(read_corpus({a, a}, {a}), ConfigError, a + " is given twice");
}

}  // namespace
}  // namespace ventris::evaluation
