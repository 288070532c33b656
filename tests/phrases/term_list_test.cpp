#include "phrases/term_list.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::phrases {
namespace {

using Strings = std::vector<std::string>;

class TermListTest : public testing::Test {
 protected:
  TermList list(const std::string& text) { return TermList(folder.file("terms.tsv", text)); }

  test::TempFolder folder;
};

TEST_F(TermListTest, FindsTermsInTheOrderOfTheText) {
  const TermList terms = list("dog\tHund\ncat\tKatze\n\nice cream\tEis\n");
  EXPECT_EQ(terms.size(), 3U);
  EXPECT_EQ(terms.translations("A cat, an ice  cream and a dog."), (Strings{"Katze", "Eis", "Hund"}));
  EXPECT_EQ(terms.translations("dog dog"), (Strings{"Hund"}));
  EXPECT_EQ(terms.translations(""), Strings());
}

TEST_F(TermListTest, TermsAreWholeWords) {
  const TermList terms = list("dog\tHund\nc++\tC++\n5 %\t5 Prozent\n");
  EXPECT_EQ(terms.translations("dogs hotdog dog7"), Strings());
  EXPECT_EQ(terms.translations("hot-dog (c++)"), (Strings{"Hund", "C++"}));
  EXPECT_EQ(terms.translations("15 %"), Strings());
  EXPECT_EQ(terms.translations("5 %"), (Strings{"5 Prozent"}));
}

TEST_F(TermListTest, ATermWithoutCapitalLettersFitsThem) {
  const TermList terms = list("apple\tApfel\nUS\tUSA\nüber\tover\n");
  EXPECT_EQ(terms.translations("Apple APPLE ÜBER"), (Strings{"Apfel", "over"}));
  EXPECT_EQ(terms.translations("us Us"), Strings());
  EXPECT_EQ(terms.translations("US"), (Strings{"USA"}));
}

TEST_F(TermListTest, ATermThatIsWrittenSoComesBeforeOneThatOnlyFits) {
  const TermList terms = list("apple\tApfel\nApple\tApple\n");
  EXPECT_EQ(terms.translations("Apple"), (Strings{"Apple"}));
  EXPECT_EQ(terms.translations("apple"), (Strings{"Apfel"}));
}

TEST_F(TermListTest, TheLongestOfOverlappingTermsCounts) {
  const TermList terms = list("new york\tNew York\nyork city hall\tYorker Rathaus\ncity\tStadt\n");
  EXPECT_EQ(terms.translations("new york city hall"), (Strings{"Yorker Rathaus"}));
  EXPECT_EQ(terms.translations("new york city"), (Strings{"New York", "Stadt"}));
}

TEST_F(TermListTest, ScriptsWithoutSpacesHaveTermsAnywhere) {
  const TermList terms = list("\u72d7\tHund\n");
  EXPECT_EQ(terms.translations("\u90a3\u53ea\u72d7\u5728\u53eb"), (Strings{"Hund"}));
}

TEST_F(TermListTest, ComposedAndDecomposedCharactersAreTheSame) {
  const TermList terms = list("cafe\u0301\tKaffee\n");
  EXPECT_EQ(terms.translations("a caf\u00e9"), (Strings{"Kaffee"}));
}

TEST_F(TermListTest, LinesThatAreNoTermsAreNamed) {
  EXPECT_FAILS(list("dog\tHund\ncat\n"), DataError, "terms.tsv:2: ");
  EXPECT_FAILS(list("dog\tHund\textra\n"), DataError, "terms.tsv:1: ");
  EXPECT_FAILS(list("dog\t \n"), DataError, "terms.tsv:1: expected a term, a TAB and its translation");
  EXPECT_FAILS(list("dog\tHund\n\ndog\tKöter\n"), DataError,
               "terms.tsv:3: 'dog' has another translation on line 1; keep one of them");
  EXPECT_EQ(list("dog\tHund\ndog\tHund\n").size(), 1U);
  EXPECT_FAILS(TermList(folder.path("none")), DataError, "none");
}

}  // namespace
}  // namespace ventris::phrases
