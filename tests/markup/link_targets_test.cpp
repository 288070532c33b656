#include "markup/link_targets.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::markup {
namespace {

/// The part of the text that is the target of a link; "-" = there is none.
std::string target_in(const std::string& text) {
  const size_t end = end_of_link_target(text, 0);
  return end == std::string::npos ? "-" : text.substr(0, end);
}

TEST(LinkTargets, EndAtTheirParenthesis) {
  EXPECT_EQ(target_in("(a) b"), "(a)");
  EXPECT_EQ(target_in("() b"), "()");
  EXPECT_EQ(target_in("(a(b)c) d)"), "(a(b)c)");
  EXPECT_EQ(target_in("(a\\)b) c)"), "(a\\)b)");
  EXPECT_EQ(target_in("(<a )b> ) c"), "(<a )b> )");
}

TEST(LinkTargets, MayHaveATitle) {
  EXPECT_EQ(target_in("(a \"b) c\") d"), "(a \"b) c\")");
  EXPECT_EQ(target_in("(a\n'b' ) c"), "(a\n'b' )");
  EXPECT_EQ(target_in("(a (b \\) c)) d"), "(a (b \\) c))");
}

TEST(LinkTargets, WhatIsOrdinaryTextIsNone) {
  for (const char* text : {"(a b)", "(a", "(a(b)", "(<a", "(<a\nb>)", "(a \"b)", "(a \"b\" c)", "(a (b (c)))", "("}) {
    EXPECT_EQ(target_in(text), "-") << text;
  }
}

/// The text with the signs that are found as "#".
std::string with_found(std::string text) {
  for (const text::ByteRange& sign : emphasis_in_targets(text)) text[sign.begin] = '#';
  return text;
}

TEST(LinkTargets, HaveSignsThatAreNoEmphasis) {
  EXPECT_EQ(with_found("_[a_b](c_(d*e)) f_ *g*"), "_[a_b](c#(d#e)) f_ *g*");
  EXPECT_EQ(with_found("*![a](b \"c* ~d~\")*"), "*![a](b \"c# #d#\")*");
  EXPECT_EQ(with_found("[1](the *old* one)"), "[1](the *old* one)");
  EXPECT_EQ(with_found("[a](b \"c\n * d*\")"), "[a](b \"c\n * d#\")") << "a line may begin an item of a list";
}

TEST(LinkTargets, AreFoundInATimeThatGrowsWithTheText) {
  std::string text;
  for (const char* part : {"](", "](a '", "](<", "](a (", "](a(", "](()"}) {
    text.clear();
    while (text.size() < 1'000'000) text += part;
    EXPECT_TRUE(emphasis_in_targets(text).empty());
  }
  for (const char* part : {"[a](b) ", "[a](b_) "}) {
    text.clear();
    while (text.size() < 1'000'000) text += part;
    EXPECT_LE(emphasis_in_targets(text).size(), text.size());
  }
}

}  // namespace
}  // namespace ventris::markup
