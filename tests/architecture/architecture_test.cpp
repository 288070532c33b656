#include "architecture/architecture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "architecture/transformer_options.h"
#include "core/error.h"
#include "support/errors.h"

namespace ventris::architecture {
namespace {

using nlohmann::json;

ArchitecturePtr parse_named(const std::string& name, const json& settings) {
  core::JsonReader reader(settings, "model");
  return parse(name, "architecture", reader);
}

TEST(Architecture, AnUnknownFamilyIsRefusedWithThoseThatThereAre) {
  EXPECT_FAILS(parse_named("rmm", json::object()), ConfigError,
               "expected 'bert' or 'bert-classifier' or 'rnn' or 'transformer' or 'transformer-nat', got 'rmm'");
}

TEST(Architecture, TheDefaultsAreThoseOfAnEmptySection) {
  EXPECT_EQ(defaults()->family(), "transformer");
  EXPECT_EQ(defaults()->to_json(), parse_named("transformer", json::object())->to_json());
  EXPECT_EQ(defaults()->src_vocab(), 0);
  EXPECT_EQ(defaults()->task(), "translation");
}

TEST(Architecture, AnAddedFamilyIsParsedByItsOwnParserAndAddedOnce) {
  const auto parser = [](core::JsonReader& reader) -> ArchitecturePtr {
    TransformerOptions options;
    reader.optional("breadth", options.d_model);
    return std::make_shared<TransformerArchitecture>(options);
  };
  static const AddedFamily added("added", parser);
  EXPECT_EQ(parse_named("added", {{"breadth", 7}})->width(), 7);
  EXPECT_THROW(add_family("added", parser), std::logic_error);
  EXPECT_THROW(add_family("transformer", parser), std::logic_error);
}

TEST(Architecture, KeysThatAFamilyDoesNotKnowAreLeftToTheCaller) {
  const json settings{{"d_model", 64}, {"colour", 1}};
  core::JsonReader reader(settings, "model");
  EXPECT_EQ(parse("transformer", "architecture", reader)->width(), 64);
  EXPECT_FAILS(reader.finish(), ConfigError, "model.colour: unknown setting");
}

/// A family that does not describe its settings.
class PlainArchitecture : public TransformerArchitecture {
 public:
  json to_json() const override { return {{"breadth", 7}, {"deep", true}, {"name", "x"}, {"share", 0.5}}; }
  std::vector<core::SettingDescription> describe() const override {
    return Architecture::describe();  // NOLINT(bugprone-parent-virtual-call): the default of a family
  }
};

TEST(Architecture, AFamilyThatDoesNotDescribeItsSettingsHasTheirNamesTypesAndValues) {
  const auto settings = PlainArchitecture().describe();
  ASSERT_EQ(settings.size(), 4U);
  const char* types[] = {"whole number", "true or false", "text", "number"};
  for (size_t i = 0; i < settings.size(); ++i) {
    EXPECT_EQ(settings[i].type, types[i]);
    EXPECT_EQ(settings[i].meaning, "The family does not describe it.");
  }
  EXPECT_EQ(settings[0].path, "model.breadth");
  EXPECT_EQ(settings[0].fallback, "7");
}

TEST(Architecture, TheFamiliesAreListedByName) {
  for (const char* name : {"rnn", "transformer"}) EXPECT_EQ(std::ranges::count(family_names(), name), 1) << name;
  EXPECT_TRUE(std::ranges::is_sorted(family_names()));
}

}  // namespace
}  // namespace ventris::architecture
