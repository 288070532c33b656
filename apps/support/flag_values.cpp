#include "support/flag_values.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

namespace ventris::apps {
namespace {

/// Whether the text is a number of type T in decimal digits, with or without a minus sign, and nothing else.
template <typename T>
bool is_number(const std::string& text) {
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// Whether the text has nothing but decimal digits behind a sign, though it may be too large for a number.
bool is_in_digits(const std::string& text) {
  const size_t sign = text.starts_with('-') ? 1 : 0;
  return text.size() > sign && text.find_first_not_of("0123456789", sign) == std::string::npos;
}

/// Turns "-007" into "-7", because the parser would read an octal number.
std::string without_leading_zeros(const std::string& text) {
  const size_t sign = text.starts_with('-') ? 1 : 0;
  const size_t first = std::min(text.find_first_not_of('0', sign), text.size() - 1);
  return text.substr(0, sign) + text.substr(first);
}

template <typename T>
std::string read_whole_number(std::string& text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.erase(0, 1);
  if (!is_number<T>(text)) {
    if (!is_in_digits(text)) return "expected a whole number in decimal digits, without a unit; got '" + text + "'";
    return "expected a whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
           std::to_string(std::numeric_limits<T>::max()) + "; got '" + text + "'";
  }
  text = without_leading_zeros(text);
  return "";
}

std::string refuse_empty(const std::string& text) {
  return text.empty() ? "expected a path, got an empty one (an unset variable?); leave the flag out for its default"
                      : "";
}

void check_values_of(CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto is = [&type](const char* name) { return type.starts_with(name); };
  if (is("UINT")) option.transform(CLI::Validator(read_whole_number<uint64_t>, "", ""));
  if (is("INT")) option.transform(CLI::Validator(read_whole_number<int64_t>, "", ""));
  if (is("FILE") || is("FOLDER") || is("BUNDLE") || is("MODEL") || is("SRC TGT") || is("PATH") || is("REF") ||
      is("LIST") || is("GOLD")) {
    option.check(refuse_empty);
  }
}

}  // namespace

void check_flag_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) check_values_of(*option);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) check_flag_values(*command);
}

}  // namespace ventris::apps
