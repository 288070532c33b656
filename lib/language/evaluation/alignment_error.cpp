#include "evaluation/alignment_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.h"
#include "core/log.h"
#include "evaluation/inputs.h"
#include "metrics/unicode.h"
#include "text/valid_utf8.h"
#include "text/word_links.h"

namespace ventris::evaluation {

using metrics::split_words;

namespace {

/// Reads a position at the beginning of `text` and removes it.
std::optional<int> take_position(std::string_view& text) {
  int position = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  if (error != std::errc() || text.starts_with('-') || position > text::kMostWordNumber) return std::nullopt;
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

/// The links of both files, with positions from 0 and source first, if the options say it right.
struct Alignments {
  std::vector<std::set<Link>> found;
  std::vector<GoldAlignment> gold;
};

/// How the gold alignment would have to be read differently.
struct Change {
  int shift = 0;  ///< added to each position
  bool swap = false;
};

std::set<Link> changed(const std::set<Link>& links, const Change& change) {
  std::set<Link> result;
  for (const auto& [source, target] : links) {
    const Link link{source + change.shift, target + change.shift};
    result.insert(change.swap ? Link{link.second, link.first} : link);
  }
  return result;
}

/// Throws DataError, beginning with `where`, for a position below the base.
std::set<Link> from_base(const std::set<Link>& links, int base, const char* flag, const std::string& where) {
  for (const auto& [source, target] : links) {
    if (source >= base && target >= base) continue;
    fail<DataError>(where, ": expected positions from ", base, " (", flag, "), found ", source, "-", target);
  }
  return changed(links, {.shift = -base});
}

Alignments read_alignments(const std::string& path, const std::string& gold_path, const AlignmentOptions& options) {
  const Corpus corpus = read_corpus({path}, {gold_path}, ByteOrderMark::kDropped);
  Alignments result;
  for (size_t i = 0; i < corpus.references[0].size(); ++i) {
    const std::string line = ":" + std::to_string(i + 1);
    const std::string here = name_of(path) + line, there = name_of(gold_path) + line;
    const auto links = parse_alignment(corpus.systems[0].lines[i], here);
    result.found.push_back(from_base(links, options.base, "--alignment-base", here));
    const GoldAlignment gold = parse_gold_alignment(corpus.references[0][i], there);
    const auto read = [&](const std::set<Link>& all) {
      return changed(from_base(all, options.gold_base, "--gold-base", there), {.swap = options.swap_gold});
    };
    result.gold.push_back({read(gold.sure), read(gold.possible)});
  }
  return result;
}

AlignmentCounts count_all(const Alignments& files, const Change& change = {}) {
  AlignmentCounts sum;
  for (size_t i = 0; i < files.found.size(); ++i) {
    const GoldAlignment& gold = files.gold[i];
    sum += count_links(files.found[i], {changed(gold.sure, change), changed(gold.possible, change)});
  }
  return sum;
}

/// Warns if the error rate is much lower when the gold alignment is read with one change.
void warn_of_other_numbers(const Alignments& files, double error_rate, const std::string& gold_path,
                           const AlignmentOptions& options) {
  constexpr double kMuchLower = 0.1;
  struct Other {
    Change change;
    const char* mistake;
    const char* remedy;
  };
  const Other lower{{.shift = -1},
                    "counts from 1, the alignment from 0",
                    options.base == 1 ? "without --alignment-base 1" : "with --gold-base 1"};
  const Other higher{{.shift = 1},
                     "counts from 0, the alignment from 1",
                     options.gold_base == 1 ? "without --gold-base 1" : "with --alignment-base 1"};
  const Other swapped{{.swap = true},
                      options.swap_gold ? "has source-target links" : "has target-source links",
                      options.swap_gold ? "without --swap-gold" : "with --swap-gold"};
  for (const auto& [change, mistake, remedy] : {lower, higher, swapped}) {
    const double other = alignment_score(count_all(files, change)).error_rate;
    if (other + kMuchLower > error_rate) continue;
    core::log_warning(
        fmt::format("{}: it seems that the gold alignment {}: {}, the error rate would be {:.1f} instead of {:.1f}",
                    name_of(gold_path), mistake, remedy, 100 * other, 100 * error_rate));
  }
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

std::string evaluate_alignments(const std::string& path, const std::string& gold_path,
                                const AlignmentOptions& alignment, const ReportOptions& options) {
  const Alignments files = read_alignments(path, gold_path, alignment);
  const AlignmentCounts counts = count_all(files);
  const AlignmentScore score = alignment_score(counts);
  warn_of_other_numbers(files, score.error_rate, gold_path, alignment);
  return format_score(score, counts, options);
}

}  // namespace ventris::evaluation
