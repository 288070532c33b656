#include "doctor/language_profile.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ventris::doctor {
namespace {

using Lines = std::vector<std::string>;

const Lines kEnglish{"two dogs are playing in the grass", "where is the nearest station, please?"},
    kMoreEnglish{"the children are playing near the station", "there is a dog in the garden"},
    kGerman{"zwei Hunde spielen im Gras", "wo ist der nächste Bahnhof, bitte?"},
    kMoreGerman{"die Kinder spielen am Bahnhof", "im Garten ist ein Hund und spielt"},
    kChinese{"两只狗在草地上玩", "请问最近的车站在哪里"}, kMoreChinese{"孩子们在车站旁边玩", "草地上有一只狗在玩"};

LanguageProfile profile(const Lines& lines) {
  LanguageProfile made;
  for (const std::string& line : lines) made.add(line);
  return made;
}

SideProfiles sides(const Lines& source, const Lines& target) { return {profile(source), profile(target)}; }

TEST(LanguageProfile, IsMoreSimilarWithinALanguage) {
  EXPECT_GT(profile(kEnglish).similarity(profile(kMoreEnglish)), profile(kEnglish).similarity(profile(kMoreGerman)));
  EXPECT_NEAR(profile(kGerman).similarity(profile(kGerman)), 1, 1e-9);
  EXPECT_EQ(profile(kGerman).similarity(profile({})), 0);
}

TEST(AreSwapped, SidesOfTwoLanguagesThatAreExchanged) {
  EXPECT_TRUE(are_swapped(sides(kEnglish, kGerman), sides(kMoreGerman, kMoreEnglish)));
  EXPECT_FALSE(are_swapped(sides(kEnglish, kGerman), sides(kMoreEnglish, kMoreGerman)));
  EXPECT_TRUE(are_swapped(sides(kEnglish, kChinese), sides(kMoreChinese, kMoreEnglish)));
  EXPECT_FALSE(are_swapped(sides(kEnglish, kChinese), sides(kMoreEnglish, kMoreChinese)));
}

TEST(AreSwapped, NeverSidesOfOneLanguageOrWithoutLines) {
  EXPECT_FALSE(are_swapped(sides(kEnglish, kMoreEnglish), sides(kMoreEnglish, kEnglish)) &&
               are_swapped(sides(kEnglish, kMoreEnglish), sides(kEnglish, kMoreEnglish)));
  EXPECT_FALSE(are_swapped(sides(kEnglish, kEnglish), sides(kMoreEnglish, kMoreEnglish)));
  EXPECT_FALSE(are_swapped(sides(kEnglish, kGerman), sides({}, {})));
}

}  // namespace
}  // namespace ventris::doctor
