#include "formats/messages.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "formats/apostrophes.h"
#include "formats/code_in_messages.h"
#include "formats/icu_whole_forms.h"
#include "formats/letter_entities.h"
#include "formats/wiki_forms.h"
#include "markup/characters.h"
#include "markup/merged_ranges.h"
#include "markup/technical_values.h"
#include "markup/text_cursor.h"

namespace ventris::formats {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n\f\v";

ByteRange without_spaces(std::string_view text, ByteRange range) { return without_ends(text, range, kWhiteSpace); }

/// The text without the sign of a list item at its beginning: "* ", and "1. " in a message of several lines. (In a
/// single line, it can be an ordinal number.)
ByteRange without_list_sign(std::string_view message, ByteRange text, bool several_lines) {
  constexpr std::array<std::string_view, 9> kSigns{"- ",      "* ",     "+ ",     "\u2022", "\u00B7 ",
                                                   "\u2013 ", "\u2043", "\u25AA", "\u25E6"};
  const auto begins = [&](std::string_view sign) { return part_of(message, text).starts_with(sign); };
  const auto* const sign = std::ranges::find_if(kSigns, begins);
  if (sign != kSigns.end()) return without_spaces(message, {text.begin + sign->size(), text.end});
  const std::string_view whole = part_of(message, text);
  const size_t number = std::min(whole.find_first_not_of("0123456789"), whole.size());
  const std::string_view behind = whole.substr(number, 2);
  const bool item = number > 0 && number < 4 && (behind == ". " || behind == ") ");
  return several_lines && item ? without_spaces(message, {text.begin + number + 2, text.end}) : text;
}

/// Behind "{0}", "[2,*]" or "]1,Inf[", with which Laravel and Symfony say for which numbers a form is; the same place
/// if there is none.
size_t behind_condition(std::string_view message, ByteRange text) {
  constexpr size_t kLongest = 40;
  const std::string_view whole = part_of(message, text).substr(0, kLongest);
  if (whole.empty() || std::string_view("{[]").find(whole.front()) == std::string_view::npos) return text.begin;
  const size_t end = whole.find_first_of("{}[]", 1);
  if (end == std::string_view::npos || (whole[end] == '}') != (whole.front() == '{') || whole[end] == '{')
    return text.begin;
  std::string numbers(whole.substr(1, end - 1));
  const size_t infinite = numbers.find("Inf");
  if (infinite != std::string::npos) numbers.replace(infinite, 3, "*");
  const bool condition = numbers.find_first_not_of("0123456789,.*+ -") == std::string::npos &&
                         numbers.find_first_of("0123456789*") != std::string::npos;
  return condition ? text.begin + end + 1 : text.begin;
}

/// Whether the bar at this byte stands between two words of more than one letter, without spaces: "apple|apples".
bool is_between_words(std::string_view message, ByteRange line, size_t at) {
  const auto is_part = [](char c) { return kWhiteSpace.find(c) == std::string_view::npos && c != '|'; };
  return at >= line.begin + 2 && at + 2 < line.end && is_part(message[at - 2]) && is_part(message[at - 1]) &&
         is_part(message[at + 1]) && is_part(message[at + 2]);
}

/// The second bar of "|name|" of Sphinx, whose first bar is at this byte; 0: there is none.
size_t end_of_substitution(std::string_view message, ByteRange line, size_t at) {
  const size_t close = message.substr(0, line.end).find_first_of("| \t", at + 1);
  return close != std::string_view::npos && message[close] == '|' && close > at + 1 ? close : 0;
}

/// The forms of a message for several numbers, as vue-i18n, Laravel and Symfony divide them: "one | several",
/// "one|several", "{0} none|[1,*] some". Signs inside braces and square brackets ("[-a | --all]")
/// divide nothing, and in round ones only those with a condition.
std::vector<ByteRange> forms_of(std::string_view message, ByteRange line, const std::vector<ByteRange>& code) {
  line = without_spaces(message, line);
  const bool has_conditions = behind_condition(message, line) > line.begin;
  std::vector<ByteRange> forms;
  int64_t braces = 0, brackets = 0, squares = 0;
  const auto count = [](int64_t& depth, char c, char open, char close) {
    depth = std::max<int64_t>(0, depth + (c == open ? 1 : c == close ? -1 : 0));
  };
  size_t begin = line.begin;
  for (size_t at = line.begin; at < line.end; ++at) {
    count(braces, message[at], '{', '}');
    count(brackets, message[at], '(', ')');
    if (!has_conditions) count(squares, message[at], '[', ']');
    if (message[at] != '|' || braces > 0 || squares > 0 || is_inside(code, at)) continue;
    const bool alone = at > begin && at + 1 < line.end && message[at - 1] == ' ' && message[at + 1] == ' ';
    const bool tight = brackets == 0 && is_between_words(message, line, at);
    if (const size_t close = end_of_substitution(message, line, at); close > at && !alone && !tight) {
      at = close;
      continue;
    }
    const bool space = at + 1 < line.end && message[at + 1] == ' ';
    const size_t next = std::min(at + (space ? 2 : 1), line.end);
    if (!alone && !tight && !(has_conditions && behind_condition(message, {next, line.end}) > next)) continue;
    forms.push_back({begin, at});
    begin = at + 1;
  }
  forms.push_back({begin, line.end});
  if (!has_conditions || forms.size() == 1) return forms;
  for (ByteRange& form : forms) form.begin = behind_condition(message, without_spaces(message, form));
  return forms;
}

/// Whether a sentence goes on from the text to the next one, which are in lines that follow each other.
bool goes_on(std::string_view message, ByteRange text, ByteRange next) {
  const bool same_margin = message.substr(text.end, next.begin - text.end) == "\n";
  return same_margin && markup::line_goes_on(part_of(message, text), message.substr(next.begin, next.end - next.begin));
}

}  // namespace

std::vector<ByteRange> paragraphs_of(std::string_view message, const std::vector<ByteRange>& code) {
  std::vector<ByteRange> parts;
  const ByteRange all = without_spaces(message, {0, message.size()});
  const bool several_lines = part_of(message, all).find('\n') != std::string_view::npos;
  size_t begin = 0;
  for (const size_t end : line_ends_of(message, code)) {
    for (const ByteRange& form : forms_of(message, {begin, end}, code)) {
      const ByteRange text = without_list_sign(message, without_spaces(message, form), several_lines);
      if (!markup::has_letters(part_of(message, text))) continue;
      if (!parts.empty() && goes_on(message, parts.back(), text)) {
        parts.back().end = text.end;
      } else {
        parts.push_back(text);
      }
    }
    begin = end + 1;
  }
  return parts;
}

std::vector<ByteRange> number_forms_of(std::string_view text) {
  std::vector<ByteRange> forms = forms_of(text, {0, text.size()}, {});
  for (ByteRange& form : forms) form = without_spaces(text, form);
  return forms;
}

void add_placeholders(markup::Block& block, const std::vector<ByteRange>& ranges) {
  std::vector<ByteRange> all = std::move(block.placeholders);
  all.insert(all.end(), ranges.begin(), ranges.end());
  block.placeholders = markup::merged_ranges(std::move(all));
}

void MessageList::add_text(Message& message, ByteRange part, std::vector<ByteRange> placeholders, int64_t line,
                           markup::MarkedDocument& document) {
  message.parts.push_back(part);
  std::string text(part_of(message.text, part));
  if (message.doubled) text = with_single_apostrophes(text, placeholders);
  text = with_letters(text, placeholders);
  document.blocks.push_back({"", {std::move(text)}, line});
  document.blocks.back().placeholders = std::move(placeholders);
}

size_t MessageList::add(const std::string& message, int64_t line, markup::MarkedDocument& document) {
  Message added{{}, {}, document.blocks.size()};
  added.doubled = has_doubled_apostrophes(message, java_);
  const bool value = markup::is_technical_value(message);
  const std::vector<ByteRange> code = value ? std::vector<ByteRange>() : code_in(message);
  size_t done = 0;
  for (const ByteRange& part : value ? std::vector<ByteRange>() : paragraphs_of(message, code)) {
    added.text.append(message, done, part.begin - done);
    done = part.end;
    std::string text(part_of(message, part));
    const size_t begin = added.text.size();
    std::vector<IcuForm> forms = take_forms(text, !added.doubled);
    has_patterns_ = has_patterns_ || !forms.empty();
    if (forms.empty()) forms = take_wiki_forms(text);
    added.text += text;
    if (forms.empty())
      add_text(added, {begin, added.text.size()}, code_over_lines(message, code, part), line, document);
    for (const IcuForm& form : forms) {
      if (!markup::has_letters(part_of(text, form.text))) continue;
      add_text(added, {begin + form.text.begin, begin + form.text.end}, form.kept, line, document);
    }
  }
  added.text.append(message, done);
  if (document.blocks.size() > markup::kMostParts) {
    fail<markup::MarkupError>("line ", line, ": the document has more than ", markup::kMostParts, " texts; divide it");
  }
  messages_.push_back(std::move(added));
  return messages_.size() - 1;
}

std::string MessageList::translated(size_t message, const std::vector<std::string>& translations) const {
  const Message& one = messages_[message];
  std::vector<Replacement> replacements;
  for (size_t i = 0; i < one.parts.size(); ++i) {
    std::string text = translations[one.first_block + i];
    if (one.doubled) {
      text = with_doubled_apostrophes(text);
    } else if (has_patterns_) {
      text = without_quoting_apostrophes(std::move(text), one.text, one.parts[i]);
    }
    replacements.push_back({one.parts[i], std::move(text)});
  }
  return replaced(one.text, replacements);
}

}  // namespace ventris::formats
