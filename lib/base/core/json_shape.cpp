#include "core/json_shape.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace ventris::core {
namespace {

using nlohmann::json;

class Measure : public nlohmann::json_sax<json> {
 public:
  Measure(int max_depth, size_t max_values) : max_depth_(static_cast<size_t>(max_depth)), values_left_(max_values) {}

  bool null() override { return count(); }
  bool boolean(bool) override { return count(); }
  bool number_integer(number_integer_t) override { return count(); }
  bool number_unsigned(number_unsigned_t) override { return count(); }
  bool number_float(number_float_t, const string_t&) override { return count(); }
  bool string(string_t&) override { return count(); }
  bool binary(binary_t&) override { return count(); }
  bool start_object(size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }
  bool key(string_t& name) override {
    if (keys_.size() == 1) shape.top_members += 1;
    if (!keys_.back().insert(name).second && !shape.repeated_key) shape.repeated_key = name;
    return count();
  }

  JsonShape shape;

 private:
  bool count() {
    shape.too_many = values_left_ == 0;
    if (!shape.too_many) --values_left_;
    return !shape.too_many;
  }
  bool open() {
    keys_.emplace_back();
    shape.too_deep = keys_.size() > max_depth_;
    return !shape.too_deep && count();
  }
  bool close() {
    keys_.pop_back();
    return true;
  }

  size_t max_depth_;
  size_t values_left_;
  std::vector<std::set<std::string>> keys_;  // of each open object; empty for an array
};

}  // namespace

JsonShape shape_of_json(std::string_view text, int max_depth, size_t max_values) {
  Measure measure(max_depth, max_values);
  measure.shape.valid =
      json::sax_parse(text, &measure, json::input_format_t::json, /*strict=*/true, /*ignore_comments=*/true);
  if (const size_t zero = text.find('\0'); zero != std::string_view::npos) {
    measure.shape.zero_byte = zero;
    measure.shape.valid = false;
  }
  return measure.shape;
}

bool is_modest_json(std::string_view text, size_t max_values) {
  return text.size() <= kMostJsonBytes && shape_of_json(text, kMostJsonLevels, max_values).valid;
}

}  // namespace ventris::core
