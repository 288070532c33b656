#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::imports {

/// The value of a YAML scalar: plain, in single quotes, or in double quotes with escapes. Returns false for anything
/// that is not one whole scalar.
bool read_yaml_scalar(std::string_view text, std::string& value);

/// The settings of a model of Marian (special:model.yml), as Marian writes them: lines "KEY: VALUE", where a value is a
/// scalar or a list of scalars. Every function throws ModelError with the file and the key.
class MarianSettings {
 public:
  /// `where` names the file in messages. Throws ModelError, with the line, for YAML of any other kind.
  MarianSettings(const std::string& yaml, std::string where);

  const std::string& where() const { return where_; }
  std::vector<std::string> keys() const;
  bool contains(const std::string& key) const { return values_.contains(key); }
  std::string text(const std::string& key, const std::string& missing) const;
  /// A whole number from `least` to 1,000,000.
  int64_t integer(const std::string& key, int64_t missing, int64_t least = 0) const;
  bool flag(const std::string& key, bool missing) const;
  std::vector<std::string> list(const std::string& key) const;  ///< empty if there is no such key
  /// Throws for a setting: "KEY: expected EXPECTED, found ...".
  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const;

 private:
  struct Value {
    std::vector<std::string> texts;
    bool is_list = false;
  };
  void add_line(const std::string& line, size_t number);
  void add_item(std::string_view line, size_t number);
  [[noreturn]] void wrong_line(size_t number) const;
  const std::string* scalar(const std::string& key) const;

  std::string where_, last_;  // last_: the key to which the items of a list belong
  std::map<std::string, Value> values_;
};

}  // namespace ventris::imports
