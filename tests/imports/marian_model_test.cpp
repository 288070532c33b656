#include "imports/marian_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "architecture/transformer_options.h"
#include "core/error.h"
#include "decoding/search.h"
#include "engine/factory.h"
#include "files/files.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using Ids = std::vector<int32_t>;

const std::string kMarianFiles = VENTRIS_SOURCE "/tests/imports/data/marian/";

const architecture::TransformerOptions& settings_of(const Imported& imported) {
  return dynamic_cast<const architecture::TransformerArchitecture&>(*imported.package.config.architecture).options;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream all(text);
  return {std::istream_iterator<std::string>(all), {}};
}

/// Compares an imported model with what Marian computes.
class MarianComparison {
 public:
  explicit MarianComparison(const Imported& imported, bool pieces)
      : pieces_(pieces),
        source_(imported.package.source_spm, "source"),
        target_(imported.package.target_spm, "target"),
        scorers_(engine::make_factory(imported.package.config, model::Safetensors::parse(imported.weights, "weights"),
                                      {})) {}

  /// The log-probability of a translation, given as tokens of Marian separated by spaces.
  double score(const std::string& source, const std::string& tokens) const {
    const Ids ids = source_ids(source), target = target_ids(tokens);
    const bool ends = target.size() < 3 * ids.size() - 3;  // Marian cuts longer ones
    const std::vector<decoding::Pair> pairs{{ids, target, ends}};
    const std::vector<float> found = scorers_->make_pair_scorer()->answer(pairs, {})[0].log_probs;
    return std::accumulate(found.begin(), found.end(), 0.0);
  }
  /// Marian cuts long translations elsewhere; then only so many ids as it has are compared.
  void check_search(const std::string& source, int beam, const std::string& tokens) const {
    const Ids expected = target_ids(tokens);
    Ids found = search(source, beam);
    if (expected.size() + 3 >= 3 * source_ids(source).size()) found.resize(std::min(found.size(), expected.size()));
    EXPECT_EQ(found, expected) << "beam " << beam;
  }
  Ids search(const std::string& source, int beam) const {
    decoding::Sentence sentence;
    sentence.source = source_ids(source);
    decoding::SearchOptions options;
    options.beam_size = beam;
    options.length_alpha = 0;
    return decoding::search(*scorers_->make(), std::span(&sentence, 1), options)[0][0].ids;
  }
  Ids target_ids(const std::string& tokens) const {
    Ids ids;
    for (const std::string& token : words_of(tokens)) ids.push_back(target_.id_of((pieces_ ? "" : "\u2581") + token));
    return ids;
  }

 private:
  Ids source_ids(const std::string& text) const {
    Ids ids = source_.encode(text);
    ids.push_back(core::SpecialIds().eos);
    return ids;
  }

  bool pieces_;
  text::Tokenizer source_, target_;
  std::unique_ptr<decoding::ScorerFactory> scorers_;
};

Imported import_file(const std::string& name) {
  static const json kExpected = json::parse(files::read_file(kMarianFiles + "expected.json"));
  MarianVocabularyFiles files;
  for (const std::string vocabulary : kExpected.at(fs::path(name).stem()).at("vocabularies")) {
    (vocabulary.ends_with(".yml") ? files.vocabularies : files.tokenizers).push_back(kMarianFiles + vocabulary);
  }
  return from_marian_file(kMarianFiles + name, files);
}

class MarianFile : public testing::TestWithParam<std::string> {};

TEST_P(MarianFile, ScoresAndSearchAreThoseOfMarian) {
  const json expected = json::parse(files::read_file(kMarianFiles + "expected.json"));
  const std::string name = fs::path(GetParam()).stem();
  const MarianComparison comparison(import_file(GetParam()), name.starts_with("ssru") || name == "rms");
  for (const json& row : expected.at(name).at("rows")) {
    const std::string source = row.at("source");
    SCOPED_TRACE(source);
    for (const json& one : row.at("hypotheses")) {
      EXPECT_NEAR(comparison.score(source, one.at("tokens")), one.at("score").get<double>(), 1e-4) << one;
    }
    if (!row.contains("greedy")) continue;
    comparison.check_search(source, 1, row.at("greedy"));
    comparison.check_search(source, 4, row.at("hypotheses")[0].at("tokens"));
  }
}

TEST_P(MarianFile, TheBundleCanBeWrittenAndOpened) {
  const Imported imported = import_file(GetParam());
  const test::TempFolder folder;
  model::write_bundle(folder.path("bundle"), imported.package, imported.weights);
  EXPECT_NO_THROW(model::read_bundle(folder.path("bundle")));
}

INSTANTIATE_TEST_SUITE_P(Files, MarianFile,
                         testing::Values("post.npz", "pre.npz", "positions.npz", "layers.npz", "ssru.bin",
                                         "ssru_int8.bin", "ssru_bergamot.bin", "ssru_half.npz", "rms.npz"));

/// The models in the folder of fixtures, which are not part of this repository, with lists of the best translations.
class TrainedMarian : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  static std::string fixtures() {
    const char* given = std::getenv("VENTRIS_FIXTURES");
    return (given != nullptr ? given : VENTRIS_SOURCE "/../shared/fixtures") + std::string("/marian/");
  }
  static MarianVocabularyFiles vocabulary(bool pieces) {
    MarianVocabularyFiles files;
    (pieces ? files.tokenizers : files.vocabularies).push_back(fixtures() + (pieces ? "vs.spm" : "v.yml"));
    return files;
  }
};

TEST_P(TrainedMarian, ScoresAreThoseOfMarian) {
  const auto [model, list] = GetParam();
  if (!fs::exists(fixtures())) GTEST_SKIP() << fixtures() << ": does not exist; VENTRIS_FIXTURES names the folder";
  const bool pieces = std::string(model).starts_with("b64");
  const MarianComparison comparison(from_marian_file(fixtures() + model, vocabulary(pieces)), pieces);
  std::istringstream lines(files::read_file(fixtures() + list));
  std::string source;
  int compared = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("SRC ")) source = line.substr(4);
    const size_t begin = line.find("||| "), end = line.find(" ||| F0= ");
    if (begin == std::string::npos || end == std::string::npos) continue;
    const std::string text = end > begin + 4 ? line.substr(begin + 4, end - begin - 4) : "";
    std::string tokens = text;
    if (pieces) {
      tokens.clear();
      for (const std::string& word : words_of(text)) tokens += "\u2581" + word + " ";
    }
    const double expected_score = std::stod(line.substr(end + 9));
    EXPECT_NEAR(comparison.score(source, tokens), expected_score, 1e-4 - 5e-6 * expected_score)
        << source << ": " << text;
    ++compared;
  }
  EXPECT_EQ(compared, 20);
}

INSTANTIATE_TEST_SUITE_P(Models, TrainedMarian,
                         testing::Values(std::pair("post.npz", "post.nbest"), std::pair("post-f.bin", "post-f.nbest"),
                                         std::pair("ssru.npz", "ssru.nbest"), std::pair("s64.npz", "s64.nbest"),
                                         std::pair("b64.npz", "b64.nbest"), std::pair("b64-f.bin", "b64.nbest")));

TEST(MarianSettingsOfModels, AreThoseOfTheFile) {
  const Imported post = import_file("post.npz");
  EXPECT_THAT(post.what, HasSubstr("a Transformer of Marian (version v1.12"));
  EXPECT_EQ(settings_of(post).norm, architecture::NormPlace::kPost);
  EXPECT_EQ(settings_of(post).activation, architecture::Activation::kSilu);
  EXPECT_EQ(settings_of(post).tying, architecture::Tying::kAll);
  EXPECT_EQ(settings_of(post).positions, architecture::Positions::kHalvedSinusoidal);
  EXPECT_TRUE(settings_of(post).zero_start);
  EXPECT_EQ(settings_of(post).max_positions, 1024);
  EXPECT_EQ(settings_of(post).norm_epsilon, 1e-6);
  EXPECT_THAT(
      post.notes,
      Contains(HasSubstr("the longest sentence has 1024 tokens (model.max_positions), while Marian has no limit")));
  EXPECT_THAT(post.notes, Contains(HasSubstr("a text must be tokens separated by spaces")));
  const Imported pre = import_file("pre.npz");
  EXPECT_EQ(settings_of(pre).norm, architecture::NormPlace::kPre);
  EXPECT_EQ(settings_of(pre).activation, architecture::Activation::kGelu);
  EXPECT_EQ(settings_of(pre).tying, architecture::Tying::kDecoder);
  EXPECT_TRUE(settings_of(pre).embedding_norm);
  EXPECT_THAT(pre.notes, Contains(HasSubstr("gelu is exact, as the version of Marian is v1.12")));
  EXPECT_THAT(pre.notes, Contains(HasSubstr("translations differ from those of marian-decoder")));
  const Imported ssru = import_file("ssru_bergamot.bin");
  EXPECT_TRUE(settings_of(ssru).has_ssru());
  EXPECT_EQ(settings_of(ssru).d_ff, 32);
  EXPECT_TRUE(ssru.package.config.tokenizer.shared);
  EXPECT_THAT(ssru.notes, Contains(HasSubstr("weights in 8 bits were made 32-bit floats again")));
  EXPECT_THAT(ssru.what, HasSubstr(", int8)"));
  const Imported rms = import_file("rms.npz");
  EXPECT_EQ(settings_of(rms).norm_kind, architecture::NormKind::kRms);
  EXPECT_THAT(rms.notes, testing::Not(Contains(HasSubstr("translations differ")))) << "an SSRU has no keys";
  const Imported positions = import_file("positions.npz");
  EXPECT_TRUE(settings_of(positions).scale_embeddings) << "Marian ignores transformer-train-position-embeddings";
  EXPECT_TRUE(settings_of(positions).final_norm);
  EXPECT_EQ(settings_of(positions).tying, architecture::Tying::kNone);
  EXPECT_THAT(positions.notes, Contains("alignments are not taken from layer 1 (transformer-guided-alignment-layer)"));
}

}  // namespace
}  // namespace ventris::imports
