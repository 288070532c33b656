#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "serving/http_message.h"

namespace ventris::serving {

/// The arguments of a request, whether they came as JSON, as a form or in the query string. All errors are RequestError
/// (400), "Invalid request: ...".
class Arguments {
 public:
  /// JSON if the body has this type or begins with "{"; otherwise a form. The query string adds what the body lacks.
  explicit Arguments(const HttpRequest& request);

  bool has(const std::string& key) const;
  std::string text(const std::string& key, const std::string& otherwise = "") const;
  /// Throws "Invalid request: missing q parameter" if it is not there.
  std::string required_text(const std::string& key) const;
  /// A text, or a list of texts. `several`: whether it was a list.
  std::vector<std::string> required_texts(const std::string& key, bool& several) const;
  std::vector<std::string> texts(const std::string& key) const;
  int64_t number(const std::string& key, int64_t otherwise) const;
  bool flag(const std::string& key, bool otherwise) const;

  /// Throws, with the nearest known name, if there is an argument that is not in this list.
  void expect_only(const std::vector<std::string>& known) const;

 private:
  nlohmann::json values_ = nlohmann::json::object();
};

/// Throws RequestError (400), which names the parameter, unless the text is valid UTF-8.
void check_utf8(const std::string& key, const std::string& text);

/// The number of code points of valid UTF-8.
int64_t characters_of(const std::string& text);

}  // namespace ventris::serving
