#include "documents/percent_placeholders.h"

#include <gtest/gtest.h>

#include "support/found_placeholders.h"

namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;

TEST(PercentPlaceholders, ConversionsOfPrintfPythonAndGo) {
  EXPECT_EQ(found_in("%s %d %5.2f %-3d %+d %05d %*d %.*f %lu %lld %zu %x %p %@ %1$s %2$-5d %'d %v %q"),
            (Texts{"%s", "%d", "%5.2f", "%-3d", "%+d", "%05d", "%*d", "%.*f", "%lu", "%lld", "%zu", "%x", "%p", "%@",
                   "%1$s", "%2$-5d", "%'d", "%v", "%q"}));
  EXPECT_EQ(found_in("%d%s%%, %(name)s %(n)05.2f %<name>s %ds %dMB %.1fkm file%s.txt \u5171%d\u4E2A"),
            (Texts{"%d", "%s", "%%", "%(name)s", "%(n)05.2f", "%<name>s", "%ds", "%dMB", "%.1fkm", "%s", "%d"}));
  EXPECT_EQ(found_in("%[1]d %[2]s, %+[1]d %[3]*.[2]*[1]f %[1]x. [1]d % [5] %[] %[a]d"),
            (Texts{"%[1]d", "%[2]s", "%+[1]d", "%[3]*.[2]*[1]f", "%[1]x", "%[a]d"}));
  EXPECT_EQ(found_in("%I64d %T %t %[name]s %#@var@ %1!s! %1 of %L2, %12. 5%1 %n%d"),
            (Texts{"%I64d", "%T", "%t", "%[name]s", "%#@var@", "%1!s!", "%1", "%L2", "%12", "%n", "%d"}));
  EXPECT_EQ(found_in("100 % sure, 50% discount, 10 % de, 5 % f\u00FCr alle, 50 % d'une, 5%discount, 100%er, 5%."),
            Texts{});
}

TEST(PercentPlaceholders, ConversionsOfFewLanguages) {
  EXPECT_EQ(found_in("%,d %1$,d %,.2f %(,.2f %(10d %<s %<tM"),
            (Texts{"%,d", "%1$,d", "%,.2f", "%(,.2f", "%(10d", "%<s", "%<tM"}));
  EXPECT_EQ(found_in("%1% of %2%, %1%%2%. %|1$s| %|-5|"), (Texts{"%1%", "%2%", "%1%", "%2%", "%|1$s|", "%|-5|"}));
  EXPECT_EQ(found_in("%Zd %Zu %Id %Iu %w32d %wf8x %wd %1$*2$d"),
            (Texts{"%Zd", "%Zu", "%Id", "%Iu", "%w32d", "%wf8x", "%wd", "%1$*2$d"}));
  EXPECT_EQ(found_in("%(my name)s %-10<n>s %vd %qD %0:s %1:d %#@a@ %1$#@books@"),
            (Texts{"%(my name)s", "%-10<n>s", "%vd", "%qD", "%0:s", "%1:d", "%#@a@", "%1$#@books@"}));
  EXPECT_EQ(found_in("50%, die 5 %, d'une 10%(a) 100 %(so) %, 7%<8 %1: some 3%|4"), Texts{"%1"});
  for (const std::string text : {"GDP growth in % (2024e)", "Change in % (f)", "5\u00A0% (2024e)", "10%|20%|30%",
                                 "Il 30%(dei voti) e il 20%", "30%(voti) e 5%(f)"}) {
    EXPECT_EQ(found_in(text), Texts{}) << text;
  }
  EXPECT_EQ(found_in("%1%2 and %1%s"), (Texts{"%1", "%2", "%1", "%s"}));
}

TEST(PercentPlaceholders, PartsOfDatesAndTimes) {
  EXPECT_EQ(found_in("%Y-%m-%d %B %-d, %Hh%M %-I:%M %p %z %j %^B %A %Y\u5E74"),
            (Texts{"%Y-%m-%d", "%B", "%-d", "%Hh", "%M", "%-I:%M", "%p", "%z", "%j", "%^B", "%A", "%Y"}));
  EXPECT_EQ(found_in("%s:%d %s/%s %s: %d %s. %d"), (Texts{"%s:%d", "%s/%s", "%s", "%d", "%s", "%d"}));
  EXPECT_EQ(found_in("%1$tY %tF %1$te. %TB, a %t b"), (Texts{"%1$tY", "%tF", "%1$te", "%TB", "%t"}));
  EXPECT_EQ(found_in("%w"), Texts{"%w"}) << "an error in Go";
  for (const std::string text : {"50%Y", "50 %B", "5 %RH", "%Young", "% Y", "5 %", "%"})
    EXPECT_EQ(found_in(text), Texts{}) << text;
}

TEST(PercentPlaceholders, AConversionThatTouchesAnotherWord) {
  EXPECT_EQ(found_in("%sThe end, %s%sHello %@the %dmin %dhours %dbytes %dMiB"),
            (Texts{"%s", "%s", "%s", "%@", "%dmin", "%d", "%d", "%dMiB"}));
  EXPECT_EQ(found_in("2%s 0%d (0%o) 0%.3o"), (Texts{"%s", "%d", "%o", "%.3o"}));
  EXPECT_EQ(found_in("5%discount 50%ige 100%er 20%off 5%Die 30%der"), Texts{});
}

TEST(PercentPlaceholders, TwoConversionsMayStandAroundWords) {
  EXPECT_EQ(found_in("Please %sclick here%s to go on."), (Texts{"%s", "%s"}));
  EXPECT_EQ(found_in("Go %shere%s or %sthere%s."), (Texts{"%s", "%s", "%s", "%s"}));
  EXPECT_EQ(found_in("by %screator and %s"), (Texts{"%screator", "%s"})) << "a name";
}

TEST(PercentPlaceholders, AnArgumentOfAppleIsAWord) {
  EXPECT_EQ(found_in("%arg files and %arg at %1$@, %arg."), (std::vector<std::string>{"%arg", "%arg", "%1$@", "%arg"}));
}

TEST(PercentPlaceholders, CodeOfAmpscriptIsWhole) {
  EXPECT_EQ(found_in("Hi %%=ProperCase(FirstName)=%%, %%[ SET @x = \"a\" ]%% so %%name%%"),
            (std::vector<std::string>{"%%=ProperCase(FirstName)=%%", "%%[ SET @x = \"a\" ]%%", "%%name%%"}));
}

TEST(PercentPlaceholders, ANameMayHaveAUnitBehindIt) {
  EXPECT_EQ(found_in("Wait %time%s, %hours%h %minutes%m or %count%x."),
            (std::vector<std::string>{"%time%s", "%hours%h", "%minutes%m", "%count%x"}));
  EXPECT_EQ(found_in("%seconds%s %days%d"), (std::vector<std::string>{"%seconds%s", "%days%d"}));
  EXPECT_EQ(found_in("%dx%d and %shere%s"), (std::vector<std::string>{"%dx", "%d", "%s", "%s"}));
}

}  // namespace
}  // namespace ventris::documents
