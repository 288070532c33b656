#include "model/language_tokens.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::model {
namespace {

using nlohmann::json;

LanguageMap read(const json& object) { return read_languages(core::JsonReader(object, "languages")); }

TEST(LanguageTokens, AreReadAndWrittenWithoutEmptyLists) {
  const json object{{"de", {{"to_prefix", {">>deu<<"}}}},
                    {"en", {{"source_prefix", {"__en__"}}, {"source_suffix", {"x", "y"}}, {"target_prefix", {"z"}}}}};
  const LanguageMap languages = read(object);
  EXPECT_EQ(languages.at("de"), (LanguageTokens{.to_prefix = {">>deu<<"}}));
  EXPECT_TRUE(languages.at("de").marks_targets() && !languages.at("de").marks_sources());
  EXPECT_TRUE(languages.at("en").marks_targets() && languages.at("en").marks_sources());
  EXPECT_EQ(to_json(languages), object);
}

TEST(LanguageTokens, WhatIsWrongIsNamed) {
  EXPECT_FAILS(read({{"de", {{"prefix", {"a"}}}}}), ConfigError, "languages.de.prefix: unknown setting");
  EXPECT_FAILS(read({{"de", {{"to_prefix", "a"}}}}), ConfigError, "languages.de.to_prefix: ");
  EXPECT_FAILS(read({{"de", {{"to_prefix", std::vector<std::string>(9, "a")}}}}), ConfigError,
               "languages.de.to_prefix: expected at most 8 pieces, got 9");
  EXPECT_FAILS(read({{std::string(41, 'x'), json::object()}}), ConfigError,
               "expected the name of a language, with 1 to 40 bytes");
}

}  // namespace
}  // namespace ventris::model
