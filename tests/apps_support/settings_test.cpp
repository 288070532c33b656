#include "support/settings.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::apps {
namespace {

using nlohmann::json;

class SettingsTest : public testing::Test {
 protected:
  /// The settings of these files, later ones first, and of --after if it is given.
  json merged(const std::vector<std::string>& texts, const std::string& after = "") const {
    CLI::App app;
    Settings settings(app, json{{"beam_size", 4}, {"training", {{"after", "1e"}, {"schedule", {{"peak", 1}}}}}});
    settings.flag<std::string>("--after", "/training/after", "How long", "Training");
    std::vector<std::string> words;  // CLI11 takes them last first
    if (!after.empty()) words = {after, "--after"};
    for (size_t i = texts.size(); i > 0; --i) {
      words.push_back(folder.file(std::to_string(i) + ".json", texts[i - 1]));
      words.push_back("-c");
    }
    app.parse(words);
    return settings.merged();
  }

  test::TempFolder folder;
};

TEST_F(SettingsTest, LaterFilesBeatEarlierOnesAndFlagsBeatFiles) {
  const std::string first = R"({"beam_size": 1, "training": {"after": "2e", "schedule": {"peak": 2}}})";
  const std::string second = R"({"beam_size": 3, "training": {"after": "3e"}})";
  EXPECT_EQ(merged({first, second}, "9e"),
            json::parse(R"({"beam_size": 3, "training": {"after": "9e", "schedule": {"peak": 2}}})"));
  EXPECT_EQ(merged({}), json::object());
}

TEST_F(SettingsTest, AFileThatIsNoObjectIsRefused) {
  for (const std::string text : {"[1]", "5", "null", "\"text\""}) {
    EXPECT_FAILS(merged({R"({"beam_size": 1})", text}), ConfigError, "2.json: expected an object {...}, got " + text);
  }
}

TEST_F(SettingsTest, AValueInPlaceOfASectionIsRefusedEvenWhereAFlagWouldHideIt) {
  EXPECT_FAILS(merged({R"({"training": 5})"}, "9e"), ConfigError, "1.json: training: expected an object {...}, got 5");
  EXPECT_FAILS(merged({R"({"training": {"schedule": [1]}})", R"({"training": {"schedule": {}}})"}), ConfigError,
               "1.json: training.schedule: expected an object {...}, got [1]");
}

TEST_F(SettingsTest, ANullIsRefusedForItWouldEraseItsKeyUnseen) {
  EXPECT_FAILS(merged({R"({"beam_sise": null})"}), ConfigError, "1.json: beam_sise: expected a value, got null");
  EXPECT_FAILS(merged({R"({"training": {"unknown": {"deep": null}}})"}), ConfigError,
               "1.json: training.unknown.deep: expected a value, got null");
}

TEST_F(SettingsTest, TheFileOfASettingIsLookedForByAnyName) {
  CLI::App app;
  Settings settings(app, json::object());
  app.parse(
      std::vector<std::string>{folder.file("a.json", R"({"model": ["x"], "model.99999999999999999999": 1})"), "-c"});
  const auto refuse = [](const json&) { throw core::UnknownSetting("model.99999999999999999999", ""); };
  EXPECT_FAILS(settings.with_merged(refuse), ConfigError, "model.99999999999999999999: unknown setting");
}

TEST_F(SettingsTest, UnreadableFilesAreSettingsErrors) {
  EXPECT_FAILS(merged({"{"}), ConfigError, "1.json:1:2: not valid JSON");
  EXPECT_FAILS(merged({R"({"beam_size": 1, "beam_size": 2})"}), ConfigError, "1.json: 'beam_size' occurs twice");
}

}  // namespace
}  // namespace ventris::apps
