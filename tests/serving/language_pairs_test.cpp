#include "serving/language_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

LanguagePairs pairs_of(const std::vector<std::string>& texts, bool pivots = false) {
  std::vector<PairSpec> specs;
  for (const std::string& text : texts) specs.push_back(parse_pair(text));
  return {specs, pivots};
}

TEST(LanguagePairs, AModelIsGivenWithItsLanguages) {
  const PairSpec plain = parse_pair("en-de=run/best"), hyphens = parse_pair("en:pt-BR=a=b");
  EXPECT_EQ(plain.source + " " + plain.target + " " + plain.path, "en de run/best");
  EXPECT_EQ(hyphens.source + " " + hyphens.target + " " + hyphens.path, "en pt-BR a=b");
  for (const char* wrong : {"run/best", "en=run", "en-de", "en-de=", "en-pt-BR=run", "=run"}) {
    EXPECT_FAILS(parse_pair(wrong), ConfigError, "expected SOURCE-TARGET=MODEL");
  }
  for (const char* wrong : {"-de=run", "en-=run", "e n-de=run", "auto-de=run"}) {
    EXPECT_FAILS(parse_pair(wrong), ConfigError, "expected a code of a language");
  }
}

TEST(LanguagePairs, NamesOfAMultilingualModelAreGivenByCode) {
  EXPECT_EQ(parse_language_name("en=eng_Latn"), (std::pair<std::string, std::string>("en", "eng_Latn")));
  for (const char* wrong : {"en", "en=", "=x"}) {
    EXPECT_FAILS(parse_language_name(wrong), ConfigError, "expected CODE=NAME");
  }
}

TEST(LanguagePairs, APairTwiceIsAMistake) {
  EXPECT_FAILS(pairs_of({"en-de=a", "en-de=b"}), ConfigError, "the pair en-de is given twice");
}

TEST(LanguagePairs, ListWhatCanBeTranslated) {
  const LanguagePairs pairs = pairs_of({"en-de=a", "de-fr=b"});
  EXPECT_THAT(pairs.languages(), ElementsAre("de", "en", "fr"));
  EXPECT_THAT(pairs.sources(), ElementsAre("de", "en"));
  EXPECT_THAT(pairs.targets_of("en"), ElementsAre("de"));
  EXPECT_THAT(pairs.targets_of("fr"), IsEmpty());
  EXPECT_THAT(pairs.sources_of("fr"), ElementsAre("de"));
  EXPECT_THAT(pairs.route("de", "fr"), ElementsAre(1));
  EXPECT_THAT(pairs.route("en", "fr"), IsEmpty());
}

TEST(LanguagePairs, APivotIsUsedOnlyWhereNoModelHasThePair) {
  const LanguagePairs pairs = pairs_of({"en-de=a", "de-fr=b", "de-en=c", "en-it=d", "de-it=e"}, true);
  EXPECT_THAT(pairs.route("en", "fr"), ElementsAre(0, 1));
  EXPECT_THAT(pairs.route("en", "it"), ElementsAre(3));
  EXPECT_THAT(pairs.route("en", "en"), IsEmpty());
  EXPECT_THAT(pairs.route("fr", "en"), IsEmpty());
  EXPECT_THAT(pairs.targets_of("en"), ElementsAre("de", "fr", "it"));
}

TEST(LanguagePairs, ClientsMayWriteCodesInOtherWays) {
  const LanguagePairs pairs = pairs_of({"en:pt-BR=a", "en:zh-Hans=b"});
  EXPECT_EQ(pairs.find("EN"), "en");
  EXPECT_EQ(pairs.find("pt-br"), "pt-BR");
  EXPECT_EQ(pairs.find("pb"), "pt-BR");
  EXPECT_EQ(pairs.find("zh"), "zh-Hans");
  EXPECT_EQ(pairs.find("zt"), std::nullopt);
  EXPECT_EQ(pairs.find("pt"), std::nullopt);
  EXPECT_EQ(pairs.find("en-US"), "en");
  EXPECT_EQ(pairs.find("zh-Hant"), std::nullopt);
  EXPECT_EQ(pairs.find("zh-CN"), "zh-Hans");
  const LanguagePairs both = pairs_of({"en:zh=a", "en:zh-Hant=b"});
  EXPECT_EQ(both.find("zh-TW"), "zh-Hant");
  EXPECT_EQ(both.find("zh-CN"), "zh");
}

TEST(LanguagePairs, LanguagesHaveEnglishNames) {
  EXPECT_EQ(english_name("de"), "German");
  EXPECT_EQ(english_name("pt-BR"), "Portuguese (Brazil)");
  EXPECT_EQ(english_name("qqx"), "qqx");
}

}  // namespace
}  // namespace ventris::serving
