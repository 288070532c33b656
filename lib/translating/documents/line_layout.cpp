#include "documents/line_layout.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/error.h"
#include "markup/text_cursor.h"
#include "metrics/unicode.h"

namespace ventris::documents {
namespace {

using markup::is_space;

constexpr double kWorthOfPunctuation = 4;  // characters by which a place after punctuation may be farther away
constexpr size_t kNeighbours = 4;          // places on each side of the best one that are compared

/// A place where a line may end.
struct LineEnd {
  size_t end = 0, next = 0;  // bytes: the end of the line, and the beginning of the next one, behind the white space
  double characters = 0;     // in front of it
  bool after_punctuation = false;
  bool before_dots = false;  // "you come... ...back", "you come, ...and go"
};

/// Whether a line may end behind this character without a space.
bool ends_anywhere(UChar32 c) {
  const int kind = u_getIntPropertyValue(c, UCHAR_LINE_BREAK);
  return kind == U_LB_COMPLEX_CONTEXT || (markup::is_cjk(c) && kind != U_LB_H2 && kind != U_LB_H3);
}

icu::BreakIterator& line_breaks() {
  thread_local std::unique_ptr<icu::BreakIterator> iterator;
  if (!iterator) {
    UErrorCode error = U_ZERO_ERROR;
    iterator.reset(icu::BreakIterator::createLineInstance(icu::Locale::getRoot(), error));
    if (U_FAILURE(error) != 0) fail<Error>("ICU has no rules for the ends of lines: ", u_errorName(error));
  }
  return *iterator;
}

/// Counts characters from place to place.
class CharacterCounter {
 public:
  explicit CharacterCounter(std::string_view text) : text_(text) {}
  double until(size_t end) {
    for (; at_ < end; ++count_) markup::next_character(text_, at_);
    return count_;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  double count_ = 0;
};

constexpr std::string_view kDots = "...", kEllipsis = "\u2026";

/// Whether dots begin at this byte, behind white space.
bool begins_with_dots(std::string_view text, size_t next) {
  const std::string_view behind = text.substr(std::min(next, text.size()));
  return behind.starts_with(kDots) || behind.starts_with(kEllipsis);
}

/// The places behind spaces before dots, where ICU lets no line end.
std::vector<size_t> places_before_dots(std::string_view text) {
  std::vector<size_t> places;
  for (size_t at = text.find(' '); at != std::string_view::npos; at = text.find(' ', at + 1)) {
    if (begins_with_dots(text, at + 1)) places.push_back(at + 1);
  }
  return places;
}

/// The place in front of this byte, unless the text has nothing before it, or may not end there.
void take_place(std::string_view text, size_t next, CharacterCounter& counter, std::vector<LineEnd>& places) {
  size_t end = next;
  for (size_t at = end; at > 0 && is_space(markup::previous_character(text, at)); end = at) continue;
  if (end == 0) return;
  const UChar32 last = markup::character_before(text, end);
  if (end == next && !ends_anywhere(last)) return;
  const auto type = u_charType(last);
  const bool punctuation = u_ispunct(last) != 0 && type != U_DASH_PUNCTUATION && type != U_START_PUNCTUATION;
  places.push_back({end, next, counter.until(end), punctuation, end < next && begins_with_dots(text, next)});
}

std::vector<LineEnd> line_ends_in(std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  UText opened = UTEXT_INITIALIZER;
  utext_openUTF8(&opened, text.data(), static_cast<int64_t>(text.size()), &error);
  icu::BreakIterator& breaks = line_breaks();
  breaks.setText(&opened, error);
  std::vector<LineEnd> places;
  CharacterCounter counter(text);
  const std::vector<size_t> dots = places_before_dots(text);
  auto next_dots = dots.begin();
  for (int32_t at = breaks.next(); at != icu::BreakIterator::DONE; at = breaks.next()) {
    const auto next = static_cast<size_t>(at);
    for (; next_dots != dots.end() && *next_dots <= next; ++next_dots) {
      if (*next_dots < next) take_place(text, *next_dots, counter, places);
    }
    if (next < text.size()) take_place(text, next, counter, places);
  }
  utext_close(&opened);
  return places;
}

/// The end of each line but the last of the source, as a share of its text.
std::vector<double> shares(std::string_view source, const std::vector<size_t>& line_ends) {
  CharacterCounter counter(source);
  std::vector<double> ends;
  for (const size_t end : line_ends) ends.push_back(counter.until(end));
  const double all = std::max(counter.until(source.size()), 1.0);
  for (double& end : ends) end /= all;
  return ends;
}

/// The best of the places [first, last) for a line that would end here.
size_t nearest(const std::vector<LineEnd>& places, size_t first, size_t last, double ideal) {
  const auto at =
      std::partition_point(places.begin(), places.end(), [&](const LineEnd& p) { return p.characters < ideal; });
  const auto middle = std::clamp(static_cast<size_t>(at - places.begin()), first, last - 1);
  size_t best = middle;
  double least = HUGE_VAL;
  for (size_t i = std::max(first, middle - std::min(middle, kNeighbours)); i < std::min(last, middle + kNeighbours);
       ++i) {
    const double cost =
        std::abs(places[i].characters - ideal) - (places[i].after_punctuation ? kWorthOfPunctuation : 0);
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  return best;
}

/// Which of the lines but the last end before dots in the source; none if the translation has such places more or less
/// often.
std::vector<bool> dotted_lines(std::string_view source, const std::vector<size_t>& line_ends,
                               const std::vector<LineEnd>& places) {
  std::vector<bool> dotted;
  for (const size_t end : line_ends) dotted.push_back(begins_with_dots(source, end + 1));
  const bool as_often = std::ranges::count(dotted, true) == std::ranges::count(places, true, &LineEnd::before_dots);
  return as_often ? dotted : std::vector<bool>(line_ends.size(), false);
}

/// The chosen places; with fewer places than lines, those that are missing are at the end of the text.
std::vector<LineEnd> choose(std::string_view source, const std::vector<size_t>& line_ends, std::string_view text) {
  const std::vector<LineEnd> places = line_ends_in(text);
  const std::vector<double> ends = shares(source, line_ends);
  const std::vector<bool> dotted = dotted_lines(source, line_ends, places);
  const bool any_dotted = std::ranges::count(dotted, true) > 0;
  std::vector<size_t> dots;  // the places of these lines
  for (size_t i = 0; any_dotted && i < places.size(); ++i) {
    if (places[i].before_dots) dots.push_back(i);
  }
  const double all = CharacterCounter(text).until(text.size());
  std::vector<LineEnd> chosen;
  size_t first = 0, next_dots = 0;
  for (size_t line = 0; line < ends.size(); ++line) {
    const size_t later = ends.size() - line - 1;
    if (first == places.size()) {
      chosen.push_back({text.size(), text.size()});
      continue;
    }
    size_t last = std::max(first + 1, places.size() - std::min(places.size(), later));
    if (next_dots < dots.size() && dots[next_dots] > first) last = std::min(last, dots[next_dots]);  // of a later line
    const size_t best =
        dotted[line] ? std::max(dots[next_dots++], first) : nearest(places, first, last, ends[line] * all);
    chosen.push_back(places[best]);
    first = best + 1;
  }
  return chosen;
}

/// The links of a translation in which some words are divided.
std::vector<translation::Link> divided(const AlignedText& translation, const std::vector<LineEnd>& places) {
  std::vector<int64_t> begins, parts;  // the number of the first part of each word, and how many it has
  auto place = places.begin();
  int64_t number = 0;
  for (const std::string_view word : metrics::split_words(translation.text)) {
    const size_t begin = static_cast<size_t>(word.data() - translation.text.data()), end = begin + word.size();
    begins.push_back(number++);
    for (; place != places.end() && place->end < end; ++place) number += place->end > begin ? 1 : 0;
    parts.push_back(number - begins.back());
  }
  std::vector<translation::Link> links;
  for (const translation::Link& link : translation.links) {
    const auto word = static_cast<size_t>(link.target);
    for (int64_t part = 0; part < parts[word]; ++part) links.push_back({link.source, begins[word] + part});
  }
  return links;
}

}  // namespace

AlignedText lay_out_lines(std::string_view source, const std::vector<size_t>& line_ends, AlignedText translation) {
  if (line_ends.empty()) return translation;
  if (translation.text == source) {
    for (const size_t end : line_ends) translation.text[end] = '\n';
    return translation;
  }
  const std::vector<LineEnd> places = choose(source, line_ends, translation.text);
  AlignedText laid;
  laid.links = divided(translation, places);
  size_t done = 0;
  for (const LineEnd& place : places) {
    laid.text.append(translation.text, done, place.end - done).append("\n");
    done = place.next;
  }
  laid.text.append(translation.text, done);
  return laid;
}

}  // namespace ventris::documents
