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
  explicit Measure(int max_depth) : max_depth_(static_cast<size_t>(max_depth)) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }
  bool key(string_t& name) override {
    if (keys_.size() == 1) shape.top_members += 1;
    if (!keys_.back().insert(name).second && !shape.repeated_key) shape.repeated_key = name;
    return true;
  }

  JsonShape shape;

 private:
  bool open() {
    keys_.emplace_back();
    shape.too_deep = keys_.size() > max_depth_;
    return !shape.too_deep;
  }
  bool close() {
    keys_.pop_back();
    return true;
  }

  size_t max_depth_;
  std::vector<std::set<std::string>> keys_;  // of each open object; empty for an array
};

}  // namespace

JsonShape shape_of_json(std::string_view text, int max_depth) {
  Measure measure(max_depth);
  measure.shape.valid =
      json::sax_parse(text, &measure, json::input_format_t::json, /*strict=*/true, /*ignore_comments=*/true);
  return measure.shape;
}

}  // namespace ventris::core
