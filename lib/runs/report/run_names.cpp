#include "report/run_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <vector>

#include "report/run_state.h"

namespace ventris::report {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

using Files = std::vector<std::string>;

Files texts_of(const json& list) {
  Files files;
  for (const json& file : list.is_array() ? list : json::array()) {
    if (file.is_string()) files.push_back(file.get<std::string>());
  }
  return files;
}

Files files_of(const json& corpus) {
  Files files;
  for (const char* key : {"source", "target", "tsv", "text", "labels"}) {
    if (corpus.contains(key) && corpus[key].is_string()) files.push_back(corpus[key].get<std::string>());
  }
  return files;
}

/// The files of each training corpus.
std::vector<Files> corpora_of(const RunData& run) {
  std::vector<Files> corpora;
  if (!run.settings.is_object() || !run.settings.contains("data")) return corpora;
  const json& data = run.settings["data"];
  if (data.contains("train")) corpora.push_back(texts_of(data["train"]));
  if (data.contains("corpora") && data["corpora"].is_array()) {
    for (const json& corpus : data["corpora"]) corpora.push_back(files_of(corpus));
  }
  std::erase_if(corpora, [](const Files& files) { return files.empty(); });
  return corpora;
}

fs::path without_gz(const fs::path& path) {
  return path.extension() == ".gz" ? fs::path(path).replace_extension() : path;
}

/// The language tag that a name ends in ("train.pt_BR.gz"); empty if it ends in none.
std::string language_of(const fs::path& path) {
  constexpr std::array<std::string_view, 14> kOther{"src", "tgt", "trg", "txt", "tok", "ref", "hyp",
                                                    "spm", "bpe", "tsv", "csv", "raw", "low", "dat"};
  std::string tag = without_gz(path).extension().string();
  if (tag.empty()) return "";
  tag.erase(0, 1);
  std::ranges::replace(tag, '_', '-');
  const size_t letters = std::min(tag.find('-'), tag.size());
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  const auto may_follow = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; };
  const bool plausible = (letters == 2 || letters == 3) && tag.size() <= 12 &&
                         std::all_of(tag.begin(), tag.begin() + static_cast<std::ptrdiff_t>(letters), is_letter) &&
                         std::ranges::all_of(tag, may_follow) && !tag.ends_with('-');
  return plausible && std::ranges::find(kOther, tag) == kOther.end() ? tag : "";
}

std::string name_of_file(const fs::path& path) {
  const fs::path bare = without_gz(path).stem(), folder = path.parent_path().filename();
  return folder.empty() ? bare.string() : (folder / bare).string();
}

}  // namespace

RunNames names_of(const RunData& run) {
  const std::vector<Files> corpora = corpora_of(run);
  if (corpora.empty()) return {};
  RunNames names;
  const Files& first = corpora.front();
  names.corpus = name_of_file(first.front());
  if (corpora.size() > 1) names.corpus += fmt::format(" and {} more", corpora.size() - 1);
  if (first.size() != 2) return names;
  names.source_language = language_of(first[0]);
  names.target_language = language_of(first[1]);
  if (names.source_language.empty() || names.target_language.empty())
    names.source_language = names.target_language = "";
  return names;
}

std::string title_of(const RunData& run) {
  const RunNames names = names_of(run);
  std::string facts;
  if (!names.source_language.empty()) facts = names.source_language + " \u2192 " + names.target_language;
  if (!names.corpus.empty()) facts += (facts.empty() ? "" : ", ") + names.corpus;
  const std::string state = state_word(run);
  return run.name + (facts.empty() ? "" : ": " + facts) + (state.empty() ? "" : " (" + state + ")");
}

}  // namespace ventris::report
