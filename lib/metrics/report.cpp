#include "metrics/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/process.h"

namespace ventris::metrics {
namespace {

std::string implementation() { return std::string("impl:ventris-") + core::version() + "|compat:2.6.0"; }

const char* yes_or_no(bool value) { return value ? "yes" : "no"; }
const char* letter_case(bool lowercase) { return lowercase ? "lc" : "mixed"; }

std::string bleu_signature(const BleuOptions& options, size_t references) {
  std::string smoothing = smoothing_names().at(static_cast<size_t>(options.smoothing));
  if (const auto value = smooth_value(options)) smoothing += fmt::format("[{:.2f}]", *value);
  return fmt::format("nrefs:{}|case:{}|eff:{}|tok:{}|smooth:{}|{}", references, letter_case(options.lowercase),
                     yes_or_no(options.effective_order),
                     tokenization_names().at(static_cast<size_t>(options.tokenization)), smoothing, implementation());
}

std::string chrf_signature(const ChrfOptions& options, size_t references) {
  return fmt::format("nrefs:{}|case:{}|eff:{}|nc:{}|nw:{}|space:{}|{}", references, letter_case(options.lowercase),
                     yes_or_no(!options.eps_smoothing), options.char_order, options.word_order,
                     yes_or_no(options.whitespace), implementation());
}

std::string number(double score, const ReportOptions& options) { return fmt::format("{:.{}f}", score, options.width); }

std::string to_json(const Report& report, const ReportOptions& options) {
  nlohmann::ordered_json json;
  json["name"] = report.name;
  json["score"] = std::stod(number(report.score, options));
  json["signature"] = report.signature;
  if (!report.verbose.empty()) json["verbose_score"] = report.verbose;
  for (size_t start = 0; start < report.signature.size();) {
    const size_t end = std::min(report.signature.find('|', start), report.signature.size());
    const size_t colon = report.signature.find(':', start);
    json[report.signature.substr(start, colon - start)] = report.signature.substr(colon + 1, end - colon - 1);
    start = end + 1;
  }
  return json.dump(1);
}

std::string align(const std::vector<std::string>& lines) {
  size_t widest = 0;
  for (const std::string& line : lines) widest = std::max(widest, line.find(" = "));
  std::string result;
  for (const std::string& line : lines) result += std::string(widest - line.find(" = "), ' ') + line + '\n';
  return result;
}

}  // namespace

Report bleu_report(const BleuScore& score, const BleuOptions& options, size_t references) {
  const double ratio =
      score.ref_length > 0 ? static_cast<double>(score.hyp_length) / static_cast<double>(score.ref_length) : 0;
  const auto& p = score.precisions;
  return {"BLEU", score.score, bleu_signature(options, references),
          fmt::format("{:.1f}/{:.1f}/{:.1f}/{:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})", p[0], p[1],
                      p[2], p[3], score.brevity_penalty, ratio, score.hyp_length, score.ref_length)};
}

Report chrf_report(const ChrfScore& score, const ChrfOptions& options, size_t references) {
  return {fmt::format("chrF{}{}", options.beta, std::string(static_cast<size_t>(options.word_order), '+')), score.score,
          chrf_signature(options, references), ""};
}

std::string format_report(const Report& report, const ReportOptions& options) {
  if (options.score_only) return number(report.score, options);
  if (options.format == ReportFormat::kJson) return to_json(report, options);
  const std::string line = report.name + "|" + report.signature + " = " + number(report.score, options);
  return report.verbose.empty() ? line : line + " " + report.verbose;
}

std::string format_reports(const std::vector<Report>& reports, const ReportOptions& options) {
  std::vector<std::string> parts;
  for (const Report& report : reports) parts.push_back(format_report(report, options));
  if (options.format == ReportFormat::kJson && reports.size() > 1) {
    return fmt::format("[\n{}\n]\n", fmt::join(parts, ",\n"));
  }
  if (options.format == ReportFormat::kText && !options.score_only) return align(parts);
  return fmt::format("{}\n", fmt::join(parts, "\n"));
}

}  // namespace ventris::metrics
