#include "documents/hidden_ranges.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <string_view>

#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::kObject;

/// Whether only a sign is between two things that stay as they are, so that all belongs together: "{h}:{m}", "{n} /
/// {of}".
bool joins(std::string_view between) {
  constexpr size_t kMost = 12;  // bytes
  if (between.empty() || between.size() > kMost) return false;
  const bool spaced = between.front() == ' ' && between.back() == ' ' && between.size() > 2;
  if (spaced) between = between.substr(1, between.size() - 2);
  size_t characters = 0;
  for (size_t at = 0; at < between.size(); ++characters) {
    const UChar32 character = markup::next_character(between, at);
    constexpr std::u32string_view kSpaced = U"+/|>=~\u2192\u00D7\u2013";
    constexpr std::u32string_view kNever = U"\"'`;?!\u2019\u2018\u201C\u201D\u201E\u00AB\u00BB";
    if (spaced && kSpaced.find(static_cast<char32_t>(character)) == std::u32string_view::npos) return false;
    const auto type = u_charType(character);
    const bool bracket = type == U_START_PUNCTUATION || type == U_END_PUNCTUATION;
    const bool sign = (u_ispunct(character) != 0 || type == U_MATH_SYMBOL) && !bracket;
    if (!sign || kNever.find(static_cast<char32_t>(character)) != std::u32string_view::npos) return false;
  }
  return characters <= (spaced ? 1 : 3);
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
  std::ranges::sort(found, {}, &ByteRange::begin);
  std::vector<ByteRange> whole;
  for (const ByteRange& range : found) {
    if (!whole.empty() && range.begin < whole.back().end) {
      whole.back().end = std::max(whole.back().end, range.end);
    } else {
      whole.push_back(range);
    }
  }
  return whole;
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

std::vector<ByteRange> joined_by_signs(const MarkedText& text, const std::vector<ByteRange>& ranges) {
  std::vector<ByteRange> all = ranges;
  for (const markup::Object& object : text.objects) all.push_back({object.at, object.at + kObject.size()});
  std::ranges::stable_sort(all, {}, &ByteRange::begin);
  const auto has_mark = [&](ByteRange between) {
    const auto mark = std::ranges::lower_bound(text.marks, between.begin, {}, &markup::Mark::at);
    return mark != text.marks.end() && mark->at <= between.end;
  };
  std::vector<ByteRange> whole;
  std::vector<bool> is_new;  // of each: it is not just an object of the text
  auto given = ranges.begin();
  for (const ByteRange& range : all) {
    while (given != ranges.end() && given->begin < range.begin) ++given;
    const bool known = given != ranges.end() && given->begin == range.begin && given->end == range.end;
    if (!whole.empty() && range.begin < whole.back().end) continue;  // an object inside a placeholder
    const ByteRange between{whole.empty() ? 0 : whole.back().end, range.begin};
    if (!whole.empty() && joins(std::string_view(text.text).substr(between.begin, between.end - between.begin)) &&
        !has_mark(between)) {
      whole.back().end = range.end;
      is_new.back() = true;
    } else {
      whole.push_back(range);
      is_new.push_back(known);
    }
  }
  std::vector<ByteRange> result;
  for (size_t i = 0; i < whole.size(); ++i) {
    if (is_new[i]) result.push_back(whole[i]);
  }
  return result;
}

}  // namespace ventris::documents
