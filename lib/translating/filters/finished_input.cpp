#include "filters/finished_input.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "files/files.h"
#include "filters/shard.h"
#include "text/valid_utf8.h"

namespace ventris::filters {
namespace {

using nlohmann::ordered_json;

constexpr size_t kMostMarks = 8192;

uint32_t add_line(std::string_view line, uint32_t so_far) { return files::crc32("\n", files::crc32(line, so_far)); }

/// The checksums of marks by their number of lines; none for something else than marks.
std::map<int64_t, std::pair<uint32_t, uint32_t>> read_marks(const ordered_json& marks) {
  std::map<int64_t, std::pair<uint32_t, uint32_t>> found;
  for (const ordered_json& mark : marks) {
    const auto is_count = [](const ordered_json& part) { return part.is_number_integer() && part >= 0; };
    if (!mark.is_array() || mark.size() != 3 || !std::ranges::all_of(mark, is_count)) return {};
    found[mark[0].get<int64_t>()] = {mark[1].get<uint32_t>(), mark[2].get<uint32_t>()};
  }
  return found;
}

/// Reads the next line that is not blank, or, if blank lines are lines, the next one.
bool next_line(text::LineReader& input, bool skips_blank, std::string& line) {
  while (input.next(line)) {
    if (!skips_blank || !text::is_blank(line)) return true;
  }
  return false;
}

}  // namespace

size_t longest_text(const TranslateSettings& settings) {
  const bool divided = settings.document.split_sentences || settings.document.markup != markup::Markup::kNone;
  return divided ? markup::kLongestDocument : text::LineReaderOptions().max_bytes;
}

text::LineReaderOptions reading_options(const TranslateSettings& settings) {
  text::LineReaderOptions options;
  options.strict = settings.strict;
  if (settings.input_format == InputFormat::kJsonl) {
    options.max_bytes = kLongestJson;
  } else if (settings.document.markup != markup::Markup::kNone) {
    options.max_bytes = 2 * markup::kLongestDocument;  // such a document is refused before a line is cut
  } else if (settings.document.split_sentences) {
    options.max_bytes = longest_text(settings);
  }
  return options;
}

void FinishedInput::read(std::string_view line, std::string_view prefix) {
  newest_ = {newest_.lines + 1, add_line(line, newest_.input), add_line(prefix, newest_.prefixes)};
  waiting_.push_back(newest_);
}

void FinishedInput::finish() {
  if (waiting_.empty()) return;
  marks_.push_back(waiting_.front());
  waiting_.pop_front();
  if (marks_.size() < kMostMarks) return;
  // Every second mark of the older half goes, so that the marks are the sparser the older they are.
  std::vector<Mark> kept;
  for (size_t i = 0; i < marks_.size(); ++i) {
    if (i >= kMostMarks / 2 || i % 2 == 1) kept.push_back(marks_[i]);
  }
  marks_ = std::move(kept);
}

ordered_json FinishedInput::to_json() const {
  ordered_json list = ordered_json::array();
  int64_t distance = 0;  // from the end; it doubles
  for (auto mark = marks_.rbegin(); mark != marks_.rend(); ++mark) {
    if (marks_.back().lines - mark->lines < distance) continue;
    list.push_back({mark->lines, mark->input, mark->prefixes});
    distance = std::max<int64_t>(2 * (marks_.back().lines - mark->lines), 1);
  }
  return list;
}

int64_t lines_as_before(const ordered_json& marks, const TranslateSettings& settings) {
  text::LineReader input = parse_shard(settings.shard).is_whole()
                               ? text::LineReader(settings.input, reading_options(settings))
                               : open_shard(settings).reader;
  std::optional<text::LineReader> prefixes;
  if (!settings.force_prefix.empty()) prefixes.emplace(settings.force_prefix, reading_options(settings));
  const bool json = settings.input_format == InputFormat::kJsonl;
  std::pair<uint32_t, uint32_t> sums;
  int64_t read = 0;
  int64_t same = 0;
  std::string line, prefix;
  for (const auto& [lines, expected] : read_marks(marks)) {
    for (; read < lines; ++read) {
      if (!next_line(input, json, line) || (prefixes && !prefixes->next(prefix))) return same;
      sums = {add_line(line, sums.first), add_line(prefix, sums.second)};
    }
    if (sums != expected) break;
    same = lines;
  }
  return same;
}

}  // namespace ventris::filters
