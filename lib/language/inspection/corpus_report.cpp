#include "inspection/corpus_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/human.h"
#include "core/printable.h"
#include "text/line_sequence.h"

namespace ventris::inspection {
namespace {

using core::grouped;
using nlohmann::ordered_json;

constexpr std::array<int, 6> kPercentiles{1, 25, 50, 90, 95, 99};
constexpr std::array<int, 5> kRatioPercentiles{1, 5, 50, 95, 99};
constexpr int kBarWidth = 40;

double share_of(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// --- JSON

ordered_json to_json(const LineTally& tally) {
  ordered_json out{{"lines", tally.count}};
  if (tally.first > 0) out["first_line"] = tally.first;
  return out;
}

ordered_json to_json(const LengthCounts& lengths) {
  ordered_json out{{"total", lengths.total()},
                   {"mean", lengths.mean()},
                   {"shortest", lengths.shortest()},
                   {"longest", lengths.longest()},
                   {"longest_line", lengths.longest_line()}};
  for (const int percent : kPercentiles) {
    out["percentiles"][std::to_string(percent)] = lengths.percentile(percent / 100.0);
  }
  out["histogram"] = ordered_json::array();
  for (const auto& bin : lengths.histogram()) {
    out["histogram"].push_back({{"from", bin.first}, {"to", bin.last}, {"lines", bin.lines}});
  }
  return out;
}

ordered_json to_json(const ScriptCount& script, int64_t all) {
  ordered_json out{{"script", script.script}, {"characters", script.count}, {"share", share_of(script.count, all)}};
  for (const CharacterCount& one : script.top) {
    out["top"].push_back(
        {{"character", utf8_of(one.character)}, {"code", code_of(one.character)}, {"count", one.count}});
  }
  return out;
}

int64_t visible_characters(const SideStatistics& side) {
  int64_t sum = 0;
  for (const ScriptCount& script : side.scripts) sum += script.count;
  return sum;
}

ordered_json to_json(const SideStatistics& side) {
  ordered_json out{{"path", side.path}, {"lines", side.characters.lines()}};
  out["characters"] = to_json(side.characters);
  out["words"] = to_json(side.words);
  if (side.has_tokens()) {
    out["tokens"] = to_json(side.tokens);
    out["unknown"] = to_json(side.with_unknown);
    out["unknown"].update({{"tokens", side.unknown}, {"share", share_of(side.unknown, side.tokens.total())}});
    out["tokenizer"] = {{"pieces", side.pieces}, {"used", side.pieces_used}};
  }
  out["empty"] = to_json(side.blank);
  out["invalid_utf8"] = to_json(side.invalid_utf8);
  out["too_long"] = to_json(side.too_long);
  out["duplicates"] = {{"lines", side.duplicates}, {"share", share_of(side.duplicates, side.characters.lines())}};
  out["scripts"] = ordered_json::array();
  for (const ScriptCount& script : side.scripts) out["scripts"].push_back(to_json(script, visible_characters(side)));
  return out;
}

ordered_json to_json(const PairStatistics& pairs, const char* unit) {
  ordered_json out{{"pairs", pairs.pairs},
                   {"duplicates", {{"lines", pairs.duplicates}, {"share", share_of(pairs.duplicates, pairs.pairs)}}},
                   {"identical", to_json(pairs.identical)},
                   {"one_side_empty", to_json(pairs.one_blank)},
                   {"uneven", to_json(pairs.uneven)}};
  if (pairs.ratios.empty()) return out;
  out["length_ratio"]["unit"] = unit;
  for (size_t i = 0; i < pairs.ratios.size(); ++i) {
    out["length_ratio"]["percentiles"][std::to_string(kRatioPercentiles.at(i))] = pairs.ratios[i];
  }
  return out;
}

const char* unit_of(const CorpusStatistics& corpus) { return corpus.source.has_tokens() ? "tokens" : "words"; }

// --- text

std::string counted(int64_t count, std::string_view noun) { return grouped(count) + " " + core::plural(count, noun); }

/// Turns the statistics of one corpus into readable lines.
class CorpusText {
 public:
  explicit CorpusText(const CorpusStatistics& corpus) : corpus_(corpus) {}

  std::string text() {
    add("{}: corpus, {}", headline(), verdict());
    if (!corpus_.problem.empty()) add("problem        {}", core::printable(corpus_.problem));
    side(corpus_.target ? "source" : "text", corpus_.source);
    if (corpus_.target) side("target", *corpus_.target);
    if (corpus_.pairs) pairs(*corpus_.pairs);
    if (corpus_.overlap) overlap(*corpus_.overlap);
    return std::move(text_);
  }

 private:
  const char* verdict() const {
    if (!corpus_.problem.empty()) return "NOT USABLE";
    const auto is_other = [](const SideStatistics& side) {
      return text::is_other_encoding(
          {.lines = side.characters.lines(), .invalid_utf8 = static_cast<int64_t>(side.invalid_utf8.count)});
    };
    const bool other = is_other(corpus_.source) || (corpus_.target && is_other(*corpus_.target));
    return other ? "PROBABLY NOT IN UTF-8 (see bad UTF-8; convert it first, for example with iconv)"
                 : "its format is correct";
  }

  template <typename... Parts>
  void add(fmt::format_string<Parts...> format, Parts&&... parts) {
    text_ += fmt::format(format, std::forward<Parts>(parts)...) + '\n';
  }

  std::string headline() const {
    const std::string source = core::printable(corpus_.source.path);
    if (!corpus_.target || corpus_.paths.tsv) return source;
    return source + " and " + core::printable(corpus_.target->path);
  }

  void tally(const char* name, const LineTally& lines) {
    if (lines.count > 0) add("  {:<12} {}, the first is line {}", name, counted(lines.count, "line"), lines.first);
  }

  void repeated(const char* name, int64_t count, int64_t all) {
    add("  {:<12} {} ({:.2f} %)", name, grouped(count), 100 * share_of(count, all));
  }

  void lengths(const char* unit, const LengthCounts& lengths) {
    std::string percentiles;
    for (const int percent : kPercentiles) {
      percentiles += fmt::format("  {} %: {}", percent, grouped(lengths.percentile(percent / 100.0)));
    }
    add("  {:<12} {}, {:.1f} per line{}, longest {} (line {})", unit, grouped(lengths.total()), lengths.mean(),
        percentiles, grouped(lengths.longest()), lengths.longest_line());
  }

  void histogram(const char* unit, const LengthCounts& lengths) {
    const auto bins = lengths.histogram();
    int64_t most = 1;
    for (const auto& bin : bins) most = std::max(most, bin.lines);
    add("  {} per line", unit);
    for (const auto& bin : bins) {
      const std::string range =
          bin.first == bin.last ? grouped(bin.first) : grouped(bin.first) + " to " + grouped(bin.last);
      const auto width = static_cast<size_t>((kBarWidth * bin.lines + most - 1) / most);
      add("    {:>16} {:>12}{}", range, grouped(bin.lines), width > 0 ? "  " + std::string(width, '#') : "");
    }
  }

  void script(const ScriptCount& script, int64_t all) {
    std::string top;
    for (const CharacterCount& one : script.top) {
      const std::string text = utf8_of(one.character);
      const bool shows = one.character != 0x20 && one.character != 0xa0 && core::printable(text) == text;
      top += " " + (shows ? text : code_of(one.character));
    }
    add("    {:<16} {:>12} {:>6.2f} % {}", script.script, grouped(script.count), 100 * share_of(script.count, all),
        top);
  }

  void side(const char* name, const SideStatistics& side) {
    const int64_t lines = side.characters.lines();
    add("\n{}: {}", name, counted(lines, "line"));
    lengths("characters", side.characters);
    lengths("words", side.words);
    if (side.has_tokens()) {
      lengths("tokens", side.tokens);
      add("  {:<12} {} ({:.3f} %) in {}; {} of the {} pieces are used", "unknown", counted(side.unknown, "token"),
          100 * share_of(side.unknown, side.tokens.total()), counted(side.with_unknown.count, "line"),
          grouped(side.pieces_used), grouped(side.pieces));
    }
    repeated("duplicates", side.duplicates, lines);
    tally("empty", side.blank);
    tally("bad UTF-8", side.invalid_utf8);
    tally("over 1 MiB", side.too_long);
    side.has_tokens() ? histogram("tokens", side.tokens) : histogram("words", side.words);
    if (!side.scripts.empty()) add("  characters by script, with the most frequent ones");
    for (const ScriptCount& one : side.scripts) script(one, visible_characters(side));
  }

  void pairs(const PairStatistics& pairs) {
    add("\npairs: {}", grouped(pairs.pairs));
    repeated("duplicates", pairs.duplicates, pairs.pairs);
    tally("same text", pairs.identical);
    tally("half empty", pairs.one_blank);
    tally("uneven", pairs.uneven);
    if (pairs.ratios.empty()) return;
    std::string percentiles;
    for (size_t i = 0; i < pairs.ratios.size(); ++i) {
      percentiles += fmt::format("{}{} %: {:.2f}", i == 0 ? "" : "  ", kRatioPercentiles.at(i), pairs.ratios[i]);
    }
    add("  {:<12} {} (target / source, in {})", "length ratio", percentiles, unit_of(corpus_));
  }

  void overlap(const OverlapStatistics& overlap) {
    add("\noverlap with the test set of {}", counted(overlap.lines, "line"));
    repeated("source", overlap.source, overlap.lines);
    if (corpus_.target) repeated("target", overlap.target, overlap.lines);
    if (corpus_.target) repeated("both", overlap.pair, overlap.lines);
    tally("in corpus", overlap.in_corpus);
  }

  const CorpusStatistics& corpus_;
  std::string text_;
};

}  // namespace

ordered_json to_json(const CorpusStatistics& corpus) {
  ordered_json out{{"kind", "corpus"}, {"lines", corpus.source.characters.lines()}, {"source", to_json(corpus.source)}};
  if (corpus.target) out["target"] = to_json(*corpus.target);
  if (corpus.pairs) out["pairs"] = to_json(*corpus.pairs, unit_of(corpus));
  if (corpus.overlap) {
    const OverlapStatistics& overlap = *corpus.overlap;
    out["overlap"] = {{"lines", overlap.lines}, {"source", overlap.source}};
    if (corpus.target) out["overlap"].update({{"target", overlap.target}, {"both", overlap.pair}});
    out["overlap"]["in_corpus"] = to_json(overlap.in_corpus);
  }
  if (!corpus.problem.empty()) out["problem"] = corpus.problem;
  return out;
}

std::string to_text(const CorpusStatistics& corpus) { return CorpusText(corpus).text(); }

}  // namespace ventris::inspection
