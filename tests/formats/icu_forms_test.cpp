#include "formats/icu_forms.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::formats {
namespace {

using FormTexts = std::vector<std::string>;

/// The forms of a message, with "N" in the place of the first byte of what stays.
FormTexts icu_forms_in(const std::string& message) {
  FormTexts all;
  for (const IcuForm& form : icu_forms(message)) {
    std::string text = message.substr(form.text.begin, form.text.end - form.text.begin);
    for (const ByteRange& number : form.kept) text[number.begin] = 'N';
    all.push_back(text);
  }
  return all;
}

TEST(IcuForms, AreTheTextsOfAPattern) {
  EXPECT_EQ(icu_forms_in("{n, plural, one {# day} other {# days}}"), (FormTexts{"N day", "N days"}));
  EXPECT_EQ(icu_forms_in(" {n,plural,offset:1 =0{nobody}=1 {you} other{you and {name}, #}} "),
            (FormTexts{"nobody", "you", "you and {name}, N"}));
  EXPECT_EQ(icu_forms_in("{x, select,\n  male {his # dog}\n  other {\n    their dog\n  }\n}"),
            (FormTexts{"his # dog", "their dog"}));
  EXPECT_EQ(icu_forms_in("{n, selectordinal, one {#st} other {#th}}"), (FormTexts{"Nst", "Nth"}));
}

TEST(IcuForms, OfPatternsThatAreAllOfAForm) {
  EXPECT_EQ(
      icu_forms_in("{x, select, a {{n, plural, one {# dog} other {# dogs}}} other {{n, plural, other {#}} here}}"),
      (FormTexts{"N dog", "N dogs", "{n, plural, other {#}} here"}));
  EXPECT_EQ(icu_forms_in("({n, plural, one {# dog} other {{x, select, a {# dogs}}!}})"),
            (FormTexts{"N dog", "N dogs"}));
  EXPECT_EQ(icu_forms_in("{n, plural, one {{x, select, a {# old} other {# new}}} other {all}}"),
            (FormTexts{"N old", "N new", "all"}));
}

TEST(IcuForms, ApostrophesQuoteBraces) {
  EXPECT_EQ(icu_forms_in("{n, plural, one {a '{' b} other {it's '}' c}}"), (FormTexts{"a N{' b", "it's N}' c"}));
  EXPECT_EQ(icu_forms_in("{n, plural, other {a '#' '{''}' #}}"), FormTexts{"a N#' N{''}' N"});
  EXPECT_EQ(icu_forms_in("{n, select, other {a '#' b}}"), FormTexts{"a '#' b"}) << "a quote only in plurals";
}

TEST(IcuForms, OtherMessagesHaveNone) {
  for (const char* message :
       {"", "{}", "{n}", "{n, number}", "{n, plural}", "{n, plural,}", "{n, plural, one}", "{n, plural, one {a} b}",
        "{n, date, short {a}}", "You have {n, plural, one {a} other {b}}", "{n, plural, one {a} other {b}} left",
        "{n, plural, one {a}", "{x} {n, plural, one {a}}", "{n, plural, one {a}} {x}", "{{n, plural, one {a}}}",
        "{n, plural, a b {c}}", "{n, plural, {a}}"}) {
    EXPECT_EQ(icu_forms_in(message), FormTexts{}) << message;
  }
}

TEST(IcuForms, AreNotLookedForInDeepPatterns) {
  std::string deep;
  constexpr size_t kDepth = 100000;
  for (size_t i = 0; i < kDepth; ++i) deep += "{n, plural, one {";
  EXPECT_EQ(icu_forms(deep).size(), 0U);
  EXPECT_EQ(icu_forms(deep + std::string(2 * kDepth, '}')).size(), 1U) << "the rest is one form";
}

TEST(HasIcuForms, APatternHasLettersInItsForms) {
  for (const char* pattern : {"{n, plural, one {# day} other {# days}}", "{x,select,a{one}other{two}}",
                              "€{n, plural, other {days}}", "{0,choice,0#no days|1#one day}"}) {
    EXPECT_TRUE(has_icu_forms(pattern)) << pattern;
  }
  for (const char* other : {"{n}", "{n, number}", "{n, plural}", "{n, plural, other {#}}", "{{a}}", "%d", "{plural, a}",
                            "{0,choice,0#0|1#1}"}) {
    EXPECT_FALSE(has_icu_forms(other)) << other;
  }
}

}  // namespace
}  // namespace ventris::formats
