#include "formats/icu_whole_forms.h"

#include <gtest/gtest.h>
#include <unicode/msgfmt.h>

#include <random>
#include <string>

#include "formats/icu_forms.h"

namespace ventris::formats {
namespace {

std::string whole(const std::string& message) { return with_words_in_forms(message).value_or("(none)"); }

TEST(IcuWholeForms, HaveTheWordsAroundThePattern) {
  EXPECT_EQ(whole("You have {n, plural, =0 {no dogs} one {# dog}} here."),
            "{n, plural, =0 {You have no dogs here.} one {You have # dog here.}}");
  EXPECT_EQ(whole("{name} has {n, plural,\n one {# dog}\n other {# dogs}\n}"),
            "{n, plural,\n one {{name} has # dog}\n other {{name} has # dogs}\n}");
}

TEST(IcuWholeForms, OfSeveralPatternsAreFormsOfForms) {
  EXPECT_EQ(whole("{x, select, a {He} other {They}} saw {n, plural, one {# dog} other {# dogs}}."),
            "{x, select, a {{n, plural, one {He saw # dog.} other {He saw # dogs.}}} "
            "other {{n, plural, one {They saw # dog.} other {They saw # dogs.}}}}");
  EXPECT_EQ(whole("{n, plural, one {# dog} other {# dogs}} and {m, plural, one {# cat} other {# cats}}"),
            "{n, plural, one {{m, plural, one {{n, number} dog and # cat} other {{n, number} dog and # cats}}} "
            "other {{m, plural, one {{n, number} dogs and # cat} other {{n, number} dogs and # cats}}}}");
}

TEST(IcuWholeForms, NumberSignsOutsideOfThePatternAreQuoted) {
  EXPECT_EQ(whole("House #{h}: {n, plural, other {# dogs}}"), "{n, plural, other {House '#'{h}: # dogs}}");
  EXPECT_EQ(whole("House #{h}: {n, select, other {# dogs}}"), "{n, select, other {House #{h}: # dogs}}");
  EXPECT_EQ(whole("{n, plural, other {# {x, select, a {# dogs} other {cats}}}}"),
            "{n, plural, other {{x, select, a {{n, number} # dogs} other {{n, number} cats}}}}")
      << "in forms of select, # is a sign";
}

TEST(IcuWholeForms, PatternsWithoutWordsAroundThemStay) {
  for (const char* message : {"", "a", "a {n}", "{n, plural, one {a} other {b}}", "({n, plural, one {a} other {b}}).",
                              "{x, select, a {{n, plural, one {c} other {d}}} other {b}}", "a '{'n, plural, one {b}'}'",
                              "a {n, plural, one {b}", "a {n, plural,}", "<a title=\"{n, plural, one {b}}\">c</a>",
                              "a {n, number} {0,choice,0#b|1#c}"}) {
    EXPECT_EQ(whole(message), "(none)") << message;
  }
}

TEST(IcuWholeForms, AreNotMadeWhereASignWouldChangeItsMeaning) {
  for (const char* message : {
           "{n, plural, offset:1 one {# a {m, plural, one {# b} other {# c}}} other {d}}",  // # less than the number
           "{n, plural, one {a'} other {b}}{x} c",                                          // '{ would quote
           "#'s {n, plural, one {a} other {b}}",
       }) {
    EXPECT_EQ(whole(message), "(none)") << message;
  }
}

TEST(IcuWholeForms, AreLimitedInNumberAndLength) {
  std::string many, deep;
  for (int i = 0; i < 7; ++i) many += "a {n, plural, one {b} other {c}} ";
  EXPECT_EQ(whole(many), "(none)") << "128 forms";
  for (int i = 0; i < 100000; ++i) deep += "a {n, plural, one {";
  EXPECT_EQ(whole(deep), "(none)");
  const std::string words(5000, 'a');
  EXPECT_NE(whole(words + " {n, plural, one {b} other {c}}"), "(none)");
  EXPECT_EQ(whole(words + " {n, plural, one {b} other {c}}{n, plural, one {b} other {c}}{n, plural, one {b} other {c}}"
                          "{n, plural, one {b} other {c}}"),
            "(none)")
      << "16 times as long";
  many.clear();
  for (int i = 0; i < 19; ++i) many += "a {n,plural,a{x}b{y}c{z}}";
  EXPECT_EQ(whole(many + "{n,plural,}"), "(none)") << "patterns without forms count, too";
}

TEST(IcuWholeForms, AreTakenWithTheMessage) {
  std::string message = "a {n, plural, one {b} other {c}}";
  EXPECT_EQ(take_forms(message).size(), 2U);
  EXPECT_EQ(message, "{n, plural, one {a b} other {a c}}");
  message = "house #: {n, plural, one {b} other {c}}";
  EXPECT_EQ(take_forms(message, /*may_quote=*/false).size(), 0U);
  EXPECT_EQ(message, "house #: {n, plural, one {b} other {c}}");
}

/// Messages with patterns, drawn from a grammar.
class DrawnMessage {
 public:
  explicit DrawnMessage(uint32_t seed) : random_(seed) {}

  std::string text(int depth) {
    std::string all;
    for (uint32_t parts = 1 + draw(3); parts > 0; --parts) all += depth > 0 && draw(3) == 0 ? pattern(depth) : word();
    return all;
  }

 private:
  uint32_t draw(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }
  std::string word() {
    constexpr const char* kWords[] = {"dog ", "it's ",       "it''s", "# ",  "'{'", "{x}",
                                      ", ",   "{n, number}", "a'",    "'#'", "|"};
    return kWords[draw(std::size(kWords))];
  }
  std::string pattern(int depth) {
    if (draw(2) == 0) return "{x, select, a {" + text(depth - 1) + "} other {" + text(depth - 1) + "}}";
    const std::string name = draw(2) == 0 ? "n" : "m", offset = draw(5) == 0 ? "offset:1 " : "";
    return "{" + name + ", plural, " + offset + "=2 {" + text(depth - 1) + "} one {" + text(depth - 1) + "} other {" +
           text(depth - 1) + "}}";
  }

  std::mt19937 random_;
};

/// What ICU makes of a message; "(error)" if it refuses it.
std::string formatted(const std::string& message, const char* x, int n, int m) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::MessageFormat format(icu::UnicodeString::fromUTF8(message), icu::Locale::getEnglish(), error);
  const icu::UnicodeString names[] = {"x", "n", "m"};
  const icu::Formattable values[] = {icu::Formattable(icu::UnicodeString(x)), icu::Formattable(n), icu::Formattable(m)};
  icu::UnicodeString result;
  if (U_SUCCESS(error) != 0) format.format(names, values, 3, result, error);
  std::string text;
  return U_SUCCESS(error) != 0 ? result.toUTF8String(text) : "(error)";
}

TEST(IcuWholeForms, GiveTheSameTextsInIcu) {
  constexpr uint32_t kMessages = 12000;
  size_t moved = 0;
  for (uint32_t seed = 0; seed < kMessages; ++seed) {
    const std::string message = DrawnMessage(seed).text(2);
    const auto changed = with_words_in_forms(message);
    if (!changed || formatted(message, "a", 1, 1) == "(error)") continue;
    ++moved;
    EXPECT_FALSE(icu_forms(*changed).empty()) << message;
    for (const char* x : {"a", "b"}) {
      for (const auto& [n, m] : {std::pair{1, 2}, {2, 5}, {1234, 1}})
        ASSERT_EQ(formatted(*changed, x, n, m), formatted(message, x, n, m)) << message << "\n" << *changed;
    }
  }
  EXPECT_GT(moved, 200U);
}

}  // namespace
}  // namespace ventris::formats
