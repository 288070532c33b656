#include "formats/conversions.h"

#include <gtest/gtest.h>

namespace ventris::formats {
namespace {

using Texts = std::vector<std::string>;

TEST(Conversions, OnlyThoseThatTakeTheNextArgumentCount) {
  EXPECT_EQ(conversions_in("%s: %-5.2lf of %%d, %1$s %(name)s 50% off %ld%"), (Texts{"%s", "%-5.2lf", "% o", "%ld"}));
  EXPECT_EQ(conversions_in("100%"), Texts{});
  EXPECT_EQ(conversions_in("%*d"), Texts{"%*d"});
}

TEST(Conversions, AnotherOrderGetsNumbers) {
  EXPECT_EQ(with_numbered_conversions("%s has %d", "%s hat %d"), "%s hat %d");
  EXPECT_EQ(with_numbered_conversions("%s has %d", "%d hat %s"), "%2$d hat %1$s");
  EXPECT_EQ(with_numbered_conversions("%s, %s, %5d", "%5d %s %s"), "%3$5d %1$s %2$s");
}

TEST(Conversions, MacrosOfCAreComplete) {
  EXPECT_EQ(conversions_in("%<PRIu64> d, %5<PRIx32>, %1$<PRId8> %<PRI> %<x>"), (Texts{"%<PRIu64>", "%5<PRIx32>"}));
  EXPECT_EQ(with_numbered_conversions("%<PRIu64> of %s", "%s: %<PRIu64>"), "%2$s: %1$<PRIu64>");
  const std::string text = "%<PRIu64> d, %-5.2<PRIx32>s %1$<PRId8> %%<PRIu64> %<PRI> %<PRIu64 %d";
  Texts found;
  for (const ByteRange& place : macro_conversions_in(text)) found.emplace_back(part_of(text, place));
  EXPECT_EQ(found, (Texts{"%<PRIu64>", "%-5.2<PRIx32>", "%1$<PRId8>"}));
}

TEST(Conversions, OthersThanThoseOfTheSourceAreNone) {
  EXPECT_EQ(with_numbered_conversions("%s has %d", "%s hat"), std::nullopt);
  EXPECT_EQ(with_numbered_conversions("%s", "%s %s"), std::nullopt);
  EXPECT_EQ(with_numbered_conversions("%*d %s", "%s %*d"), std::nullopt) << "a width cannot be numbered so";
}

TEST(Conversions, ArgumentsOfQtAndKdeHaveNumbers) {
  const std::string text = "%1 %2 %L3 %n %Ln %12s %123 %0 % 1 %d %L %";
  Texts found;
  for (const ByteRange& place : numbered_arguments_in(text)) found.emplace_back(part_of(text, place));
  EXPECT_EQ(found, (Texts{"%1", "%2", "%L3", "%n", "%Ln", "%12", "%12"}));
}

TEST(Conversions, ArgumentsInBracesInAnotherOrderGetNumbers) {
  EXPECT_EQ(with_numbered_braces("{} has {:d}", "{:d} hat {}"), "{1:d} hat {0}");
  EXPECT_EQ(with_numbered_braces("{} has {}", "{} hat {}"), "{} hat {}");
  EXPECT_EQ(with_numbered_braces("{name} has {0}", "{0} hat {name}"), "{0} hat {name}") << "these have names";
  EXPECT_EQ(with_numbered_braces("{{}} {!r} {}", "{} {!r} {{}}"), "{1} {0!r} {{}}");
  EXPECT_EQ(with_numbered_braces("{} {:d}", "{:d}"), std::nullopt);
}

TEST(Conversions, ArgumentsWithoutNumbersAreThoseOfBothKinds) {
  EXPECT_EQ(unnumbered_arguments_in("{} %s {name} %1$s {:d}"), (Texts{"%s", "{}", "{:d}"}));
}

TEST(Conversions, NumbersCountFromTheFirstOne) {
  EXPECT_EQ(with_numbers_from("%s of %5d", 2), "%3$s of %4$5d");
  EXPECT_EQ(with_numbers_from("no", 2), "no");
  EXPECT_EQ(with_numbers_from("%*d", 0), std::nullopt);
}

TEST(Conversions, ArgumentsWithADollarAreNoAmounts) {
  const auto arguments = [](const std::string& text) {
    Texts found;
    for (const ByteRange& place : dollar_arguments_in(text)) found.emplace_back(part_of(text, place));
    return found;
  };
  EXPECT_EQ(arguments("$1 of $2, $10 or $1.50 or $3,000 or US$4 or $5m; $3. ($1)"), (Texts{"$1", "$2", "$3", "$1"}));
  EXPECT_EQ(arguments("It costs $5 a month, or $9."), Texts{}) << "there is no $1";
}

TEST(Conversions, LinksOfAWikiAreBetweenDoubledBrackets) {
  const std::string text = "[[a]] [[b c|d]]s [[]] [[e] [f]] [[[g]] [[h\ni]] [[1],[2]]";
  Texts found;
  for (const ByteRange& place : wiki_links_in(text)) found.emplace_back(part_of(text, place));
  EXPECT_EQ(found, (Texts{"[[a]]", "[[b c|d]]", "[[g]]"}));
}

TEST(Conversions, DirectivesOfLispBeginWithATilde) {
  const std::string text = "a ~A, ~10d ~,2f~% ~~ and ~ b ~,'*d ~";
  std::vector<std::string> found;
  for (const ByteRange& range : tilde_directives_in(text))
    found.push_back(text.substr(range.begin, range.end - range.begin));
  EXPECT_EQ(found, (std::vector<std::string>{"~A", "~10d", "~,2f", "~%", "~~", "~,'*d"}));
}

TEST(Conversions, FlagsOfJavaAreNoNames) {
  EXPECT_EQ(conversions_in("%,d %(,.2f %(name)s %Zd %Id"), (std::vector<std::string>{"%,d", "%(,.2f", "%Zd", "%Id"}));
  EXPECT_EQ(with_numbered_conversions("%,d of %s", "%s: %,d"), "%2$s: %1$,d");
}

}  // namespace
}  // namespace ventris::formats
