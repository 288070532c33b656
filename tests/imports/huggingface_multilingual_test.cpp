#include "imports/huggingface_multilingual.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "decoding/search.h"
#include "engine/factory.h"
#include "files/files.h"
#include "imports/damage.h"
#include "imports/import_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using MultilingualIds = std::vector<int32_t>;

std::string multilingual_data(const std::string& name) { return VENTRIS_SOURCE "/tests/imports/data/" + name; }

/// A model of make_multilingual_expected.py, and what transformers computes with it.
class MultilingualFolderTest : public testing::TestWithParam<std::string> {
 protected:
  MultilingualFolderTest()
      : imported_(from_multilingual_folder(multilingual_data(GetParam()))),
        tokenizer_(imported_.package.source_spm, "source"),
        expected_(json::parse(files::read_file(multilingual_data(GetParam()) + "/expected.json"))) {}

  std::unique_ptr<decoding::ScorerFactory> scorers() const {
    return engine::make_factory(imported_.package.config, model::Safetensors::parse(imported_.weights, "weights"), {});
  }
  /// The new id of a row: <s> is row 0, <pad> 1, </s> 2 and <unk> 3; it is not special here, but a token like others.
  static MultilingualIds ids_of(const json& rows) {
    MultilingualIds ids;
    for (const json& row : rows) {
      const auto number = row.get<int32_t>();
      ids.push_back(number == 0 ? 4 : number == 1 ? 0 : number == 2 ? 3 : number == 3 ? 1 : number + 1);
    }
    return ids;
  }
  const model::LanguageTokens& language(const char* side) const {
    return imported_.package.config.tokenizer.languages.at(expected_.at(side).get<std::string>());
  }
  int32_t only_id(const std::vector<std::string>& pieces) const {
    EXPECT_EQ(pieces.size(), 1U);
    return tokenizer_.id_of(pieces.at(0));
  }

  Imported imported_;
  text::Tokenizer tokenizer_;
  json expected_;
};

TEST_P(MultilingualFolderTest, TokenizersAndLanguagesGiveTheIdsOfTransformers) {
  for (const json& line : expected_.at("lines")) {
    for (const auto& [text, rows, side] :
         {std::tuple("source", "ids", "source_language"), {"target", "target_ids", "target_language"}}) {
      MultilingualIds ids = tokenizer_.encode(line.at(text).get<std::string>());
      const bool source = std::string_view(text) == "source";
      ids.insert(ids.begin(), only_id(source ? language(side).source_prefix : language(side).target_prefix));
      ids.push_back(3);
      EXPECT_EQ(ids, ids_of(line.at(rows))) << line.at(text);
    }
  }
}

TEST_P(MultilingualFolderTest, LogProbabilitiesAreThoseOfTransformers) {
  const auto scorer = scorers()->make_pair_scorer();
  for (const json& line : expected_.at("lines")) {
    MultilingualIds target = ids_of(line.at("target_ids"));
    target.pop_back();
    const MultilingualIds source = ids_of(line.at("ids"));
    const std::vector<decoding::Pair> pairs{{source, target}};
    const auto answers = scorer->answer(pairs, {});
    const auto expected = line.at("log_probs").get<std::vector<float>>();
    ASSERT_EQ(answers[0].log_probs.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(answers[0].log_probs[i], expected[i], 2e-5);
  }
}

TEST_P(MultilingualFolderTest, GreedyAndBeamSearchWriteTheTokensOfTransformers) {
  constexpr size_t kMost = 29;
  const auto scorer = scorers()->make();
  for (const json& line : expected_.at("lines")) {
    decoding::Sentence sentence;
    sentence.source = ids_of(line.at("ids"));
    for (const auto& [name, beam] : {std::pair("greedy", 1), std::pair("beam", 4)}) {
      MultilingualIds expected = ids_of(line.at(name));
      const bool cut = expected.size() == kMost;
      if (cut && beam > 1) continue;
      sentence.prefix = {expected.front()};
      sentence.given = 1;
      expected.erase(expected.begin());
      decoding::SearchOptions options;
      options.beam_size = beam;
      options.max_length_factor = 100;
      options.longest = kMost;
      scorer->reset();
      MultilingualIds found = decoding::search(*scorer, std::span(&sentence, 1), options)[0][0].ids;
      if (!cut) expected.pop_back();
      if (cut) found.resize(expected.size());
      EXPECT_EQ(found, expected) << name << ": " << line.at("source");
    }
  }
}

TEST_P(MultilingualFolderTest, TokensOfLanguagesAreNoText) {
  const int32_t id = only_id(language("target_language").target_prefix);
  MultilingualIds ids = tokenizer_.encode("the old man");
  ids.insert(ids.begin() + 1, id);
  EXPECT_EQ(tokenizer_.decode(ids), "the old man");
}

TEST_P(MultilingualFolderTest, TheBundleCanBeWrittenAndOpened) {
  const test::TempFolder folder;
  model::write_bundle(folder.path("bundle"), imported_.package, imported_.weights);
  const model::Bundle bundle = model::read_bundle(folder.path("bundle"));
  EXPECT_EQ(bundle.package.config.decoding.beam_size, 5);
  EXPECT_TRUE(bundle.package.config.tokenizer.shared);
  EXPECT_EQ(bundle.package.config.tokenizer.languages, imported_.package.config.tokenizer.languages);
}

TEST_P(MultilingualFolderTest, ADamagedFolderIsRefusedOrImported) {
  check_damaged_folders(multilingual_data(GetParam()), [](const std::string& folder) {
    EXPECT_FALSE(from_multilingual_folder(folder).weights.empty());
  });
}

INSTANTIATE_TEST_SUITE_P(Models, MultilingualFolderTest, testing::Values("m2m100", "nllb", "mbart50"));

/// A copy of a folder that a test changes.
class ChangedMultilingualFolder : public testing::Test {
 protected:
  std::string copy(const std::string& name) const {
    const std::string path = folder.path(name);
    fs::copy(multilingual_data(name), path, fs::copy_options::recursive);
    for (const auto& entry : fs::directory_iterator(path)) fs::permissions(entry, fs::perms::owner_all);
    return path;
  }
  static void set(const std::string& file, const std::string& key, const json& value) {
    json object = json::parse(files::read_file(file));
    object[key] = value;
    files::write_file(file, object.dump());
  }
  static void expect_refused(const std::string& path, const std::string& part) {
    EXPECT_FAILS(from_multilingual_folder(path), ModelError, part);
  }

  test::TempFolder folder;
};

TEST_F(ChangedMultilingualFolder, AnOlderNllbHasItsLanguageAfterTheSource) {
  const std::string path = copy("nllb");
  set(path + "/tokenizer_config.json", "legacy_behaviour", true);
  const auto languages = from_multilingual_folder(path).package.config.tokenizer.languages;
  EXPECT_EQ(languages.at("eng_Latn").source_suffix, std::vector<std::string>{"eng_Latn"});
  EXPECT_TRUE(languages.at("eng_Latn").source_prefix.empty());
  EXPECT_EQ(languages.at("eng_Latn").target_prefix, std::vector<std::string>{"eng_Latn"});
}

TEST_F(ChangedMultilingualFolder, LanguagesWithoutRowsFollowTheOtherTokens) {
  const std::string path = copy("nllb");
  const Imported before = from_multilingual_folder(path);
  set(path + "/tokenizer_config.json", "added_tokens_decoder", json::object());
  fs::remove(path + "/added_tokens.json");
  const Imported after = from_multilingual_folder(path);
  EXPECT_EQ(after.package.config.tokenizer.languages, before.package.config.tokenizer.languages);
  set(path + "/tokenizer_config.json", "additional_special_tokens", json::array());
  fs::remove(path + "/special_tokens_map.json");
  expect_refused(path, "has no tokens of languages; expected them in tokenizer.json");
}

TEST_F(ChangedMultilingualFolder, OtherModelsAndFilesAreNamed) {
  const std::string mbart = copy("mbart50"), nllb = copy("nllb"), m2m = copy("m2m100");
  const std::string settings = mbart + "/tokenizer_config.json";
  set(settings, "tokenizer_class", "MBartTokenizer");
  expect_refused(mbart,
                 "expected a tokenizer_config.json or config.json with \"tokenizer_class\" MBart50Tokenizer, "
                 "found 'MBartTokenizer'; of the mBART models, only mBART-50 can be imported");
  set(nllb + "/config.json", "vocab_size", 20);
  expect_refused(nllb, "sentencepiece.bpe.model: expected at most 19 pieces as in config.json, found");
  files::write_file(nllb + "/sentencepiece.bpe.model",
                    files::read_file(multilingual_data("marian_shared") + "/source.spm"));
  set(m2m + "/config.json", "vocab_size", 150);
  expect_refused(m2m, "' has row 150, but vocab_size is 150");
  json vocab = json::parse(files::read_file(m2m + "/vocab.json"));
  vocab.erase("<unk>");
  set(m2m + "/config.json", "vocab_size", 213);
  files::write_file(m2m + "/vocab.json", vocab.dump());
  expect_refused(m2m, "has no token <unk>");
}

TEST_F(ChangedMultilingualFolder, AddedTokensMustHaveTextsAndRows) {
  const std::string path = copy("nllb");
  set(path + "/tokenizer_config.json", "added_tokens_decoder", {{"99999999", {{"content", "fra_Latn"}}}});
  expect_refused(path, "an added token 'fra_Latn': expected a text and a row from 0 to");
}

TEST_F(ChangedMultilingualFolder, FilesOfTheTokenizerMustBeObjects) {
  const std::string path = copy("nllb");
  for (const char* name : {"tokenizer_config.json", "added_tokens.json"}) {
    const std::string file = path + "/" + name, before = files::read_file(file);
    for (const char* text : {"[]", "3", "\"x\"", "null"}) {
      files::write_file(file, text);
      expect_refused(path, std::string(name) + ": expected a JSON object, found another value");
    }
    files::write_file(file, before);
  }
}

TEST_F(ChangedMultilingualFolder, PartsOfTheWeightsMustBeThere) {
  const std::string path = copy("nllb"), index = path + "/model.safetensors.index.json";
  const std::string whole = files::read_file(index);
  json changed = json::parse(whole);
  const auto refused_with = [&](const json& file, const std::string& part) {
    changed["weight_map"]["model.shared.weight"] = file;
    files::write_file(index, changed.dump());
    expect_refused(path, part);
  };
  const std::string named = "expected the name of a .safetensors or .bin file of the same folder";
  refused_with("../model.safetensors", named);
  refused_with("config.json", named);
  refused_with(7, named);
  refused_with("other.safetensors", "other.safetensors: does not exist, but " + index + " lists it");
  const json places = json::parse(whole).at("weight_map");
  const std::string own = places.at("model.shared.weight");
  for (const json& other : places) {
    if (other != own) refused_with(other, "has no tensor 'model.shared.weight', but " + index + " says so");
  }
  files::write_file(index, "{}");
  expect_refused(path, "expected an object with \"weight_map\", the file of each tensor");
  files::write_file(index, whole);
  EXPECT_NO_THROW(from_multilingual_folder(path));
}

TEST_F(ChangedMultilingualFolder, TheProgramFindsOutWhatItIs) {
  EXPECT_EQ(import_model({multilingual_data("m2m100")}).what, "an M2M-100 of Hugging Face's transformers");
  EXPECT_EQ(import_model({multilingual_data("nllb")}).what, "an NLLB of Hugging Face's transformers");
  EXPECT_EQ(import_model({multilingual_data("mbart50")}).what, "an mBART-50 of Hugging Face's transformers");
  EXPECT_FAILS(import_model({.model = multilingual_data("nllb"), .tokenizer = "text.spm"}), ConfigError,
               "--tokenizer: an M2M-100 or NLLB has its tokenizers in its folder; leave it out");
}

}  // namespace
}  // namespace ventris::imports
