#include "filters/moses.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "text/utf8.h"

namespace ventris::filters {
namespace {

constexpr std::string_view kBars = "|||";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

MosesLine MosesLine::parse(std::string_view line, const std::string& where) {
  MosesLine parsed;
  size_t begin = 0;
  for (size_t end = 0; end != std::string_view::npos; begin = end + kBars.size()) {
    end = line.find(kBars, begin);
    parsed.fields.emplace_back(trimmed(line.substr(begin, end == std::string_view::npos ? end : end - begin)));
  }
  const std::string& id = parsed.fields.front();
  const auto [stop, error] = std::from_chars(id.data(), id.data() + id.size(), parsed.id);
  if (parsed.fields.size() < 2 || error != std::errc() || stop != id.data() + id.size() || parsed.id < 0) {
    fail<DataError>(where, ": expected ID ||| text ||| ..., the ID a number from 0, got '", text::cut_utf8(line, 60),
                    "'");
  }
  return parsed;
}

bool MosesLine::has_feature(const std::string& name) const {
  return std::any_of(fields.begin() + 2, fields.end(), [&](const std::string& field) {
    return (" " + field).find(" " + name + "= ") != std::string::npos;
  });
}

void MosesLine::add_feature(const std::string& name, const std::string& value) {
  const std::string feature = name + "= " + value;
  for (size_t i = fields.size(); i-- > 2;) {
    if (fields[i].find('=') == std::string::npos) continue;
    fields[i] += " " + feature;
    return;
  }
  fields.insert(fields.begin() + 2, feature);
}

std::string MosesLine::to_text() const {
  std::string line = fields.front();
  for (size_t i = 1; i < fields.size(); ++i) line += " ||| " + fields[i];
  return line;
}

std::string as_field(std::string text) {
  for (size_t at = text.find("|||"); at != std::string::npos; at = text.find("|||", at)) text.replace(at, 3, "| | |");
  return text;
}

std::string format_word_scores(const std::vector<float>& log_probs) {
  std::string text = "WordScores=";
  for (const float log_prob : log_probs) text += fmt::format(" {:.6f}", log_prob);
  return text;
}

}  // namespace ventris::filters
