#include "core/json_problem.h"

#include <string_view>

namespace ventris::core {

std::string json_problem(const std::exception& error) {
  std::string text = error.what();
  if (text.starts_with('[')) text.erase(0, text.find(' ') + 1);  // [json.exception.parse_error.101]
  constexpr std::string_view kPlace = "parse error at line ";
  if (text.starts_with(kPlace)) text.erase(0, text.find(": ") + 2);
  return text;
}

}  // namespace ventris::core
