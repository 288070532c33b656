#include "support/settings_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <map>
#include <stdexcept>

#include "support/settings.h"

namespace ventris::apps {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

core::SettingDescription described(const std::string& path, const std::string& meaning = "What it is") {
  core::SettingDescription setting{path, "number"};
  setting.meaning = meaning;
  setting.fallback = "0.1";
  return setting;
}

CommandSummary program() {
  FlagSummary flag{{"-s", "--share"}, "FLOAT", "How much | little", "", "", ValueKind::kText};
  flag.settings = {"/training/share"};
  return {"ventris-tool", "Does something.", {flag}, {}, {}};
}

TEST(SettingsPage, ASettingStandsWithItsFlagValuesDefaultAndMeaning) {
  auto setting = described("training.share");
  setting.limits = {.least = 0, .under = 16777216.5};
  EXPECT_EQ(settings_page(program(), {{"training", "All of it.", {setting}}}),
            "## ventris-tool\n\n### training\n\nAll of it.\n\n"
            "| setting | flag | values | default | meaning |\n|---|---|---|---|---|\n"
            "| `training.share` | `-s`, `--share` | number, at least 0, under 16777216.5 | `0.1` | What it is. |\n");
}

TEST(SettingsPage, TheHelpOfTheFlagExplainsASettingWithoutAMeaning) {
  EXPECT_THAT(settings_page(program(), {{"", "", {described("training.share", "")}}}),
              HasSubstr("| How much \\| little. |\n"));
}

TEST(SettingsPage, ASettingThatNothingExplainsIsAMistakeOfTheProgrammer) {
  EXPECT_THROW(settings_page(program(), {{"", "", {described("training.other", "")}}}), std::logic_error);
}

TEST(SettingsPage, WordsTakeThePlaceOfTheTypeAndNoDefaultIsSaid) {
  auto setting = described("kind");
  setting.choices = {"a", "b"};
  setting.fallback = "";
  const std::string page = settings_page(program(), {{"", "", {setting}}});
  EXPECT_THAT(page, HasSubstr("| `kind` | | `a`, `b` | none | What it is. |\n"));
  EXPECT_THAT(page, Not(HasSubstr("###")));
}

TEST(SettingsPage, AFlagThatOffersOtherWordsThanItsSettingIsAMistakeOfTheProgrammer) {
  const auto page_with = [](const std::vector<std::string>& offered, const std::vector<std::string>& choices) {
    CommandSummary with_words = program();
    with_words.flags.front().choices = offered;
    auto setting = described("training.share");
    setting.choices = choices;
    return settings_page(with_words, {{"", "", {setting}}});
  };
  EXPECT_THAT(page_with({"a", "b"}, {"a", "b"}), HasSubstr("`a`, `b`"));
  EXPECT_THROW(page_with({"a"}, {"a", "b"}), std::logic_error);
  EXPECT_THROW(page_with({}, {"a", "b"}), std::logic_error);
  EXPECT_THAT(page_with({"cpu"}, {}), HasSubstr("| number |"));  // a hint where any text is allowed
}

TEST(SettingsPage, LimitsAreSaidAsErrorsSayThem) {
  const auto limits = [](const core::Limits<double>& of) {
    auto setting = described("x");
    setting.limits = of;
    return settings_page(program(), {{"", "", {setting}}});
  };
  EXPECT_THAT(limits({.least = 1, .most = 100000}), HasSubstr("| number, from 1 to 100000 |"));
  EXPECT_THAT(limits({.least = 0, .over = 0}), HasSubstr("| number, over 0 |"));
  EXPECT_THAT(limits({.over = 0, .most = 1}), HasSubstr("| number, over 0, at most 1 |"));
  EXPECT_THAT(limits({}), HasSubstr("| number |"));
}

TEST(SettingsPage, TheSettingsOfARunSayWhetherTheyMayChange) {
  auto setting = described("training.share");
  setting.on_resume = "path";
  const std::string page = settings_page(program(), {{"", "", {setting}}});
  EXPECT_THAT(page, HasSubstr("| default | may change | meaning |\n"));
  EXPECT_THAT(page, HasSubstr("| `0.1` | path | What it is. |\n"));
}

TEST(SettingsPage, TheFlagsOfAProgramSayWhichSettingsTheySet) {
  CLI::App app;
  Settings settings(app, nlohmann::json::object());
  settings.flag<int64_t>("--beam", "/beam_size", "", "Search");
  settings.flag<int64_t>("--many", {"/a", "/b"}, [](const int64_t&) {}, "", "Search");
  settings.add_switch("--on", "/c", "", "Search");
  std::map<std::string, std::vector<std::string>> found;
  for (const FlagSummary& flag : summarize(app).flags) found[flag.names.back()] = flag.settings;
  EXPECT_THAT(found["--beam"], ElementsAre("/beam_size"));
  EXPECT_THAT(found["--many"], ElementsAre("/a", "/b"));
  EXPECT_THAT(found["--on"], ElementsAre("/c"));
  EXPECT_TRUE(found["--config"].empty());
}

}  // namespace
}  // namespace ventris::apps
