#include "evaluation/systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/printable.h"
#include "metrics/unicode.h"

namespace ventris::evaluation {

using metrics::decode;

namespace {

using Cell = std::vector<std::string>;  // its lines

size_t width_of(const std::string& text) { return decode(text).size(); }

/// Draws a table with box-drawing characters: the first column is right-aligned, the others are centred.
class Grid {
 public:
  explicit Grid(const std::vector<std::string>& headers) {
    for (const std::string& header : headers) widths_.push_back(width_of(header) + 2);
    std::vector<Cell> row;
    for (const std::string& header : headers) row.push_back({header});
    add(row);
  }

  void add(const std::vector<Cell>& row) {
    for (size_t c = 0; c < row.size(); ++c) {
      for (const std::string& line : row[c]) widths_[c] = std::max(widths_[c], width_of(line));
    }
    rows_.push_back(row);
  }

  std::string text() const {
    std::string result = rule("╒", "═", "╤", "╕");
    for (size_t r = 0; r < rows_.size(); ++r) {
      if (r > 0) result += r == 1 ? rule("╞", "═", "╪", "╡") : rule("├", "─", "┼", "┤");
      size_t lines = 0;
      for (const Cell& cell : rows_[r]) lines = std::max(lines, cell.size());
      for (size_t line = 0; line < lines; ++line) result += text_line(rows_[r], line);
    }
    return result + rule("╘", "═", "╧", "╛");
  }

 private:
  std::string rule(const char* begin, const char* dash, const char* cross, const char* end) const {
    std::string result = begin;
    for (size_t c = 0; c < widths_.size(); ++c) {
      if (c > 0) result += cross;
      for (size_t i = 0; i < widths_[c] + 2; ++i) result += dash;
    }
    return result + end + '\n';
  }

  std::string text_line(const std::vector<Cell>& row, size_t line) const {
    std::string result;
    for (size_t c = 0; c < row.size(); ++c) {
      const std::string text = line < row[c].size() ? row[c][line] : "";
      const size_t free = widths_[c] - width_of(text), left = c == 0 ? free : free / 2;
      result += "│ " + std::string(left, ' ') + text + std::string(free - left, ' ') + " ";
    }
    return result + "│\n";
  }

  std::vector<size_t> widths_;  // in characters
  std::vector<std::vector<Cell>> rows_;
};

bool is_paired(const Comparison& comparison) {
  return comparison.test == SignificanceTest::kPairedBootstrap ||
         comparison.test == SignificanceTest::kPairedRandomization;
}

Cell cell_of(const SystemScore& score, int width) {
  Cell cell{fmt::format("{:.{}f}", score.score, width)};
  if (score.confidence) {
    cell[0] += fmt::format(" ({:.{}f} ± {:.{}f})", score.confidence->mean, width, score.confidence->interval, width);
  }
  if (score.p_value) cell.push_back(fmt::format("(p = {:.4f}){}", *score.p_value, *score.p_value > 0.05 ? "" : "*"));
  return cell;
}

std::string table(const Comparison& comparison, const ReportOptions& options) {
  std::vector<std::string> headers{"System"};
  for (const SystemScores& metric : comparison.metrics) {
    headers.push_back(metric.metric + (metric.scores.at(0).confidence ? " (μ ± 95% CI)" : ""));
  }
  Grid grid(headers);
  for (size_t s = 0; s < comparison.systems.size(); ++s) {
    std::vector<Cell> row{{core::printable(comparison.systems[s])}};
    for (const SystemScores& metric : comparison.metrics) row.push_back(cell_of(metric.scores.at(s), options.width));
    grid.add(row);
  }
  return grid.text();
}

std::string headline(const std::string& text) {
  const std::string dashes(text.size(), '-');
  return dashes + '\n' + text + '\n' + dashes + '\n';
}

std::string explanation(const Comparison& comparison) {
  const bool bootstrap = comparison.test == SignificanceTest::kPairedBootstrap;
  return '\n' +
         headline(fmt::format("Paired {} test with {} {}",
                              bootstrap ? "bootstrap resampling" : "approximate randomization", comparison.samples,
                              bootstrap ? "resampling trials" : "trials")) +
         " - Every system is compared with the first, the baseline.\n" +
         (bootstrap ? " - A score is followed by the mean over all resamples and half of their 95% interval.\n" : "") +
         " - p estimates how often a difference as large as this one would come about by chance\n"
         "   if system and baseline were equally good; * marks p up to 0.05.\n"
         " - A small p says that the systems differ, not that the difference is large.\n";
}

std::string to_json(const Comparison& comparison, const ReportOptions& options) {
  auto array = nlohmann::ordered_json::array();
  for (size_t s = 0; s < comparison.systems.size(); ++s) {
    nlohmann::ordered_json system{{"system", comparison.systems[s]}};
    for (const SystemScores& metric : comparison.metrics) {
      const SystemScore& score = metric.scores.at(s);
      auto& value = system[metric.metric];
      if (!is_paired(comparison)) {
        value = fmt::format("{:.{}f}", score.score, options.width);
        continue;
      }
      value["score"] = score.score;
      value["p_value"] = nullptr;
      value["mean"] = nullptr;
      value["ci"] = nullptr;
      if (score.p_value) value["p_value"] = *score.p_value;
      if (!score.confidence) continue;
      value["mean"] = score.confidence->mean;
      value["ci"] = score.confidence->interval;
    }
    array.push_back(std::move(system));
  }
  return array.dump(4, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string format_comparison(const Comparison& comparison, const ReportOptions& options) {
  if (options.format == ReportFormat::kJson) return to_json(comparison, options);
  std::string text = table(comparison, options);
  if (is_paired(comparison)) text += explanation(comparison);
  text += '\n' + headline("Metric signatures");
  for (const SystemScores& metric : comparison.metrics) {
    text += fmt::format(" - {:<10} {}\n", metric.metric, metric.signature);
  }
  return text;
}

}  // namespace ventris::evaluation
