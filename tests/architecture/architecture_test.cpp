#include "architecture/architecture.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "architecture/transformer.h"
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
  EXPECT_FAILS(parse_named("rmm", json::object()), ConfigError, "'transformer', got 'rmm'");
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

}  // namespace
}  // namespace ventris::architecture
