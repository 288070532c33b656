#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ventris::formats {

/// Which values of a file are translated, by their keys.
class KeyChoice {
 public:
  /// `list`: keys separated by commas; "" = all. A key is the name of a value, or the end of its path: "title" and
  /// "home.title" choose {"home": {"title": "..."}}. It also chooses everything inside.
  explicit KeyChoice(const std::string& list);

  /// `path`: the keys around a value, the outermost first. Items of lists have no keys.
  bool has(const std::vector<std::string>& path) const;

 private:
  std::vector<std::vector<std::string>> keys_;  // each in its parts
};

/// Whether a value is no text, as its key says: the code of a language ({"locale": "en"}), or the name of a message
/// (id: hello_world).
bool is_code_of_key(const std::vector<std::string>& path, std::string_view value);

}  // namespace ventris::formats
