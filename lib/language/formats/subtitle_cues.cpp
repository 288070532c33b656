#include "formats/subtitle_cues.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "markup/parsing_limits.h"

namespace ventris::formats {
namespace {

using markup::Markup;
using markup::MarkupError;

constexpr std::string_view kArrow = "-->";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kSpaces);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// "01:02:03,456", "02:03.456": hours may be missing; in seconds.
std::optional<double> read_time(std::string_view text) {
  constexpr size_t kLongest = 9;  // digits
  double seconds = 0;
  int64_t parts = 0;
  for (;;) {
    const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    if (end == 0 || end > kLongest || parts == 3) return {};
    double number = 0;
    for (const char digit : text.substr(0, end)) number = number * 10 + (digit - '0');
    seconds = seconds * 60 + number;
    ++parts;
    text.remove_prefix(end);
    if (!text.starts_with(':')) break;
    text.remove_prefix(1);
  }
  if (parts < 2) return {};
  if (text.starts_with('.') || text.starts_with(',')) {
    text.remove_prefix(1);
    if (text.size() > 3 || !is_number(text)) return {};
    double share = 1;
    for (const char digit : text) seconds += (digit - '0') * (share /= 10);
    text = {};
  }
  return text.empty() ? std::optional(seconds) : std::nullopt;
}

/// "00:01.000 --> 00:04.000 align:start"; the settings behind the times may be anything.
std::optional<Cue> read_times(std::string_view line) {
  const size_t arrow = line.find(kArrow);
  if (arrow == std::string_view::npos) return {};
  const auto begin = read_time(trimmed(line.substr(0, arrow)));
  const std::string_view rest = trimmed(line.substr(arrow + kArrow.size()));
  const auto end = read_time(rest.substr(0, rest.find_first_of(kSpaces)));
  if (!begin || !end) return {};
  return Cue{*begin, *end};
}

/// "00:01,x --> 00:04,000", "00:01,000 -> 00:04,000", "-00:01,000 --> 00:04,000": times that may be wrong.
bool looks_like_times(std::string_view line) {
  std::string_view text = trimmed(line);
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto has = [&](std::string_view arrow) { return text.find(arrow) != std::string_view::npos; };
  return !text.empty() && is_number(text.substr(0, 1)) && (has("->") || has("\u2013>") || has("-&gt;"));
}

/// Reads a file line by line.
class CueReader {
 public:
  CueReader(std::string_view document, Markup markup)
      : document_(document),
        is_vtt_(markup == Markup::kVtt),
        limits_(document),
        lines_(lines_of(document, size_of_byte_order_mark(document))) {}

  std::vector<Cue> read() {
    if (is_vtt_ && !lines_.empty()) skip_header();
    while (at_ < lines_.size()) {
      if (is_blank(at_)) {
        ++at_;
      } else if (is_vtt_ && is_note(line(at_))) {
        skip_block();
      } else {
        read_block();
      }
    }
    return std::move(cues_);
  }

 private:
  std::string_view line(size_t number) const { return part_of(document_, lines_[number]); }
  /// In WebVTT, a line of spaces is one of the text.
  bool is_blank(size_t number) const { return (is_vtt_ ? line(number) : trimmed(line(number))).empty(); }

  /// To the end of the block, which also ends at times.
  void skip_block() {
    while (at_ < lines_.size() && !is_blank(at_) && !read_times(line(at_))) ++at_;
  }
  void skip_header() {
    const std::string_view first = line(0);
    constexpr std::string_view kName = "WEBVTT";
    if (!first.starts_with(kName) ||
        (first.size() > kName.size() && kSpaces.find(first[6]) == std::string_view::npos)) {
      fail<MarkupError>("line 1: expected WEBVTT, with which such a file begins, found '", shown(first), "'");
    }
    skip_block();
  }
  static bool is_note(std::string_view text) {
    const std::string_view word = text.substr(0, text.find_first_of(kSpaces));
    return word == "NOTE" || trimmed(text) == "STYLE" || trimmed(text) == "REGION";
  }

  /// The times may follow a number or, in WebVTT, a name. There, a block without times is no subtitle. In SRT, it
  /// belongs to the subtitle before it.
  void read_block() {
    const bool number = is_number(trimmed(line(at_))), last = at_ + 1 == lines_.size();
    const size_t second = (is_vtt_ || number) && !last ? at_ + 1 : at_;
    for (const size_t i : {at_, second}) {
      if (const std::optional<Cue> cue = read_times(line(i))) return read_cue(*cue, i);
    }
    for (const size_t i : {at_, second}) {
      if (has_times(i)) fail_times(i);
    }
    if (is_vtt_) return skip_block();
    const size_t next = after_blanks(at_ + 1);
    if (number && next == lines_.size()) {
      fail<MarkupError>("line ", at_ + 1, ": the file ends before the times of this subtitle");
    } else if (number && read_times(line(next))) {
      at_ = next;
    } else if (cues_.empty()) {
      fail_times(second);
    } else {
      go_on(cues_.back());
    }
  }
  size_t after_blanks(size_t number) const {
    while (number < lines_.size() && is_blank(number)) ++number;
    return number;
  }
  /// Adds the block, and the blank lines before it, to a subtitle.
  void go_on(Cue& cue) {
    cue.lines.insert(cue.lines.end(), lines_.begin() + static_cast<std::ptrdiff_t>(end_),
                     lines_.begin() + static_cast<std::ptrdiff_t>(at_));
    take_text(cue);
  }
  /// Whether the line has times, or something like them. In WebVTT, nothing else has an arrow.
  bool has_times(size_t number) const {
    const bool arrow = is_vtt_ && line(number).find(kArrow) != std::string_view::npos;
    return arrow || looks_like_times(line(number));
  }
  [[noreturn]] void fail_times(size_t number) const {
    fail<MarkupError>("line ", number + 1, ": expected the times of a subtitle, such as ",
                      is_vtt_ ? "00:01.000 --> 00:04.000" : "00:00:01,000 --> 00:00:04,000", ", found '",
                      shown(line(number)), "'");
  }
  void read_cue(Cue cue, size_t times) {
    limits_.count(lines_[times].begin);
    at_ = times + 1;
    cue.line = static_cast<int64_t>(at_) + 1;
    take_text(cue);
    if (!is_vtt_ || !is_metadata(cue)) cues_.push_back(std::move(cue));
  }
  /// Whether a program reads the text: an object or a list of JSON, or the part of an image ("a.jpg#xywh=0,0,160,90").
  bool is_metadata(const Cue& cue) const {
    if (cue.lines.empty()) return false;
    const std::string_view first = trimmed(part_of(document_, cue.lines.front()));
    if (first.starts_with('{') || first.starts_with('[')) {
      const size_t begin = cue.lines.front().begin;
      if (nlohmann::json::accept(document_.substr(begin, cue.lines.back().end - begin))) return true;
    }
    return cue.lines.size() == 1 && (first.find("#xywh=") != std::string_view::npos || is_image(first));
  }
  static bool is_image(std::string_view text) {
    constexpr std::array<std::string_view, 7> kEndings{".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif", ".svg"};
    return text.find(' ') == std::string_view::npos &&
           std::ranges::any_of(kEndings, [&](std::string_view ending) { return text.ends_with(ending); });
  }
  /// Up to a blank line, or to the number and the times of the next subtitle.
  void take_text(Cue& cue) {
    for (; at_ < lines_.size() && !is_blank(at_); ++at_) {
      const bool numbered = !cue.lines.empty() && is_number(trimmed(part_of(document_, cue.lines.back())));
      if (read_times(line(at_)) || (numbered && looks_like_times(line(at_)))) {
        if (numbered) cue.lines.pop_back();
        break;
      }
      cue.lines.push_back(lines_[at_]);
    }
    end_ = at_;
  }

  std::string_view document_;
  bool is_vtt_;
  markup::ParsingLimits limits_;
  std::vector<ByteRange> lines_;
  std::vector<Cue> cues_;
  size_t at_ = 0;
  size_t end_ = 0;  // of the text of the last subtitle
};

}  // namespace

std::vector<Cue> read_cues(std::string_view document, Markup markup) { return CueReader(document, markup).read(); }

}  // namespace ventris::formats
