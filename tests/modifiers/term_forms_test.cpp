#include "modifiers/term_forms.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace ventris::modifiers {
namespace {

using metrics::Division;

/// Counts a translation of one word by another, so often.
void add(TermForms& forms, const std::string& source, const std::string& target, int times = 1) {
  for (int i = 0; i < times; ++i) forms.add({source, target, {{0, 0}}}, Division::kText);
}

/// How often each form is drawn with 1,000 seeds.
std::map<std::string, int> drawn_from(const TermForms& forms, const std::string& source, const std::string& target) {
  std::map<std::string, int> counts;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Draws draws(seed);
    ++counts[std::string(forms.draw(source, target, draws))];
  }
  return counts;
}

TEST(TermForms, AreDrawnAsOftenAsTheyOccur) {
  TermForms forms;
  add(forms, "dog", "Hund", 6);
  add(forms, "Dog", "Hunde", 2);
  forms.finish();
  const auto counts = drawn_from(forms, "DOG", "Hund");
  ASSERT_EQ(counts.size(), 2U) << "capitals of the source do not matter";
  EXPECT_NEAR(counts.at("Hund"), 750, 60);
  EXPECT_NEAR(counts.at("Hunde"), 250, 60);
}

TEST(TermForms, WhatOccursOnceOrBeginsOtherwiseIsNoForm) {
  TermForms forms;
  add(forms, "dog", "Hund", 2);
  add(forms, "dog", "Hundes");
  add(forms, "dog", "Tier", 5);
  forms.finish();
  EXPECT_EQ(drawn_from(forms, "dog", "Hund"), (std::map<std::string, int>{{"Hund", 1000}}));
}

TEST(TermForms, AWordWithoutFormsStaysAsItIs) {
  TermForms forms;
  add(forms, "dog", "Hund", 2);
  forms.finish();
  EXPECT_EQ(drawn_from(forms, "cat", "Katze"), (std::map<std::string, int>{{"Katze", 1000}}));
  EXPECT_EQ(drawn_from(forms, "dog", "Katze"), (std::map<std::string, int>{{"Katze", 1000}}));
}

TEST(TermForms, OnlyWordsWithOneLinkAreCounted) {
  TermForms forms;
  for (int i = 0; i < 2; ++i) {
    forms.add({"old dog", "alter Hund", {{0, 0}, {1, 1}}}, Division::kText);
    forms.add({"old dog", "alter Hunde", {{0, 1}, {1, 1}}}, Division::kText);
  }
  forms.finish();
  EXPECT_EQ(drawn_from(forms, "dog", "Hund"), (std::map<std::string, int>{{"Hund", 1000}}));
}

}  // namespace
}  // namespace ventris::modifiers
