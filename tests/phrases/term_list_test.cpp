#include "phrases/term_list.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/error.h"
#include "metrics/unicode.h"
#include "phrases/words.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::phrases {
namespace {

using Strings = std::vector<std::string>;

Strings first_forms(const TermList& terms, std::string_view text) {
  Strings all;
  for (const Strings& forms : terms.translations(text)) all.push_back(forms.front());
  return all;
}

class TermListTest : public testing::Test {
 protected:
  TermList list(const std::string& text) { return TermList(folder.file("terms.tsv", text)); }

  test::TempFolder folder;
};

TEST_F(TermListTest, FindsTermsInTheOrderOfTheText) {
  const TermList terms = list("dog\tHund\ncat\tKatze\n\nice cream\tEis\n");
  EXPECT_EQ(terms.size(), 3U);
  EXPECT_EQ(first_forms(terms, "A cat, an ice  cream and a dog."), (Strings{"Katze", "Eis", "Hund"}));
  EXPECT_EQ(first_forms(terms, "dog dog"), (Strings{"Hund"}));
  EXPECT_EQ(first_forms(terms, ""), Strings());
}

TEST_F(TermListTest, SuggestsTheTranslationBehindEachTerm) {
  const TermList terms = list("dog\tHund\nice cream\tEis\nÜBER\tüber\n");
  const SuggestedTerms found = terms.suggested("A dog, ice  cream, DOG. ÜBER");
  EXPECT_EQ(found.text,
            "A dog<term> Hund</term>, ice cream<term> Eis</term>, DOG<term> Hund</term>. ÜBER<term> über</term>");
  EXPECT_EQ(found.translations, (Strings{"Hund", "Eis", "über"}));
  std::string added;
  for (const text::ByteRange& range : found.added) added += found.text.substr(range.begin, range.end - range.begin);
  EXPECT_EQ(added, "<term> Hund</term><term> Eis</term><term> Hund</term><term> über</term>");
}

TEST_F(TermListTest, SuggestsNothingForATextWithoutTermsOrWithMarksOfItsOwn) {
  const TermList terms = list("dog\tHund\n");
  for (const auto& [text, missing] :
       {std::pair("a  cat", 0U), {"", 0U}, {"dog <term>", 1U}, {"a dog<term> Köter</term>", 1U}}) {
    const SuggestedTerms found = terms.suggested(text);
    EXPECT_EQ(found.text, text);
    EXPECT_TRUE(found.added.empty());
    EXPECT_EQ(found.translations.size(), missing) << "what is not suggested is told";
  }
}

TEST_F(TermListTest, AListThatIsNotUtf8IsRefusedWithTheLine) {
  EXPECT_FAILS(list("dog\tHund\nball\tB\xE4lle\n"), DataError,
               "terms.tsv:2: not valid UTF-8; convert the file to UTF-8 first (for example with iconv)");
}

TEST_F(TermListTest, TermsAreWholeWords) {
  const TermList terms = list("dog\tHund\nc++\tC++\n5 %\t5 Prozent\n");
  EXPECT_EQ(first_forms(terms, "dogs hotdog dog7"), Strings());
  EXPECT_EQ(first_forms(terms, "hot-dog (c++)"), (Strings{"Hund", "C++"}));
  EXPECT_EQ(first_forms(terms, "15 %"), Strings());
  EXPECT_EQ(first_forms(terms, "5 %"), (Strings{"5 Prozent"}));
}

TEST_F(TermListTest, LettersWithTwoSmallFormsAreNoCapitals) {
  const TermList terms = list("λόγος\tWort\nΛόγος\tLogos\nµm\tMikrometer\n");
  EXPECT_EQ(first_forms(terms, "λόγος"), (Strings{"Wort"}));
  EXPECT_EQ(first_forms(terms, "Λόγος"), (Strings{"Logos"})) << "as it is written";
  EXPECT_EQ(first_forms(terms, "ΛΌΓΟΣ"), (Strings{"Wort"}));
  EXPECT_EQ(first_forms(terms, "µm ΜM"), (Strings{"Mikrometer"}));
}

TEST_F(TermListTest, ATermWithoutCapitalLettersFitsThem) {
  const TermList terms = list("apple\tApfel\nUS\tUSA\nüber\tover\n");
  EXPECT_EQ(first_forms(terms, "Apple APPLE ÜBER"), (Strings{"Apfel", "over"}));
  EXPECT_EQ(first_forms(terms, "us Us"), Strings());
  EXPECT_EQ(first_forms(terms, "US"), (Strings{"USA"}));
}

TEST_F(TermListTest, ATermThatIsWrittenSoComesBeforeOneThatOnlyFits) {
  const TermList terms = list("apple\tApfel\nApple\tApple\n");
  EXPECT_EQ(first_forms(terms, "Apple"), (Strings{"Apple"}));
  EXPECT_EQ(first_forms(terms, "apple"), (Strings{"Apfel"}));
}

TEST_F(TermListTest, TheLongestOfOverlappingTermsCounts) {
  const TermList terms = list("new york\tNew York\nyork city hall\tYorker Rathaus\ncity\tStadt\n");
  EXPECT_EQ(first_forms(terms, "new york city hall"), (Strings{"Yorker Rathaus"}));
  EXPECT_EQ(first_forms(terms, "new york city"), (Strings{"New York", "Stadt"}));
}

TEST_F(TermListTest, ScriptsWithoutSpacesHaveTermsAnywhere) {
  const TermList terms = list("\u72d7\tHund\n");
  EXPECT_EQ(first_forms(terms, "\u90a3\u53ea\u72d7\u5728\u53eb"), (Strings{"Hund"}));
}

TEST_F(TermListTest, ComposedAndDecomposedCharactersAreTheSame) {
  const TermList terms = list("cafe\u0301\tKaffee\n");
  EXPECT_EQ(first_forms(terms, "a caf\u00e9"), (Strings{"Kaffee"}));
}

TEST_F(TermListTest, MarksArePutInOrder) {
  const TermList terms = list("o\u0323\u0302\tO\n");
  EXPECT_EQ(first_forms(terms, "o\u0302\u0323 \u1ed9"), (Strings{"O"}));
}

/// ICU alone would need minutes.
TEST_F(TermListTest, ALetterMayHaveManyMarks) {
  std::string text = "dog a";
  for (int i = 0; i < 250'000; ++i) text += "\u0301\u0316";
  EXPECT_EQ(first_forms(list("dog\tHund\n"), text + " dog"), (Strings{"Hund"}));
}

TEST_F(TermListTest, LinesThatAreNoTermsAreNamed) {
  EXPECT_FAILS(list("dog\tHund\ncat\n"), DataError, "terms.tsv:2: ");
  EXPECT_FAILS(list("dog\t \n"), DataError, "terms.tsv:1: expected a term, a TAB and its translation");
  EXPECT_FAILS(list("dog\tHund\n\ndog\tKöter\n"), DataError,
               "terms.tsv:3: 'dog' has another translation on line 1; keep one of them");
  EXPECT_EQ(list("dog\tHund\ndog\tHund\n").size(), 1U);
  EXPECT_FAILS(TermList(folder.path("none")), DataError, "none");
  EXPECT_FAILS(list("\"dog\",\"Hund\"\n"), DataError,
               "terms.tsv:1: expected a term, a TAB and its translation without quotation marks; found "
               "\"dog\",\"Hund\", which looks like a line of a CSV file");
}

TEST_F(TermListTest, QuotationMarksOfACsvFileAreNoticed) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(list("cat\tKatze\n\"dog\"\t\"Hund\"\n").size(), 2U);
  EXPECT_NE(
      testing::internal::GetCapturedStderr().find(
          "terms.tsv: quotation marks around a term or its translation count as a part of it; remove them if they "
          "come from a CSV file (line 2)"),
      std::string::npos);
}

/// The definition, term by term and place by place, for texts in ASCII with single spaces.
Strings one_by_one(const std::map<std::string, std::string>& terms, const std::string& text) {
  const auto small = [](std::string all) {
    std::ranges::transform(all, all.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    return all;
  };
  const auto inside_word = [&](size_t at) {
    const auto is_word = [](char c) { return is_word_character(static_cast<char32_t>(c)); };
    return at > 0 && at < text.size() && is_word(text[at - 1]) && is_word(text[at]);
  };
  std::vector<std::tuple<int64_t, size_t, bool, std::string>> found;  // the order in which they are chosen
  for (const auto& [source, target] : terms) {
    const bool any_case = small(source) == source;
    const std::string looked_at = any_case ? small(text) : text;
    for (size_t at = looked_at.find(source); at != std::string::npos; at = looked_at.find(source, at + 1)) {
      if (inside_word(at) || inside_word(at + source.size())) continue;
      found.emplace_back(-static_cast<int64_t>(source.size()), at, any_case, target);
    }
  }
  std::ranges::sort(found);
  std::set<size_t> taken;
  std::map<size_t, std::string> chosen;
  for (const auto& [length, begin, any_case, target] : found) {
    const auto end = begin + static_cast<size_t>(-length);
    const auto next = taken.lower_bound(begin);
    if (next != taken.end() && *next < end) continue;
    for (size_t at = begin; at < end; ++at) taken.insert(at);
    chosen[begin] = target;
  }
  Strings targets;
  for (const auto& [begin, target] : chosen) {
    if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
  }
  return targets;
}

std::string draw_words(size_t most) {
  std::string text;
  for (const int word : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6))) {
    if (most-- == 0) break;
    text += std::array{"a ", "A ", "b ", "ab", "-", "B"}[static_cast<size_t>(word)];
  }
  return std::string(metrics::strip(text));
}

TEST_F(TermListTest, FindsWhatTheDefinitionSays) {
  EXPECT_TRUE(rc::check([this] {
    std::map<std::string, std::string> terms;
    std::string lines;
    const auto count = *rc::gen::inRange<size_t>(0, 15);
    for (size_t i = 0; i < count; ++i) {
      const std::string source = draw_words(5), target = std::to_string(i / 2);
      if (source.empty() || !terms.emplace(source, target).second) continue;
      lines += source + "\t" + target + "\n";
    }
    const std::string text = draw_words(40);
    RC_ASSERT(first_forms(list(lines), text) == one_by_one(terms, text));
  }));
}

/// If every term with the same first word were looked at for each word, these would take hours.
TEST_F(TermListTest, ManyTermsWithTheSameFirstWordTakeNoLongerThanOthers) {
  std::string lines, text;
  for (int i = 0; i < 80'000; ++i) lines += "very word" + std::to_string(i) + "\t" + std::to_string(i) + "\n";
  for (int i = 0; i < 80'000; ++i) text += "very word" + std::to_string(i) + " ";
  const TermList terms = list(lines);
  EXPECT_EQ(terms.size(), 80'000U);
  EXPECT_EQ(terms.translations(text).size(), 80'000U);
}

TEST_F(TermListTest, TermsInsideEachOtherTakeNoLongerThanOthers) {
  std::string lines, text, source;
  for (int i = 1; i <= 1'000; ++i) {
    source += i == 1 ? "a" : " a";
    lines += source + "\t" + std::to_string(i) + "\n";
  }
  for (int i = 0; i < 100'500; ++i) text += "a ";
  EXPECT_EQ(first_forms(list(lines), text), (Strings{"1000", "500"}));
}

TEST_F(TermListTest, FurtherColumnsAreOtherForms) {
  const TermList terms = list("boy\tKnabe\t Knaben \tKnabens\ndog\tHund\n");
  EXPECT_EQ(terms.translations("dog boy dog"), (std::vector<Strings>{{"Hund"}, {"Knabe", "Knaben", "Knabens"}}));
  EXPECT_EQ(terms.suggested("boy").text, "boy<term> Knabe</term>");
  EXPECT_FAILS(list("boy\tKnabe\t\n"), DataError, "terms.tsv:1: expected a term, a TAB and its translation");
  EXPECT_FAILS(list("boy\tKnabe\nboy\tKnabe\tKnaben\n"), DataError, "'boy' has another translation on line 1");
}

}  // namespace
}  // namespace ventris::phrases
