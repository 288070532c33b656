#include "formats/plural_forms.h"

#include <gtest/gtest.h>

namespace ventris::formats {
namespace {

/// The forms of 0, 1, 2 and so on: "1011".
std::string forms(std::string_view field, uint64_t count = 12) {
  const auto parsed = PluralForms::parse(field);
  if (!parsed) return "none";
  std::string all;
  for (uint64_t n = 0; n < count; ++n) all += std::to_string(parsed->form_of(n).value_or(9));
  return all;
}

TEST(PluralForms, FormulasAreThoseOfC) {
  EXPECT_EQ(forms("nplurals=2; plural=n != 1;"), "101111111111");
  EXPECT_EQ(forms("nplurals=1; plural=0;"), "000000000000");
  EXPECT_EQ(forms("nplurals=2;plural=(n>1)"), "001111111111");
  EXPECT_EQ(
      forms("nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2;"),
      "201112222222");
  EXPECT_EQ(forms("nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;"),
            "012333333334");
  EXPECT_EQ(forms("nplurals=9; plural=!n + 2*n - 1 - n/2*2", 4), "0113");
}

TEST(PluralForms, WhatCannotBeReadIsNothing) {
  for (const char* field :
       {"", "nplurals=INTEGER; plural=EXPRESSION;", "nplurals=2;", "nplurals=2; plural=n ? 1;", "nplurals=2; plural=(n",
        "nplurals=2; plural=1/0", "nplurals=2; plural=5", "nplurals=0; plural=0", "nplurals=2; plural=n m"}) {
    EXPECT_EQ(forms(field), "none") << field;
  }
  EXPECT_EQ(forms("nplurals=2; plural=" + std::string(100'000, '(')), "none");
  EXPECT_EQ(forms("nplurals=2; plural=" + std::string(100'000, '!') + "n"), "none");
}

TEST(PluralForms, AFormMayBeOnlyForOne) {
  EXPECT_TRUE(PluralForms::parse("nplurals=2; plural=n != 1;")->has_form_for_one());
  EXPECT_FALSE(PluralForms::parse("nplurals=2; plural=n > 1;")->has_form_for_one());
}

}  // namespace
}  // namespace ventris::formats
