#include "documents/hidden_ranges.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "documents/units.h"
#include "markup/characters.h"
#include "markup/merged_ranges.h"
#include "markup/template_pairs.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::end_of_run;
using markup::kObject;

/// Whether only a sign is between two things that stay as they are, so that all belongs together: "{h}:{m}", "{n} /
/// {of}".
bool joins(std::string_view between) {
  constexpr std::string_view kSpaced = "+/|>=~", kOthers = "#%&*,-.:@\\^_<";
  constexpr std::array<std::string_view, 3> kWide{"\u2192", "\u00D7", "\u2013"};
  const bool spaced = between.size() > 2 && between.front() == ' ' && between.back() == ' ';
  if (spaced) between = between.substr(1, between.size() - 2);
  if (std::ranges::find(kWide, between) != kWide.end()) return true;
  const auto is_sign = [&](char c) {
    return kSpaced.find(c) != std::string_view::npos || (!spaced && kOthers.find(c) != std::string_view::npos);
  };
  return !between.empty() && between.size() <= (spaced ? 1U : 3U) && std::ranges::all_of(between, is_sign);
}

/// Whether it ends a line or is the sign of a note: nothing that a sign joins with what is in front of it.
bool stands_alone(std::string_view raw) {
  constexpr std::array<std::string_view, 8> kBeginnings{"[^", "<sup", "<br", "<n", "\\n", "%n", "{br}", "{nl}"};
  return std::ranges::any_of(kBeginnings, [&](std::string_view begin) { return raw.starts_with(begin); });
}

bool is_directional_sign(UChar32 c) {
  return c == 0x200E || c == 0x200F || c == 0x061C || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/// Signs without width that fill the preview of an e-mail. (Others that nobody sees belong to letters and emoji.)
bool is_padding_sign(UChar32 c) {
  constexpr std::array<UChar32, 7> kSigns{0x00AD, 0x034F, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF};
  return std::ranges::find(kSigns, c) != kSigns.end();
}

bool is_letter_or_digit(char c) { return markup::is_letter(c) || (c >= '0' && c <= '9'); }

/// "CO", "NaCl" or one letter.
bool are_symbols(std::string_view letters) {
  if (letters.size() == 1) return markup::is_letter(letters[0]);
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  for (size_t at = 0; at < letters.size(); ++at) {
    const bool after_capital = at > 0 && is_capital(letters[at - 1]);
    if (markup::is_letter(letters[at]) && !is_capital(letters[at]) && !after_capital) return false;
  }
  return !letters.empty();
}

/// Whether it is a formula of TeX: "$n$".
bool is_formula(std::string_view raw) { return raw.size() > 2 && raw.starts_with('$') && raw.ends_with('$'); }

/// "{{ name }}", "<%= name %>", "<?= $name ?>", and not "{{#name}}".
bool is_value_of_template(std::string_view raw) {
  if (raw.starts_with("<%=") || raw.starts_with("<?=")) return true;
  return raw.starts_with("{{") && raw.ends_with("}}") &&
         (markup::is_go_end(raw) || markup::read_template_tag(raw).kind == markup::TemplateTag::Kind::kNone);
}

bool is_object_of_code(std::string_view raw) {
  return raw.starts_with('`') || raw.starts_with("<code") || raw.starts_with("<kbd") || raw.starts_with("<tt");
}

/// Each object for which `end_of` gives a place behind it in the text, with all up to this place. No mark is between.
template <typename End>
std::vector<ByteRange> objects_with_ends(const MarkedText& text, const End& end_of) {
  std::vector<ByteRange> found;
  auto mark = text.marks.begin();
  for (const markup::Object& object : text.objects) {
    const size_t begin = object.at + kObject.size();
    while (mark != text.marks.end() && mark->at < begin) ++mark;
    const bool marked = mark != text.marks.end(), touched = marked && mark->at == begin;
    const size_t end = touched ? begin : end_of(object, begin);
    if (end > begin && !(marked && mark->at < end)) found.push_back({object.at, end});
  }
  return found;
}

}  // namespace

std::vector<ByteRange> with_own_signs(const MarkedText& text, std::vector<ByteRange> ranges) {
  const size_t found = ranges.size();
  size_t range = 0, object = 0;
  for (size_t at = text.text.find(kObject); at != std::string::npos; at = text.text.find(kObject, at + 1)) {
    while (range < found && ranges[range].end <= at) ++range;
    while (object < text.objects.size() && text.objects[object].at < at) ++object;
    const bool covered = range < found && ranges[range].begin <= at;
    const bool is_object = object < text.objects.size() && text.objects[object].at == at;
    if (!covered && !is_object) ranges.push_back({at, at + kObject.size()});
  }
  std::ranges::sort(ranges, {}, &ByteRange::begin);
  return ranges;
}

std::vector<ByteRange> with_those_of_format(std::vector<ByteRange> found, const std::vector<ByteRange>& of_format) {
  if (of_format.empty()) return found;
  const auto is_known = [&](const ByteRange& range) {
    return std::ranges::binary_search(of_format, range.begin, {}, &ByteRange::begin);
  };
  std::erase_if(found, is_known);
  found.insert(found.end(), of_format.begin(), of_format.end());
  return markup::merged_ranges(std::move(found));
}

std::vector<ByteRange> joined(const std::vector<ByteRange>& ranges) {
  std::vector<ByteRange> whole;
  for (const ByteRange& range : ranges) {
    if (!whole.empty() && whole.back().end == range.begin) {
      whole.back().end = range.end;
    } else {
      whole.push_back(range);
    }
  }
  return whole;
}

std::vector<ByteRange> with_bracketed_words(std::string_view text, const std::vector<ByteRange>& ranges) {
  std::vector<ByteRange> whole;
  bool open = false;
  for (const ByteRange& range : ranges) {
    const std::string_view raw = text.substr(range.begin, range.end - range.begin);
    if (open && raw == ">") {
      whole.back().end = range.end;
    } else {
      whole.push_back(range);
    }
    open = raw == "<";
  }
  return whole;
}

std::vector<ByteRange> joined_by_signs(const MarkedText& text) {
  const std::string_view whole = text.text;
  const auto has_mark = [&](ByteRange between) {
    const auto mark = std::ranges::lower_bound(text.marks, between.begin, {}, &markup::Mark::at);
    return mark != text.marks.end() && mark->at <= between.end;
  };
  std::vector<ByteRange> found;
  ByteRange last{0, 0};
  for (const markup::Object& object : text.objects) {
    const ByteRange between{last.end, object.at};
    last.end = object.at + kObject.size();
    const bool joined = between.begin > 0 && !stands_alone(object.raw) && !has_mark(between) &&
                        joins(whole.substr(between.begin, between.end - between.begin));
    if (!joined) {
      last.begin = object.at;
    } else if (!found.empty() && found.back().begin == last.begin) {
      found.back().end = last.end;
    } else {
      found.push_back(last);
    }
  }
  return found;
}

std::vector<ByteRange> with_directional_signs(const MarkedText& text, const std::vector<ByteRange>& ranges) {
  const auto has_mark_at = [&](size_t at) {
    const auto mark = std::ranges::lower_bound(text.marks, at, {}, &markup::Mark::at);
    return mark != text.marks.end() && mark->at == at;
  };
  std::vector<ByteRange> found;
  size_t done = 0;
  const auto add = [&](ByteRange range, bool is_new) {
    if (range.begin < done) return;  // an object inside a placeholder
    ByteRange whole = range;
    while (whole.begin > done && !has_mark_at(whole.begin)) {
      size_t before = whole.begin;
      if (!is_directional_sign(markup::previous_character(text.text, before))) break;
      whole.begin = before;
    }
    whole.end = end_of_run(text.text, range.end, [&](UChar32 c) { return is_directional_sign(c); });
    if (has_mark_at(range.end)) whole.end = range.end;
    done = whole.end;
    if (is_new || whole.begin < range.begin || whole.end > range.end) found.push_back(whole);
  };
  auto range = ranges.begin();
  for (const markup::Object& object : text.objects) {
    for (; range != ranges.end() && range->begin <= object.at; ++range) add(*range, true);
    add({object.at, object.at + kObject.size()}, false);
  }
  for (; range != ranges.end(); ++range) add(*range, true);
  return found;
}

std::vector<ByteRange> formulas_with_indices(const MarkedText& text) {
  constexpr size_t kLongest = 200;  // bytes that are looked at behind the first index
  std::vector<ByteRange> found;
  const std::string_view whole = text.text;
  const auto is_object = [&](size_t at) { return whole.substr(at).starts_with(kObject); };
  for (size_t i = 0; i < text.objects.size(); ++i) {
    const size_t first = text.objects[i].at;
    if (!found.empty() && first < found.back().end) continue;
    size_t begin = first;
    while (begin > 0 && is_letter_or_digit(whole[begin - 1])) --begin;
    std::string letters(whole.substr(begin, first - begin));
    bool index = false;
    size_t end = first;
    for (size_t object = i;
         end < std::min(whole.size(), first + kLongest) && (is_object(end) || is_letter_or_digit(whole[end]));) {
      if (is_object(end)) {
        const bool known = object < text.objects.size() && text.objects[object].at == end;
        const std::string_view raw = text.objects[object].raw;
        if (!known || (!raw.starts_with("<sub") && !raw.starts_with('~') && !raw.starts_with("$_"))) break;
        index = true;
        ++object;
        end += kObject.size();
      } else {
        letters += whole[end++];
      }
    }
    if (index && begin < first && are_symbols(letters)) found.push_back({begin, end});
  }
  return found;
}

std::vector<ByteRange> values_with_units(const MarkedText& text) {
  const std::string_view whole = text.text;
  return objects_with_ends(text, [&](const markup::Object& object, size_t begin) {
    if (!is_value_of_template(object.raw)) return begin;
    const bool degree = whole.substr(begin).starts_with("°");
    size_t end = begin + (degree ? std::string_view("°").size() : 0);
    while (end < whole.size() && markup::is_letter(whole[end])) ++end;
    const bool goes_on = end < whole.size() && (whole[end] == '_' || is_letter_or_digit(whole[end]));
    return !goes_on && is_unit_symbol(whole.substr(begin, end - begin)) ? end : begin;
  });
}

std::vector<ByteRange> padding_of(const MarkedText& text) {
  constexpr size_t kLeastSigns = 2;
  const size_t last_mark = text.marks.empty() ? 0 : text.marks.back().at;
  size_t begin = text.text.size(), first_sign = begin, signs = 0;
  bool spaces = false;
  for (size_t at = begin; at > last_mark;) {
    const UChar32 c = markup::previous_character(text.text, at);
    if (!is_padding_sign(c) && !markup::is_space(c)) break;
    begin = at;
    spaces = spaces || markup::is_space(c);
    if (is_padding_sign(c) && ++signs > 0) first_sign = at;
  }
  if (begin == 0 || signs < kLeastSigns || !spaces) return {};
  return {{first_sign, text.text.size()}};
}

std::vector<ByteRange> codes_with_endings(const MarkedText& text) {
  constexpr std::array<std::string_view, 9> kEndings{"s", "es", "ed", "d", "ing", "er", "ers", "ly", "n"};
  constexpr std::array<std::string_view, 7> kOfFormulas{"th", "st", "nd", "rd", "s", "C", "F"};
  const std::string_view whole = text.text;
  return objects_with_ends(text, [&](const markup::Object& object, size_t begin) {
    const bool formula = is_formula(object.raw);
    if (!formula && !is_object_of_code(object.raw)) return begin;
    const size_t end = end_of_run(whole, begin, [](UChar32 c) { return markup::is_word_character(c) || c == '-'; });
    const std::string_view ending = whole.substr(begin, end - begin);
    const bool known = formula ? std::ranges::find(kOfFormulas, ending) != kOfFormulas.end() || is_unit_symbol(ending)
                               : std::ranges::find(kEndings, ending) != kEndings.end();
    return known ? end : begin;
  });
}

}  // namespace ventris::documents
