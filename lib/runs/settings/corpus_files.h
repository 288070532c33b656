#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/fields.h"
#include "data/corpus_reader.h"

/// How the files of a corpus stand in settings, for core/fields.h.
namespace ventris::core {

template <>
struct FieldType<data::CorpusFiles> {
  static constexpr const char* kDescription = "list: source and target, or one file";
  static void read(JsonReader& reader, const std::string& key, data::CorpusFiles& value) {
    std::vector<std::string> files;
    reader.optional(key, files);
    if (files.empty()) return;
    if (files.size() > 2)
      fail<ConfigError>(reader.path_of(key), ": expected [source, target] or [file], got ", files.size());
    value = files.size() == 2 ? data::CorpusFiles{files[0], files[1]} : data::in_one_file(files[0]);
  }
  static nlohmann::json write(const data::CorpusFiles& value) {
    auto files = nlohmann::json::array();
    if (!value.source.empty()) files.push_back(data::name_of(value));
    if (!value.target.empty()) files.push_back(value.target);
    return files;
  }
};

}  // namespace ventris::core
