#include "settings/further_corpus.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "settings/run_config.h"
#include "support/errors.h"

namespace ventris::settings {
namespace {

using nlohmann::json;

RunConfig parsed(const json& further, const json& others = json::object()) {
  json source{{"data", {{"valid", {"v.en", "v.de"}}, {"further_valid", further}}}};
  source.merge_patch(others);
  return RunConfig::parse(source);
}

json entry(const std::string& name, const std::vector<std::string>& files) {
  return {{"name", name}, {"files", files}};
}

TEST(FurtherCorpus, IsWrittenAsItWasRead) {
  const json further{entry("news", {"n.en", "n.de"}), entry("talks", {"talks.tsv"})};
  const RunConfig config = parsed(further);
  ASSERT_EQ(config.data.further_valid.size(), 2U);
  EXPECT_EQ(config.data.further_valid[0].files.target, "n.de");
  EXPECT_EQ(config.data.further_valid[1].files.target, "");
  EXPECT_EQ(config.to_json()["data"]["further_valid"], further);
}

TEST(FurtherCorpus, WithoutANameIsCalledLikeItsSourceFile) {
  const json further{{{"files", {"a/news.en.gz", "a/news.de.gz"}}},
                     {{"files", {"b/news.en", "b/news.de"}}},
                     {{"files", {"flores.dev.en", "flores.dev.de"}}},
                     {{"files", {"c/news.tsv"}}},
                     {{"files", {"plain"}}}};
  std::vector<std::string> names;
  for (const FurtherCorpus& corpus : parsed(further).data.further_valid) names.push_back(corpus.name);
  EXPECT_EQ(names, (std::vector<std::string>{"news", "news-2", "flores.dev", "news-3", "plain"}));
}

TEST(FurtherCorpus, WithoutANameLeavesTheNamesThatAreGivenToTheOthers) {
  const json further{{{"files", {"news.en", "news.de"}}}, entry("news", {"other.tsv"})};
  const RunConfig config = parsed(further);
  ASSERT_EQ(config.data.further_valid.size(), 2U);
  EXPECT_EQ(config.data.further_valid[0].name, "news-2");
  EXPECT_EQ(config.data.further_valid[1].name, "news");
}

TEST(FurtherCorpus, IsOfTheKindFromWhichTheFamilyLearns) {
  const json classifier{{"architecture", "bert-classifier"}, {"data", {{"valid", {"v.tsv"}}}}};
  EXPECT_TRUE(parsed(json::array({entry("x", {"x.tsv"})}), classifier).data.further_valid[0].files.labelled);
  EXPECT_FAILS(parsed(json::array({entry("x", {"x.en", "x.de"})}), classifier), ConfigError,
               "data.further_valid: a model of the family 'bert-classifier' learns from labelled text, which is one "
               "file; got two, x.en and x.de");
}

TEST(FurtherCorpus, ThatMakesNoSenseIsRefused) {
  EXPECT_FAILS(parsed({entry("x", {"a"}), entry("x", {"b"})}), ConfigError,
               "data.further_valid[1].name: two validation corpora are called 'x'; give them different names");
  EXPECT_FAILS(parsed(json::array({{{"name", "x"}}})), ConfigError,
               "data.further_valid[0].files: expected [source, target] or [file], got nothing");
  EXPECT_FAILS(parsed(json::array({entry("x", {"a", "b", "c"})})), ConfigError,
               "data.further_valid[0].files: expected [source, ");
  EXPECT_FAILS(parsed(json::array({{{"file", "x"}}})), ConfigError, "data.further_valid[0].file: unknown setting");
  EXPECT_FAILS(parsed(json::array({entry("x", {"a"})}), {{"data", {{"valid", json::array()}}}}), ConfigError,
               "data.further_valid: needs data.valid, the corpus that decides which model is best; move one of the "
               "corpora there");
}

}  // namespace
}  // namespace ventris::settings
