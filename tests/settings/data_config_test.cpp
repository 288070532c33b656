#include "settings/data_config.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "settings/run_config.h"

namespace ventris::settings {
namespace {

using nlohmann::json;

std::string data_error_of(const json& source) {
  try {
    RunConfig::parse(source);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(DataConfig, ReadsSeveralCorporaAndWritesThemAsTheyWere) {
  const auto source = json::parse(R"({"data": {"cache": "pairs", "corpora": [
    {"source": "a.en", "target": "a.de", "weight": 3, "line_weights": "a.w"},
    {"tsv": "b.tsv.gz", "weight": 1, "tag": "<2de>", "target_language": "de"}]}})");
  const auto config = RunConfig::parse(source);
  const auto corpora = config.data.training();
  ASSERT_EQ(corpora.size(), 2U);
  EXPECT_EQ(corpora[0].files.target, "a.de");
  EXPECT_EQ(corpora[0].line_weights, "a.w");
  EXPECT_EQ(corpora[1].files.source, "b.tsv.gz");
  EXPECT_EQ(corpora[1].files.target, "");
  EXPECT_EQ(corpora[1].tag, "<2de>");
  EXPECT_EQ(corpora[1].target_language, "de");
  EXPECT_EQ(config.data.corpora[0].weight, 3);
  EXPECT_EQ(config.to_json()["data"]["corpora"], source["data"]["corpora"]);
}

TEST(DataConfig, LanguagesAreThoseOfTheModel) {
  json settings = json::parse(R"({"data": {"source_language": "en", "corpora": [
    {"tsv": "a", "target_language": "de"}, {"tsv": "b", "source_language": "de", "target_language": "fr", "tag": "<x>"}],
    "valid": ["c"], "further_valid": [{"name": "d", "files": ["d"], "target_language": "de"}]},
    "tokenizer": {"languages": {"en": {"source_prefix": ["a"]}, "de": {"target_prefix": ["b"], "to_prefix": ["c"]}}}})");
  const auto config = RunConfig::parse(settings);
  EXPECT_EQ(config.to_json()["data"]["corpora"], settings["data"]["corpora"]);
  EXPECT_EQ(config.to_json()["data"]["further_valid"], settings["data"]["further_valid"]);
  EXPECT_EQ(most_marks(config), 2) << "one for each language before a source";
  const std::vector<std::pair<std::string, std::string>> named{{"data.source_language", "en"},
                                                               {"data.corpora[0].target_language", "de"},
                                                               {"data.corpora[1].source_language", "de"},
                                                               {"data.further_valid[0].target_language", "de"}};
  EXPECT_EQ(config.data.named_languages(), named) << "a tag tells fr";
  settings["data"]["max_length"] = 1022;
  EXPECT_EQ(data_error_of(settings),
            "data.max_length: 1022 tokens, 2 of languages and eos are over the maximum length of the model (1024)");
  settings["data"]["max_length"] = 1021;
  EXPECT_EQ(data_error_of(settings), "");
  settings["data"]["target_language"] = "sv";
  EXPECT_EQ(
      data_error_of(settings),
      "data.target_language: expected a language of the model, de, en, found 'sv'; start from a model that has it "
      "(--finetune-from), or give its corpora a tag that tells it");
  EXPECT_EQ(data_error_of({{"architecture", "transformer-nat"},
                           {"model", {{"positions", "learned"}}},
                           {"data", {{"source_language", "en"}}}}),
            "data.source_language: a model of the family 'transformer-nat' cannot be told languages in training, found "
            "'en'; leave it out");
}

TEST(DataConfig, LabelledTextIsOneFileAndOnlyForClassifiers) {
  const json corpora = json::parse(R"([{"labels": "a.tsv", "line_weights": "a.w", "weight": 2.0}])");
  const json data{{"corpora", corpora}, {"valid", {"b.tsv"}}};
  const auto config = RunConfig::parse({{"architecture", "bert-classifier"}, {"data", data}});
  EXPECT_TRUE(config.data.corpora.at(0).spec.files.labelled);
  EXPECT_TRUE(config.data.valid.labelled);
  EXPECT_FALSE(config.data.valid.running_text);
  EXPECT_EQ(config.to_json()["data"]["corpora"], corpora);
  EXPECT_EQ(data_error_of({{"data", data}}),
            "data.corpora: a model of the family 'transformer' learns from pairs (\"source\" and \"target\", or "
            "\"tsv\"); a.tsv is given as labelled text");
  EXPECT_EQ(
      data_error_of({{"architecture", "bert-classifier"}, {"data", {{"valid", {"a", "b"}}}}}),
      "data.valid: a model of the family 'bert-classifier' learns from labelled text, which is one file; got two, "
      "a and b");
  EXPECT_EQ(data_error_of({{"architecture", "bert-classifier"}, {"data", {{"corpora", {{{"text", "a"}}}}}}}),
            "data.corpora: a model of the family 'bert-classifier' learns from labelled text (\"labels\"); a is given "
            "as running text");
}

TEST(DataConfig, RefusesCorporaThatMakeNoSense) {
  const auto error = [](const char* data) { return data_error_of({{"data", json::parse(data)}}); };
  EXPECT_EQ(error(R"({"corpora": [{"tsv": "a", "wieght": 1}]})"),
            "data.corpora[0].wieght: unknown setting (did you mean 'weight'?)");
  EXPECT_EQ(error(R"({"corpora": {"tsv": "a"}})"), "data.corpora: expected a list of objects, got {\"tsv\":\"a\"}");
  EXPECT_EQ(error(R"({"corpora": ["a"]})"), "data.corpora[0]: expected an object {...}, got \"a\"");
  EXPECT_EQ(error(R"({"corpora": [{"tsv": "a", "weight": 0}]})"),
            "data.corpora[0].weight: must be over 0, got 0; leave the corpus out instead");
  for (const char* files : {R"({"source": "a"})", R"({"target": "a"})", "{}",
                            R"({"source": "a", "target": "b", "tsv": "c"})", R"({"source": "a", "tsv": "c"})"}) {
    EXPECT_EQ(error((std::string(R"({"corpora": [)") + files + "]}").c_str()),
              "data.corpora[0]: expected \"source\" and \"target\", or \"tsv\", or \"text\", or \"labels\"");
  }
  for (const char* tag : {"", "b t", "a,b", "</s>"}) {
    EXPECT_NE(error((std::string(R"({"corpora": [{"tsv": "a", "tag": ")") + tag + "\"}]}").c_str())
                  .find("data.corpora[0].tag: expected a word like <bt>"),
              std::string::npos);
  }
  EXPECT_EQ(error(R"({"corpora": [{"tsv": "a"}, {"tsv": "b", "target_language": "de"}]})"),
            "data.corpora[1].target_language: expected a language of the model, which has none, found 'de'; start from "
            "a model that has it (--finetune-from), or give its corpora a tag that tells it");
  EXPECT_EQ(
      error(
          (R"({"corpora": [{"tsv": "a", "tag": "<x>", "target_language": ")" + std::string(41, 'x') + "\"}]}").c_str()),
      "data.corpora[0].target_language: expected at most 40 bytes, got 41");
  const std::string long_tag(120'000, 't');  // SentencePiece overran its stack with it
  EXPECT_EQ(error((R"({"corpora": [{"tsv": "a", "tag": ")" + long_tag + "\"}]}").c_str()),
            "data.corpora[0].tag: expected at most 512 bytes, got 120000");
  EXPECT_EQ(error((R"({"corpora": [{"tsv": "a", "tag": ")" + long_tag.substr(0, 512) + "\"}]}").c_str()), "");
  EXPECT_EQ(error(R"({"corpora": [{"tsv": "a", "weight": 2}, {"tsv": "b"}]})"),
            "data.corpora: 1 of 2 corpora have a weight; give a weight to all or none of them");
  EXPECT_EQ(
      error(R"({"corpora": [{"tsv": "a", "weight": 2}, {"tsv": "b", "weight": 1}], "temperature": 5})"),
      "data.temperature: is 5, but the corpora have weights, which already set their shares; leave one of them out");
  EXPECT_EQ(error(R"({"train": ["a"], "corpora": [{"tsv": "b"}]})"),
            "data: both train and corpora are given; put all corpora into data.corpora");
  EXPECT_EQ(error(R"({"corpora": [{"tsv": "-"}, {"tsv": "-"}]})"),
            "data.corpora: standard input (-) can be read only once");
  EXPECT_NE(error(R"({"temperature": 0})").find("data.temperature: must be at least"), std::string::npos);
  EXPECT_NE(
      data_error_of({{"tokenizer", {{"sampling_alpha", 1.5}}}}).find("tokenizer.sampling_alpha: must be at most 1"),
      std::string::npos);
  EXPECT_NE(data_error_of({{"tokenizer", {{"sample", "sauce"}}}}).find("did you mean 'source'"), std::string::npos);
}

TEST(DataConfig, ATranslationMemoryIsNamedWithItsLanguages) {
  const json source{{"corpora", {{{"tsv", "m.tmx:en:de"}}}}, {"valid", {"v.tmx.gz:en:de"}}};
  const RunConfig config = RunConfig::parse({{"data", source}});
  EXPECT_EQ(config.data.corpora.at(0).spec.files.source, "m.tmx");
  EXPECT_EQ(config.data.valid.source, "v.tmx.gz");
  EXPECT_EQ(config.data.valid.languages.target, "de");
  const json written = config.to_json();
  EXPECT_EQ(written["data"]["corpora"], source["corpora"]);
  EXPECT_EQ(written["data"]["valid"], source["valid"]);
}

TEST(DataConfig, ContextHasDocumentsAndASeparator) {
  const auto source = json::parse(R"({"data": {"context": {"sentences": 2, "sides": "both", "single": 0.1},
    "corpora": [{"source": "a.en", "target": "a.de", "documents": "a.ids"}]}})");
  const auto config = RunConfig::parse(source);
  EXPECT_EQ(config.data.training().at(0).documents, "a.ids");
  EXPECT_EQ(config.data.context.sentences, 2);
  EXPECT_EQ(config.data.context.sides, data::ContextSides::kBoth);
  EXPECT_EQ(config.data.context.separator, "<sep>");
  EXPECT_EQ(config.to_json()["data"]["corpora"], source["data"]["corpora"]);
  const auto error = [](const char* data) { return data_error_of({{"data", json::parse(data)}}); };
  EXPECT_EQ(error(R"({"corpora": [{"tsv": "a", "documents": "b"}]})"),
            "data.corpora: documents have an effect only with context; set data.context.sentences to 1 or more, or "
            "leave them out");
  EXPECT_EQ(error(R"({"context": {"sentences": 1, "separator": "a b"}})"),
            "data.context.separator: expected a word like <sep>, without spaces and commas, of at most 512 bytes, got "
            "'a b'");
  EXPECT_NE(error(R"({"context": {"sentences": 1001}})").find("data.context.sentences: must be"), std::string::npos);
  EXPECT_NE(error(R"({"context": {"single": 1}})").find("data.context.single: must be under 1"), std::string::npos);
}

}  // namespace
}  // namespace ventris::settings
