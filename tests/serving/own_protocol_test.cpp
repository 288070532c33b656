#include "serving/own_protocol.h"

#include <gtest/gtest.h>

#include "protocol_results.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

using nlohmann::json;

TranslationRequest parse(const json& more) {
  json body{{"text", "a"}, {"target", "de"}};
  if (!more.is_null()) body.update(more);
  return parse_own_request(arguments_of(body), {});
}

TEST(OwnProtocol, SentencesAreSplitUnlessAPhraseBelongsToOne) {
  EXPECT_TRUE(parse({}).kind.split);
  EXPECT_FALSE(parse({{"split_sentences", false}}).kind.split);
  EXPECT_FALSE(parse({{"forbidden", {"b"}}}).kind.split);
  EXPECT_FAILS(parse({{"forbidden", {"b"}}, {"markup", "html"}}), RequestError, "belongs to one sentence");
}

TEST(OwnProtocol, WhatNeedsLinksAsksForThem) {
  EXPECT_FALSE(parse({}).kind.search.links);
  EXPECT_TRUE(parse({{"markup", "html"}}).kind.search.links);
  EXPECT_TRUE(parse({{"placeholders", "numbers"}}).kind.search.links);
  EXPECT_TRUE(parse({{"alignment", true}}).kind.search.links);
}

TEST(OwnProtocol, ANumberMayBeWrittenAsATextOrWithAPoint) {
  EXPECT_EQ(parse({{"n_best", "3"}}).candidates, 3);
  EXPECT_EQ(parse({{"n_best", 3.0}}).candidates, 3);
  EXPECT_FAILS(parse({{"n_best", 12}}), RequestError, "n_best parameter must be from 1 to 11");
}

TEST(OwnProtocol, AnAnswerNamesTheLanguagesOnTheWay) {
  TranslationRequest request = parse({{"text", {"a", "b"}}, {"n_best", 2}});
  const std::vector<Step> steps{{nullptr, "en", "de", "", ""}, {nullptr, "de", "fr", "", ""}};
  const json answer = own_answer(request, found({{"x", "y"}, {"z"}}), steps, false);
  EXPECT_EQ(answer.at("source"), "en");
  EXPECT_EQ(answer.at("via"), "de");
  EXPECT_EQ(answer.at("target"), "fr");
  EXPECT_FALSE(answer.contains("confidence"));
  EXPECT_EQ(answer.at("translations").at(0).at("n_best").size(), 2U);
  EXPECT_EQ(answer.at("translations").at(1).at("id"), 1);
}

}  // namespace
}  // namespace ventris::serving
