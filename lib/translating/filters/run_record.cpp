#include "filters/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/human.h"
#include "core/process.h"
#include "files/files.h"
#include "filters/json_lines.h"

namespace ventris::filters {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr size_t kBlockBytes = 1 << 20;
constexpr const char* kFormat = "record version";

constexpr const char* kStrict = "strict";

/// Settings that decide how fast the output is made, or where; those whose files are compared instead; and whether a
/// line that is not valid UTF-8 is an error.
const std::vector<std::string> kWithoutEffect{"model",  "input",      "output",  "force_prefix", "shortlist",
                                              "terms",  "mini_batch", "threads", "maxi_batch",   "mini_batch_words",
                                              "resume", kStrict};
constexpr const char* kInput = "input";
constexpr const char* kPrefixes = "file of force_prefix";

/// Files other than the input and the models that decide the output, by their settings; "" = none is given.
std::vector<std::pair<std::string, std::string>> further_files(const TranslateSettings& settings) {
  return {
      {"force_prefix", settings.force_prefix}, {"shortlist", settings.shortlist.lexicon}, {"terms", settings.terms}};
}

/// The size and the checksum of a file.
std::string digest_of(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string block(kBlockBytes, '\0');
  int64_t size = 0;
  uint32_t crc = 0;
  while (file) {
    core::throw_if_stopped(path);
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    const std::string_view read(block.data(), static_cast<size_t>(file.gcount()));
    crc = files::crc32(read, crc);
    size += file.gcount();
  }
  if (!file.eof())
    fail<DataError>(path, ": cannot be read", errno != 0 ? ": " : "", errno != 0 ? std::strerror(errno) : "");
  return fmt::format("{} bytes, crc32 {:08x}", core::grouped(size), crc);
}

/// Of a folder, its MANIFEST is compared: it has the checksums of all files, which were checked.
std::string digest_of_model(const std::string& path) {
  std::error_code ignored;
  return digest_of(fs::is_directory(path, ignored) ? path + "/MANIFEST" : path);
}

/// The parts of a list that are files.
std::vector<std::string> files_in(const std::string& list) {
  std::vector<std::string> found;
  std::istringstream parts(list);
  std::error_code ignored;
  for (std::string part; std::getline(parts, part, ',');) {
    if (fs::is_regular_file(part, ignored)) found.push_back(part);
  }
  return found;
}

}  // namespace

bool can_be_resumed(const TranslateSettings& settings) {
  std::error_code ignored;
  const bool is_document =
      settings.document.markup != markup::Markup::kNone && settings.input_format == InputFormat::kText;
  const auto further = further_files(settings);
  const bool again =
      fs::is_regular_file(settings.input, ignored) && std::ranges::all_of(further, [&](const auto& file) {
        return file.second.empty() || fs::is_regular_file(file.second, ignored);
      });
  const bool to_file = !fs::exists(settings.output, ignored) || fs::is_regular_file(settings.output, ignored);
  return settings.output != "-" && again && to_file && !is_document;
}

ordered_json record_of(const TranslateSettings& settings) {
  ordered_json record = ordered_json::object();
  record[kFormat] = 1;
  record["version of Ventris"] = core::version();
  record[kInput] = digest_of(settings.input);
  int model = 0;
  for (const std::string& path : settings.model.paths) {
    const std::string number = settings.model.paths.size() > 1 ? " " + std::to_string(++model) : "";
    record["model" + number] = digest_of_model(path);
  }
  for (const auto& [name, path] : further_files(settings)) {
    if (!path.empty()) record["file of " + name] = digest_of(path);
  }
  for (const std::string& path : files_in(settings.document.placeholders)) {
    record["file of placeholders " + path] = digest_of(path);
  }
  const nlohmann::json all = settings.to_json();
  for (const auto& [key, value] : all.items()) {
    if (std::ranges::find(kWithoutEffect, key) == kWithoutEffect.end()) record[key] = value;
  }
  return ordered_json::parse(to_line(record));  // as it is read back; a path may have bytes that are not UTF-8
}

std::string record_name(const std::string& partial) { return partial + ".json"; }

bool differs_only_in_input(const ordered_json& before, const ordered_json& now) {
  ordered_json same_input = before;
  for (const char* key : {kInput, kPrefixes}) {
    if (before.contains(key) && now.contains(key)) same_input[key] = now[key];
  }
  return difference(same_input, now).empty();
}

std::string difference(const ordered_json& before, const ordered_json& now) {
  const auto shown = [](const ordered_json& record, const std::string& key) {
    if (!record.contains(key)) return std::string("none");
    return record[key].is_string() ? record[key].get<std::string>() : record[key].dump();
  };
  for (const ordered_json* record : {&now, &before}) {
    for (const auto& [key, value] : record->items()) {
      if (key == kFinishedInput || key == kStrict) continue;  // the records of older versions have the second
      if (before.contains(key) && now.contains(key) && before[key] == now[key]) continue;
      return fmt::format("another {} ({} at the start, now {})", key, shown(before, key), shown(now, key));
    }
  }
  return "";
}

}  // namespace ventris::filters
