#include "formats/json_messages.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "core/ascii.h"
#include "core/small_numbers.h"
#include "formats/conversions.h"
#include "formats/document_text.h"
#include "formats/key_choice.h"
#include "formats/value_writer.h"
#include "markup/parsing_limits.h"

namespace ventris::formats {
namespace {

using markup::MarkedDocument;

/// In a file of MediaWiki: the key of the names of its authors.
constexpr std::string_view kWiki = "@metadata";

/// In a file of messages of Flutter (ARB): the key of its language. What describes the file has such a key, too
/// ("@@last_modified"), and what describes a message has the name of that message behind one sign ("@name").
constexpr std::string_view kArbLanguage = "@@locale";

/// Whether the document has the string anywhere, such as a key.
bool has_string(const std::string& document, std::string_view text) {
  return document.find('"' + std::string(text) + '"') != std::string::npos;
}

/// Whether a key of JSON-LD has a name, an address or the code of a language as its value.
bool is_key_of_json_ld(std::string_view key) {
  return key == "@context" || key == "@type" || key == "@id" || key == "@language";
}

/// The text as it stands between quotation marks; `ascii`: with escapes for all other characters.
std::string escaped(const std::string& text, bool ascii) {
  const std::string quoted = nlohmann::json(text).dump(-1, ' ', ascii);
  return quoted.substr(1, quoted.size() - 2);
}

/// Finds the strings of a document, in the order in which the parser reports keys and values.
class StringPlaces {
 public:
  explicit StringPlaces(std::string_view document) : document_(document) {}
  /// The next string, without its quotation marks.
  ByteRange next() {
    const size_t begin = document_.find('"', at_) + 1;
    size_t end = begin;
    while (document_[end] != '"') end += document_[end] == '\\' ? 2 : 1;
    at_ = end + 1;
    return {begin, end};
  }
  /// The byte behind the last one.
  size_t at() const { return at_; }

 private:
  std::string_view document_;
  size_t at_ = 0;
};

/// What is wrong, without the place and without what was read.
std::string_view reason_of(std::string_view message) {
  for (const std::string_view before : {": ", " - "}) {
    const size_t begin = message.find(before);
    if (begin != std::string_view::npos) message.remove_prefix(begin + before.size());
  }
  return message.substr(0, message.find("; last read"));
}

/// Takes the values from the parser.
class ValueTaker : public nlohmann::json_sax<nlohmann::json> {
 public:
  /// `language`: of the translation, for a file of Flutter; "" = it is not changed.
  ValueTaker(const std::string& document, const std::string& keys, std::string language, ValueWriter& writer,
             MarkedDocument& result)
      : document_(document),
        choice_(keys),
        language_(std::move(language)),
        writer_(writer),
        result_(result),
        places_(document),
        lines_(document),
        limits_(document) {
    arb_ = has_string(document, kArbLanguage);
    // A file whose letters are all escapes was written by a program that cannot do otherwise.
    ascii_ = document.find("\\u") != std::string::npos &&
             core::is_ascii(std::string_view(document).substr(size_of_byte_order_mark(document)));
  }

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(int64_t /*value*/) override { return true; }
  bool number_unsigned(uint64_t /*value*/) override { return true; }
  bool number_float(double /*value*/, const std::string& /*text*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool string(std::string& value) override {
    const ByteRange place = places_.next();
    limits_.count(place.begin);
    if (path_.size() == 1 && path_.front() == kArbLanguage && !language_.empty()) writer_.put(place, language_);
    if (is_metadata() || !choice_.has(path_) || is_code_of_key(path_, value)) return true;
    writer_.add(
        place, value, lines_.line_of(place.begin),
        [ascii = ascii_](const std::string& text) { return escaped(text, ascii); }, result_);
    return true;
  }
  bool start_object(size_t /*size*/) override { return open(true); }
  bool key(std::string& name) override {
    const ByteRange place = places_.next();
    limits_.count(place.begin);
    if (path_.size() == 1 && !name.starts_with('@')) names_.insert(name);
    path_.back() = std::move(name);
    return true;
  }
  bool end_object() override { return close(true); }
  bool start_array(size_t /*size*/) override { return open(false); }
  bool end_array() override { return close(false); }
  bool parse_error(size_t position, const std::string& /*token*/, const nlohmann::json::exception& error) override {
    const size_t at = std::min(position == 0 ? 0 : position - 1, document_.size());
    const auto line = 1 + std::ranges::count(std::string_view(document_).substr(0, at), '\n');
    if (at >= document_.size()) fail<markup::MarkupError>("line ", line, ": the file ends before the JSON is complete");
    fail<markup::MarkupError>("line ", line, ": is no JSON: ", reason_of(error.what()));
  }

 private:
  /// Whether what is read now describes the file or a message.
  bool is_metadata() const {
    if (std::ranges::any_of(path_, is_key_of_json_ld)) return true;
    if (path_.empty() || !path_.front().starts_with('@')) return false;
    if (path_.front() == kWiki) return true;
    const std::string_view name = std::string_view(path_.front()).substr(1);
    return path_.size() == 1 ? name.starts_with('@') : arb_ || names_.contains(name);
  }
  bool open(bool object) {
    if (++depth_ > markup::kDeepestNesting) {
      markup::fail_nesting(lines_.line_of(places_.at()), "objects and lists");
    }
    if (object) path_.emplace_back();
    return true;
  }
  bool close(bool object) {
    --depth_;
    if (object) path_.pop_back();
    return true;
  }

  const std::string& document_;
  const KeyChoice choice_;
  const std::string language_;
  ValueWriter& writer_;
  MarkedDocument& result_;
  StringPlaces places_;
  LineCounter lines_;
  markup::ParsingLimits limits_;
  std::vector<std::string> path_;
  std::set<std::string, std::less<>> names_;  // of the messages before this place, in the outermost object
  int64_t depth_ = 0;
  bool ascii_ = false;
  bool arb_ = false;
};

}  // namespace

MarkedDocument parse_json_messages(const std::string& document, const std::string& keys, std::string language) {
  MarkedDocument result;
  const auto writer = std::make_shared<ValueWriter>(document);
  result.writer = writer;
  if (document.find_first_not_of(" \t\r\n") == std::string::npos) return result;
  if (keys.empty() && has_string(document, "sourceLanguage") && has_string(document, "stringUnit")) {
    fail<markup::MarkupError>(
        "is a catalogue of strings of Xcode, in which translations stand beside their texts; export it to XLIFF");
  }
  std::ranges::replace(language, '-', '_');  // as Flutter writes them
  ValueTaker taker(document, keys, std::move(language), *writer, result);
  nlohmann::json::sax_parse(core::with_small_numbers(document), &taker);
  const bool wiki = has_string(document, kWiki);
  for (markup::Block& block : result.blocks) {
    const std::string& text = block.text.text;
    add_placeholders(block, wiki ? wiki_arguments_in(text) : dollar_arguments_in(text));
    add_placeholders(block, wiki_links_in(text));
  }
  return result;
}

}  // namespace ventris::formats
