#include "formats/wiki_forms.h"

#include <array>
#include <optional>
#include <utility>

#include "core/ascii.h"
#include "formats/conversions.h"
#include "formats/form_limits.h"
#include "formats/icu_pattern.h"
#include "markup/characters.h"

namespace ventris::formats {
namespace {

/// {{PLURAL:$1|one page|$1 pages}}
struct WikiChoice {
  ByteRange range;
  std::vector<ByteRange> forms;  // without white space around them, and without "0=" in front
};

/// The first "{{", "}}", "[[", "]]" or bar from this byte on; the end of the text if there is none.
size_t next_wiki_sign(std::string_view text, size_t at) {
  for (at = text.find_first_of("{}[]|", at); at < text.size(); at = text.find_first_of("{}[]|", at + 1)) {
    if (text[at] == '|' || (at + 1 < text.size() && text[at + 1] == text[at])) return at;
  }
  return text.size();
}

/// The bars that are in no braces or brackets, from this byte to the braces that close, and their place; nothing if
/// they do not. `at`: behind the opening ones.
std::optional<std::vector<size_t>> bars_until_close(std::string_view text, size_t at) {
  std::vector<size_t> found;
  for (size_t depth = 1; (at = next_wiki_sign(text, at)) < text.size();) {
    if (text[at] == '|' && depth == 1) found.push_back(at);
    const bool opens = text[at] == '{' || text[at] == '[';
    depth += opens ? 1 : text[at] == '|' ? 0 : -1;
    if (depth == 0) {
      found.push_back(at);
      return text[at] == '}' ? std::optional(std::move(found)) : std::nullopt;
    }
    at += text[at] == '|' ? 1 : 2;
  }
  return std::nullopt;
}

bool begins_choice(std::string_view text) {
  constexpr std::array<std::string_view, 2> kNames{"plural:", "gender:"};
  for (const std::string_view name : kNames) {
    if (core::in_lower_case(text.substr(0, name.size())) == name) return true;
  }
  return false;
}

/// A form without the white space around it, and without the number for which it stands ("12=").
ByteRange words_of_form(std::string_view text, ByteRange form) {
  form = without_white_ends(text, form);
  const size_t digits = std::min(text.find_first_not_of("0123456789", form.begin), form.end);
  const bool number = digits > form.begin && digits < form.end && text[digits] == '=';
  return number ? without_white_ends(text, {digits + 1, form.end}) : form;
}

/// The first choice that is in no other braces and in no link.
std::optional<WikiChoice> first_choice(std::string_view text) {
  for (size_t at = next_wiki_sign(text, 0); at < text.size(); at = next_wiki_sign(text, at)) {
    if (text[at] == '|') {
      ++at;
      continue;
    }
    if (text[at] == '[') {  // a link
      const size_t end = text.find("]]", at);
      if (end == std::string_view::npos) return std::nullopt;
      at = end + 2;
      continue;
    }
    const auto bars = text[at] == '{' ? bars_until_close(text, at + 2) : std::nullopt;
    if (!bars) return std::nullopt;
    WikiChoice choice{{at, bars->back() + 2}, {}};
    for (size_t i = 0; i + 1 < bars->size(); ++i) {
      choice.forms.push_back(words_of_form(text, {(*bars)[i] + 1, (*bars)[i + 1]}));
    }
    if (begins_choice(text.substr(at + 2)) && !choice.forms.empty()) return choice;
    at = choice.range.end;
  }
  return std::nullopt;
}

/// Whether a form cannot have these words around its own: a bar would divide it, and "1=" say for which number it is.
bool changes_forms(std::string_view words) {
  for (size_t at = next_wiki_sign(words, 0), depth = 0; at < words.size(); at = next_wiki_sign(words, at)) {
    if (words[at] == '|' && depth == 0) return true;
    const bool closes = words[at] == '}' || words[at] == ']';
    depth += words[at] == '{' || words[at] == '[' ? 1 : closes && depth > 0 ? -1 : 0;
    at += words[at] == '|' ? 1 : 2;
  }
  return words_of_form(words, {0, words.size()}).begin != without_white_ends(words, {0, words.size()}).begin;
}

bool has_wiki_words(std::string_view around) {
  return markup::has_letters(around) || around.find_first_of("${") != std::string_view::npos;
}

/// Writes a message with all words in forms.
class WikiWriter {
 public:
  explicit WikiWriter(size_t message) : most_bytes_(most_bytes_of_forms(message)) {}

  /// False: it cannot be written so.
  bool add(std::string_view text, int depth) {
    const std::optional<WikiChoice> choice = first_choice(text);
    if (!choice) {
      const ByteRange words = without_white_ends(text, {0, text.size()});
      forms_.push_back({{written_.size() + words.begin, written_.size() + words.end}});
      written_ += text;
      return forms_.size() <= kMostForms && written_.size() <= most_bytes_;
    }
    std::string_view before = text.substr(0, choice->range.begin), after = text.substr(choice->range.end);
    if (depth == kDeepestForms || is_in_tag(text, choice->range.begin)) return false;
    const bool moves = has_wiki_words(before) || has_wiki_words(after);
    if (moves && (changes_forms(before) || changes_forms(after))) return false;
    if (!moves) written_ += before;
    size_t done = choice->range.begin;
    for (const ByteRange& form : choice->forms) {
      written_ += text.substr(done, form.begin - done);
      std::string whole(moves ? before : std::string_view());
      whole += part_of(text, form);
      if (moves) whole += after;
      if (!add(whole, depth + 1)) return false;
      done = form.end;
    }
    written_ += text.substr(done, choice->range.end - done);
    if (!moves) written_ += after;
    return true;
  }
  std::string take_text() { return std::move(written_); }
  std::vector<IcuForm> take_forms() { return std::move(forms_); }

 private:
  const size_t most_bytes_;
  std::string written_;
  std::vector<IcuForm> forms_;
};

}  // namespace

std::vector<IcuForm> take_wiki_forms(std::string& message) {
  if (!has_wiki_forms(message) || !first_choice(message)) return {};
  WikiWriter writer(message.size());
  if (!writer.add(message, 0)) return {};
  message = writer.take_text();
  std::vector<IcuForm> forms = writer.take_forms();
  for (IcuForm& form : forms) form.kept = wiki_arguments_in(part_of(message, form.text));
  return forms;
}

bool has_wiki_forms(std::string_view text) {
  for (size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at + 2)) {
    if (!begins_choice(text.substr(at + 2))) continue;
    const size_t bar = text.find('|', at);
    return bar != std::string_view::npos && markup::has_letters(text.substr(bar));  // as behind any later bar
  }
  return false;
}

}  // namespace ventris::formats
