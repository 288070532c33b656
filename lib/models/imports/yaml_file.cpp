#include "imports/yaml_file.h"

#include <yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/error.h"
#include "core/utf8.h"
#include "text/valid_utf8.h"

namespace ventris::imports {
namespace {

using nlohmann::json;

constexpr size_t kLargestYaml = size_t{1} << 20;
constexpr int kDeepestYaml = 50;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

/// What a value without quotes stands for.
json plain_value(const std::string& text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return nullptr;
  if (is_one_of(text, {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})) return true;
  if (is_one_of(text, {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})) return false;
  const char *begin = text.data() + (text.front() == '+' ? 1 : 0), *const end = text.data() + text.size();
  int64_t whole = 0;
  if (const auto [stop, error] = std::from_chars(begin, end, whole); error == std::errc() && stop == end) return whole;
  double number = 0;
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error == std::errc() && stop == end && std::isfinite(number)) return number;
  return text;
}

/// A document of libyaml, which has all nodes in a list.
class YamlDocument {
 public:
  YamlDocument(const std::string& bytes, const std::string& where) : where_(where), left_(bytes.size() * 4 + 1000) {
    if (bytes.size() > kLargestYaml) {
      fail<ModelError>(where_, ": expected settings of at most ", kLargestYaml, " bytes, found ", bytes.size());
    }
    if (!text::is_valid_utf8(bytes)) fail<ModelError>(where_, ": expected YAML in UTF-8, found other bytes");
    check_depth(bytes);
    yaml_parser_t parser;
    begin(parser, bytes);
    loaded_ = yaml_parser_load(&parser, &document_) != 0;
    const size_t line = parser.problem_mark.line + 1;
    const std::string problem = parser.problem == nullptr ? "too long" : parser.problem;
    yaml_parser_delete(&parser);
    if (!loaded_) fail<ModelError>(where_, ":", line, ": expected YAML: ", problem);
  }
  ~YamlDocument() {
    if (loaded_) yaml_document_delete(&document_);
  }
  YamlDocument(const YamlDocument&) = delete;
  YamlDocument& operator=(const YamlDocument&) = delete;

  json value() {
    yaml_node_t* root = yaml_document_get_root_node(&document_);
    return root == nullptr ? json() : value_of(*root, 0);
  }

 private:
  static void begin(yaml_parser_t& parser, const std::string& bytes) {
    if (yaml_parser_initialize(&parser) == 0) throw std::bad_alloc();
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  }

  /// Before the whole document is loaded, because the loader has no limit.
  void check_depth(const std::string& bytes) const {
    yaml_parser_t parser;
    begin(parser, bytes);
    int depth = 0;
    size_t line = 0;
    for (bool more = true; more && depth <= kDeepestYaml;) {
      yaml_event_t event;
      if (yaml_parser_parse(&parser, &event) == 0) break;  // the loader says where
      if (event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT) ++depth;
      if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) --depth;
      line = event.start_mark.line + 1;
      more = event.type != YAML_STREAM_END_EVENT && event.type != YAML_DOCUMENT_END_EVENT;
      yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (depth > kDeepestYaml) fail<ModelError>(where_, ":", line, ": is nested deeper than ", kDeepestYaml, " levels");
  }

  [[noreturn]] void wrong(const yaml_node_t& node, const std::string& reason) const {
    fail<ModelError>(where_, ":", node.start_mark.line + 1, ": ", reason);
  }
  static std::string text_of(const yaml_node_t& node) {
    return {reinterpret_cast<const char*>(node.data.scalar.value), node.data.scalar.length};
  }
  yaml_node_t& node_at(int number) { return *yaml_document_get_node(&document_, number); }

  json value_of(const yaml_node_t& node, int depth) {
    if (left_ == 0 || depth > kDeepestYaml) wrong(node, "has too many values, or one that contains itself");
    --left_;
    switch (node.type) {
      case YAML_SCALAR_NODE:
        return node.data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? plain_value(text_of(node)) : json(text_of(node));
      case YAML_SEQUENCE_NODE: return list_of(node, depth);
      case YAML_MAPPING_NODE: return object_of(node, depth);
      default: return nullptr;
    }
  }
  json list_of(const yaml_node_t& node, int depth) {
    json list = json::array();
    const auto& items = node.data.sequence.items;
    for (const yaml_node_item_t* item = items.start; item < items.top; ++item) {
      list.push_back(value_of(node_at(*item), depth + 1));
    }
    return list;
  }
  json object_of(const yaml_node_t& node, int depth) {
    json object = json::object();
    const auto& pairs = node.data.mapping.pairs;
    for (const yaml_node_pair_t* pair = pairs.start; pair < pairs.top; ++pair) {
      const yaml_node_t& key = node_at(pair->key);
      if (key.type != YAML_SCALAR_NODE) wrong(key, "expected a text as a key");
      const std::string name = text_of(key);
      if (object.contains(name)) wrong(key, "the key '" + std::string(core::cut_utf8(name, 60)) + "' is there twice");
      object[name] = value_of(node_at(pair->value), depth + 1);
    }
    merge(object);
    return object;
  }
  /// "<<" stands for the keys of other objects that are not there themselves.
  static void merge(json& object) {
    const auto found = object.find("<<");
    if (found == object.end()) return;
    const json others = found->is_array() ? *found : json::array({*found});
    object.erase(found);
    for (const json& other : others) {
      if (other.is_object()) object.insert(other.begin(), other.end());  // what is there stays
    }
  }

  const std::string& where_;
  size_t left_;  // values
  yaml_document_t document_ = {};
  bool loaded_ = false;
};

}  // namespace

json parse_yaml(const std::string& bytes, const std::string& where) { return YamlDocument(bytes, where).value(); }

}  // namespace ventris::imports
