#include "serving/serve_settings.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

TEST(ServeSettings, WhatIsWrittenIsReadAgain) {
  const nlohmann::json given{{"model", {"en-de=a", "de-en=b"}},
                             {"language_name", {"en=eng"}},
                             {"port", 0},
                             {"threads", 3},
                             {"precision", "int8"},
                             {"max_body", 2}};
  const ServeSettings settings = ServeSettings::parse(given);
  const nlohmann::json written = settings.to_json();
  for (const auto& [key, value] : given.items()) EXPECT_EQ(written.at(key), value) << key;
  EXPECT_EQ(ServeSettings::parse(written).to_json(), written);
  EXPECT_EQ(settings.pairs().at(1).path, "b");
  EXPECT_EQ(settings.names().at("en"), "eng");
}

TEST(ServeSettings, NobodyElseOnTheNetworkIsServedUnlessAsked) {
  EXPECT_EQ(ServeSettings::parse(nlohmann::json::object()).address, "127.0.0.1");
}

TEST(ServeSettings, AModelGetsItsSettings) {
  const ServeSettings settings = ServeSettings::parse({{"beam_size", 3}, {"threads", 2}});
  EXPECT_EQ(settings.of_model("m").at("beam_size"), 3);
  EXPECT_EQ(settings.of_model("m").at("model"), "m");
  EXPECT_FALSE(ServeSettings().of_model("m").contains("beam_size"));  // the model's own
}

TEST(ServeSettings, AnOriginIsThatOfAPage) {
  for (const char* origin : {"", "*", "null", "https://example.org", "http://localhost:8080", "http://[::1]:80"}) {
    EXPECT_EQ(ServeSettings::parse({{"allow_origin", origin}}).allow_origin, origin);
  }
  for (const char* origin : {"example.org", "https://", "https://example.org/", "ftp://a", "https://a, https://b",
                             "https://a\r\nX: y", "**"}) {
    EXPECT_FAILS(ServeSettings::parse({{"allow_origin", origin}}), ConfigError,
                 "allow_origin: expected * or one origin");
  }
}

TEST(ServeSettings, MistakesAreNamed) {
  const auto parse = [](const nlohmann::json& json) { return ServeSettings::parse(json); };
  EXPECT_FAILS(parse({{"prot", 1}}), ConfigError, "prot: unknown setting (did you mean 'port'?)");
  EXPECT_FAILS(parse({{"port", 65536}}), ConfigError, "port: must be at most 65535, got 65536");
  EXPECT_FAILS(parse({{"threads", 0}}), ConfigError, "threads: must be at least 1");
  EXPECT_FAILS(parse({{"model", "run/best"}}), ConfigError, "expected SOURCE-TARGET=MODEL");
  EXPECT_FAILS(parse({{"model", {"a-b=x", "a-b=y"}}}), ConfigError, "the pair a-b is given twice");
  EXPECT_FAILS(parse({{"language_name", {"x"}}}), ConfigError, "expected CODE=NAME");
  EXPECT_FAILS(parse({{"language_name", {"en=a", "en=b"}}}), ConfigError, "the language en is given twice");
  EXPECT_FAILS(parse({{"client_characters", 10}}), ConfigError, "client_characters: must be at least max_characters");
  EXPECT_FAILS(parse({{"client_characters", 200'000}, {"max_texts", 10'000}}), ConfigError,
               "client_characters: must be at least 32 times max_texts (320000), got 200000");
  EXPECT_FAILS(parse({{"queue_characters", 100'000}}), ConfigError, "queue_characters: must be at least client_ch");
  EXPECT_FAILS(parse({{"max_bodies", 1}, {"max_body", 2048}}), ConfigError, "max_bodies: must be at least max_body");
}

}  // namespace
}  // namespace ventris::serving
