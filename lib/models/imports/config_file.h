#pragma once
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "architecture/reading.h"

namespace ventris::imports {

/// The settings of a model of another program, such as a config.json: a JSON object, with clear errors. Every function
/// throws ModelError with the file and the key.
class ConfigFile {
 public:
  explicit ConfigFile(const std::string& path);
  /// Of a file that was read already; `path` names it in messages.
  ConfigFile(const std::string& bytes, const std::string& path);
  /// Of settings in a file of another kind.
  ConfigFile(const nlohmann::json& settings, const std::string& path);
  ~ConfigFile();
  ConfigFile(ConfigFile&&) noexcept;
  ConfigFile& operator=(ConfigFile&&) = delete;

  const std::string& path() const { return path_; }
  bool contains(const std::string& key) const;
  /// The largest number that integer() and required() accept unless they are told another.
  static constexpr int64_t kMost = architecture::kLargestSize;
  /// A whole number from `least` to `most`; `missing` if there is no such key or it is null.
  int64_t integer(const std::string& key, int64_t missing, int64_t least = 0, int64_t most = kMost) const;
  double number(const std::string& key, double missing) const;
  /// A number, or the first of a list of numbers; `missing` for anything else.
  double first_number(const std::string& key, double missing) const;
  bool flag(const std::string& key, bool missing) const;
  std::string text(const std::string& key, const std::string& missing) const;
  /// A whole number that must be there.
  int64_t required(const std::string& key, int64_t least = 0, int64_t most = kMost) const;
  /// A list of texts; empty if there is no such key.
  std::vector<std::string> texts(const std::string& key) const;
  bool has_section(const std::string& key) const;  ///< whether there is an object under a key
  /// The object under a key, with the key in messages; an empty one if there is no such key.
  ConfigFile section(const std::string& key) const;
  /// The same, but empty also if the key has another value.
  ConfigFile section_or_empty(const std::string& key) const;
  /// Throws with "FILE: KEY: expected EXPECTED, found VALUE", also for a value that another function accepts.
  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const;
  /// Throws unless the key is missing or has this value; `otherwise` says what would work, for the message.
  void expect_flag(const std::string& key, bool value, const std::string& otherwise) const;

 private:
  const nlohmann::json* find(const std::string& key) const;

  std::string path_;
  std::string prefix_;  // what comes before keys in messages
  std::unique_ptr<const nlohmann::json> json_;
};

}  // namespace ventris::imports
