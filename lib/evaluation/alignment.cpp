#include "evaluation/alignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.h"
#include "evaluation/inputs.h"
#include "metrics/unicode.h"
#include "text/utf8.h"

namespace ventris::evaluation {

using metrics::split_words;

namespace {

/// Reads a position at the beginning of `text` and removes it.
std::optional<int> take_position(std::string_view& text) {
  int position = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  if (error != std::errc() || position < 0) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return position;
}

/// Reads a link with one of `signs` between its positions; `sign` gets that sign.
std::optional<Link> parse_link(std::string_view word, std::string_view signs, char& sign) {
  const auto source = take_position(word);
  if (!source || word.empty() || signs.find(word[0]) == std::string_view::npos) return std::nullopt;
  sign = word[0];
  word.remove_prefix(1);
  const auto target = take_position(word);
  if (!target || !word.empty()) return std::nullopt;
  return Link{*source, *target};
}

std::vector<std::set<Link>> read_alignments(const std::vector<std::string>& lines, const std::string& path) {
  std::vector<std::set<Link>> result;
  for (const std::string& line : lines) {
    result.push_back(parse_alignment(line, name_of(path) + ":" + std::to_string(result.size() + 1)));
  }
  return result;
}

double share(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 1;
}

std::string format_score(const AlignmentScore& score, const AlignmentCounts& counts, const ReportOptions& options) {
  const int width = options.width;
  const auto percent = [width](double value) { return fmt::format("{:.{}f}", 100 * value, width); };
  if (options.score_only) return percent(score.error_rate) + '\n';
  if (options.format == ReportFormat::kText) {
    return fmt::format("AER = {} (precision = {} recall = {} links = {} sure = {})\n", percent(score.error_rate),
                       percent(score.precision), percent(score.recall), counts.links, counts.sure);
  }
  const auto number = [&](double value) { return std::stod(percent(value)); };
  return nlohmann::ordered_json{{"name", "AER"},
                                {"score", number(score.error_rate)},
                                {"precision", number(score.precision)},
                                {"recall", number(score.recall)},
                                {"links", counts.links},
                                {"sure", counts.sure}}
             .dump(1) +
         '\n';
}

}  // namespace

AlignmentCounts& AlignmentCounts::operator+=(const AlignmentCounts& other) {
  links += other.links;
  sure += other.sure;
  matched_sure += other.matched_sure;
  matched_possible += other.matched_possible;
  return *this;
}

std::set<Link> parse_alignment(std::string_view line, const std::string& where) {
  std::set<Link> links;
  for (const std::string_view word : split_words(line)) {
    char sign = 0;
    const auto link = parse_link(word, "-", sign);
    if (!link) fail<DataError>(where, ": expected links like 0-0 1-2, found \"", text::cut_utf8(word, 60), "\"");
    links.insert(*link);
  }
  return links;
}

GoldAlignment parse_gold_alignment(std::string_view line, const std::string& where) {
  GoldAlignment gold;
  for (const std::string_view word : split_words(line)) {
    const bool marked = word.starts_with('p');
    char sign = 0;
    const auto link = parse_link(marked ? word.substr(1) : word, marked ? "-" : "-?p", sign);
    if (!link) {
      fail<DataError>(where, ": expected sure links like 1-2 and possible ones like 1?2, 1p2 or p1-2, found \"",
                      text::cut_utf8(word, 60), "\"");
    }
    gold.possible.insert(*link);
    if (!marked && sign == '-') gold.sure.insert(*link);
  }
  return gold;
}

AlignmentCounts count_links(const std::set<Link>& links, const GoldAlignment& gold) {
  const auto in = [](const std::set<Link>& set) { return [&set](const Link& link) { return set.contains(link); }; };
  return {static_cast<int64_t>(links.size()), static_cast<int64_t>(gold.sure.size()),
          std::count_if(links.begin(), links.end(), in(gold.sure)),
          std::count_if(links.begin(), links.end(), in(gold.possible))};
}

AlignmentScore alignment_score(const AlignmentCounts& counts) {
  return {share(counts.matched_possible, counts.links), share(counts.matched_sure, counts.sure),
          1 - share(counts.matched_sure + counts.matched_possible, counts.links + counts.sure)};
}

std::string evaluate_alignments(const std::string& path, const std::string& gold_path, const ReportOptions& options) {
  const Corpus corpus = read_corpus({path}, {gold_path});
  const auto found = read_alignments(corpus.systems[0].lines, path);
  AlignmentCounts sum;
  for (size_t i = 0; i < found.size(); ++i) {
    const std::string where = name_of(gold_path) + ":" + std::to_string(i + 1);
    sum += count_links(found[i], parse_gold_alignment(corpus.references[0][i], where));
  }
  return format_score(alignment_score(sum), sum, options);
}

}  // namespace ventris::evaluation
