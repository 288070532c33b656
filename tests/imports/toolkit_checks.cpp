#include "imports/toolkit_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "decoding/search.h"
#include "engine/encoder_factory.h"
#include "engine/factory.h"
#include "exports/stored_zip.h"
#include "files/files.h"
#include "model/zip_archive.h"
#include "support/temp_folder.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

using nlohmann::json;
using Ids = std::vector<int32_t>;

constexpr float kMostDifference = 5e-5F;

/// What a script has written.
class Expected {
 public:
  explicit Expected(const std::string& folder)
      : found_(json::parse(files::read_file(toolkit_data(folder) + "/expected.json"))) {
    source_ = new_ids("source");
    target_ = new_ids("target");
  }

  const json& lines() const { return found_.at("lines"); }
  bool source_eos() const { return found_.at("source_eos"); }
  int64_t longest() const { return found_.at("longest"); }
  Ids source(const json& rows) const { return ids_of(source_, rows); }
  Ids target(const json& rows) const { return ids_of(target_, rows); }

 private:
  /// The new id of each row: special ones first, then the others in their order.
  Ids new_ids(const char* side) const {
    const json& tokens = found_.at("tokens");
    const auto row_of = [&](const char* name) { return tokens.at(name).get<int32_t>(); };
    const bool starts = row_of("start") == row_of("bos");
    Ids ids;
    int32_t next = 4;
    for (int32_t row = 0; row < std::ssize(tokens.at(side)); ++row) {
      ids.push_back(row == row_of("pad")             ? 0
                    : row == row_of("unk")           ? 1
                    : starts && row == row_of("bos") ? 2
                    : row == row_of("eos")           ? 3
                                                     : next++);
    }
    return ids;
  }
  static Ids ids_of(const Ids& new_ids, const json& rows) {
    Ids ids;
    for (const json& row : rows) ids.push_back(new_ids.at(row.get<size_t>()));
    return ids;
  }

  json found_;
  Ids source_, target_;
};

/// Writes a copy of a file of torch.save with a changed pickle.
std::string with_pickle(const test::TempFolder& folder, const std::string& path,
                        const std::function<void(std::string& pickle)>& change) {
  exports::StoredZip zip;
  auto entries = model::ZipArchive::open(path, path, model::ZipArchive::all).entries;
  change(entries.at("data.pkl"));
  for (const auto& [name, bytes] : entries) zip.add("model/" + name, bytes);
  const std::string changed = folder.path("changed.pt");
  files::write_file(changed, std::move(zip).finish());
  return changed;
}

std::unique_ptr<decoding::ScorerFactory> scorers_of(const Imported& imported) {
  return engine::make_factory(imported.package.config, model::Safetensors::parse(imported.weights, "weights"),
                              {engine::Precision::kF32});
}

}  // namespace

std::string changed_zip(const test::TempFolder& folder, const std::string& path, const std::string& old_part,
                        const std::string& new_part) {
  return with_pickle(folder, path, [&](std::string& pickle) {
    const size_t at = pickle.find(old_part);
    if (at == std::string::npos) return ADD_FAILURE() << "the pickle has no " << old_part, void();
    pickle.replace(at, old_part.size(), new_part);
  });
}

std::string changed_value(const test::TempFolder& folder, const std::string& path, const std::string& key,
                          const std::string& value) {
  return with_pickle(folder, path, [&](std::string& pickle) {
    const std::string name = pickled_text(key);
    size_t at = pickle.find(name);
    if (at == std::string::npos) return ADD_FAILURE() << "the pickle has no " << key, void();
    at += name.size();
    at += pickle[at] == 'q' ? 2 : pickle[at] == 'r' ? 5 : 0;  // it is kept to be used again
    const size_t size = pickle[at] == 'K' ? 2 : pickle[at] == 'M' ? 3 : pickle[at] == 'J' ? 5 : 1;
    pickle.replace(at, size, value);
  });
}

std::string pickled_text(const std::string& text) {
  return "X" + std::string{static_cast<char>(text.size()), 0, 0, 0} + text;
}

std::string toolkit_data(const std::string& name) { return VENTRIS_SOURCE "/tests/imports/data/" + name; }

const architecture::TransformerOptions& transformer_in(const Imported& imported) {
  return dynamic_cast<const architecture::TransformerArchitecture&>(*imported.package.config.architecture).options;
}

void check_tokens(const Imported& imported, const std::string& folder) {
  const Expected expected(folder);
  const text::Tokenizer source(imported.package.source_spm, "source"), target(imported.package.target_spm, "target");
  EXPECT_EQ(imported.package.config.tokenizer.source_eos, expected.source_eos());
  for (const json& line : expected.lines()) {
    Ids ids = source.encode(line.at("source").get<std::string>());
    if (expected.source_eos()) ids.push_back(3);
    EXPECT_EQ(ids, expected.source(line.at("ids"))) << line.at("source");
    ids = target.encode(line.at("target").get<std::string>());
    ids.push_back(3);
    EXPECT_EQ(ids, expected.target(line.at("target_ids"))) << line.at("target");
  }
}

void check_states(const Imported& imported, const std::string& folder) {
  const Expected expected(folder);
  const auto encoder =
      engine::make_text_encoders(imported.package.config, model::Safetensors::parse(imported.weights, "weights"),
                                 engine::Precision::kF32)
          ->make_encoder();
  const auto width = static_cast<std::ptrdiff_t>(encoder->info().width);
  for (const json& line : expected.lines()) {
    const Ids ids = expected.source(line.at("ids"));
    const std::vector<std::span<const int32_t>> texts{ids};
    const std::span<const float> all = encoder->states(texts, {});
    std::vector<float> found(all.begin(), all.begin() + width);  // first and last token
    found.insert(found.end(), all.end() - width, all.end());
    EXPECT_THAT(found,
                testing::Pointwise(testing::FloatNear(kMostDifference), line.at("states").get<std::vector<float>>()));
  }
}

void check_log_probs(const Imported& imported, const std::string& folder) {
  const Expected expected(folder);
  const auto factory = scorers_of(imported);
  const auto scorer = factory->make_pair_scorer();
  for (const json& line : expected.lines()) {
    Ids target = expected.target(line.at("target_ids"));
    target.pop_back();
    const Ids source = expected.source(line.at("ids"));
    const std::vector<decoding::Pair> pairs{{source, target}};
    const auto found = scorer->answer(pairs, {})[0].log_probs;
    EXPECT_THAT(std::vector<float>(found.begin(), found.end()),
                testing::Pointwise(testing::FloatNear(kMostDifference), line.at("log_probs").get<std::vector<float>>()))
        << line.at("source");
  }
}

void check_searches(const Imported& imported, const std::string& folder) {
  const Expected expected(folder);
  const auto factory = scorers_of(imported);
  const auto scorer = factory->make();
  for (const json& line : expected.lines()) {
    decoding::Sentence sentence;
    sentence.source = expected.source(line.at("ids"));
    for (const auto& [name, beam] : {std::pair("greedy", 1), std::pair("beam", 4)}) {
      Ids wanted = expected.target(line.at(name));
      if (wanted.back() == 3) wanted.pop_back();
      decoding::SearchOptions options;
      options.beam_size = beam;
      options.max_length_factor = 100;
      options.longest = expected.longest();
      scorer->reset();
      EXPECT_EQ(decoding::search(*scorer, std::span(&sentence, 1), options)[0][0].ids, wanted)
          << name << ": " << line.at("source");
    }
  }
}

void check_bundle(const Imported& imported) {
  const test::TempFolder folder;
  model::write_bundle(folder.path("bundle"), imported.package, imported.weights);
  const model::Bundle bundle = model::read_bundle(folder.path("bundle"));
  EXPECT_EQ(bundle.package.config.tokenizer.source_eos, imported.package.config.tokenizer.source_eos);
}

}  // namespace ventris::imports
