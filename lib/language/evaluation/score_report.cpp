#include "evaluation/score_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "metrics/signature.h"

namespace ventris::evaluation {

using metrics::BleuOptions;
using metrics::BleuScore;
using metrics::ChrfOptions;
using metrics::ChrfScore;
using metrics::implementation;
using metrics::ResamplingOptions;
using metrics::TerOptions;
using metrics::TerScore;

namespace {

const char* yes_or_no(bool value) { return value ? "yes" : "no"; }
const char* letter_case(bool lowercase) { return lowercase ? "lc" : "mixed"; }

std::string chrf_signature(const ChrfOptions& options, size_t references) {
  return fmt::format("nrefs:{}|case:{}|eff:{}|nc:{}|nw:{}|space:{}|{}", references, letter_case(options.lowercase),
                     yes_or_no(!options.eps_smoothing), options.char_order, options.word_order,
                     yes_or_no(options.whitespace), implementation());
}

std::string ter_signature(const TerOptions& options, size_t references) {
  return fmt::format("nrefs:{}|case:{}|tok:tercom|norm:{}|punct:{}|asian:{}|{}", references,
                     letter_case(!options.case_sensitive), yes_or_no(options.normalized),
                     yes_or_no(!options.no_punctuation), yes_or_no(options.asian_support), implementation());
}

std::string number(double score, const ReportOptions& options) { return fmt::format("{:.{}f}", score, options.width); }

/// "μ = 40.2 ± 1.3"; empty if the mean is 0, as in sacreBLEU.
std::string confidence_text(const ReportedScore& report, const ReportOptions& options) {
  if (!report.confidence || report.confidence->mean <= 0) return "";
  return "μ = " + number(report.confidence->mean, options) + " ± " + number(report.confidence->interval, options);
}

std::string score_text(const ReportedScore& report, const ReportOptions& options) {
  const std::string confidence = confidence_text(report, options), score = number(report.score, options);
  return confidence.empty() ? score : score + " (" + confidence + ")";
}

std::string to_json(const ReportedScore& report, const ReportOptions& options) {
  nlohmann::ordered_json json;
  json["name"] = report.name;
  json["score"] = std::stod(number(report.score, options));
  json["signature"] = report.signature;
  if (const std::string confidence = confidence_text(report, options); !confidence.empty()) {
    json["confidence_mean"] = std::stod(number(report.confidence->mean, options));
    json["confidence_var"] = std::stod(number(report.confidence->interval, options));
    json["confidence"] = confidence;
  }
  if (!report.verbose.empty()) json["verbose_score"] = report.verbose;
  for (size_t start = 0; start < report.signature.size();) {
    const size_t end = std::min(report.signature.find('|', start), report.signature.size());
    const size_t colon = report.signature.find(':', start);
    json[report.signature.substr(start, colon - start)] = report.signature.substr(colon + 1, end - colon - 1);
    start = end + 1;
  }
  return json.dump(1);
}

/// Aligns the lines at their " = ". Lines without it stay as they are.
std::string align(const std::vector<std::string>& lines) {
  const auto left_width = [](const std::string& line) {
    const size_t found = line.find(" = ");
    return found == std::string::npos ? 0 : found;
  };
  size_t widest = 0;
  for (const std::string& line : lines) widest = std::max(widest, left_width(line));
  std::string result;
  for (const std::string& line : lines) {
    const size_t width = left_width(line);
    result += std::string(width > 0 ? widest - width : 0, ' ') + line + '\n';
  }
  return result;
}

}  // namespace

ReportedScore bleu_report(const BleuScore& score, const BleuOptions& options, size_t references) {
  const double ratio =
      score.ref_length > 0 ? static_cast<double>(score.hyp_length) / static_cast<double>(score.ref_length) : 0;
  const auto& p = score.precisions;
  return {"BLEU", score.score, bleu_signature(options, references),
          fmt::format("{:.1f}/{:.1f}/{:.1f}/{:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})", p[0], p[1],
                      p[2], p[3], score.brevity_penalty, ratio, score.hyp_length, score.ref_length)};
}

ReportedScore chrf_report(const ChrfScore& score, const ChrfOptions& options, size_t references) {
  return {fmt::format("chrF{}{}", options.beta, std::string(static_cast<size_t>(options.word_order), '+')), score.score,
          chrf_signature(options, references), ""};
}

ReportedScore ter_report(const TerScore& score, const TerOptions& options, size_t references) {
  return {"TER", score.score, ter_signature(options, references), ""};
}

std::string add_sampling(std::string signature, const std::string& test, const ResamplingOptions& options) {
  return signature.insert(signature.find('|') + 1, fmt::format("{}:{}|seed:{}|", test, options.samples, options.seed));
}

std::string format_report(const ReportedScore& report, const ReportOptions& options) {
  if (options.score_only) return score_text(report, options);
  if (options.format == ReportFormat::kJson) return to_json(report, options);
  const std::string line = report.name + "|" + report.signature + " = " + score_text(report, options);
  return report.verbose.empty() ? line : line + " " + report.verbose;
}

std::string format_reports(const std::vector<ReportedScore>& reports, const ReportOptions& options) {
  std::vector<std::string> parts;
  for (const ReportedScore& report : reports) parts.push_back(format_report(report, options));
  if (options.format == ReportFormat::kJson && reports.size() > 1) {
    return fmt::format("[\n{}\n]\n", fmt::join(parts, ",\n"));
  }
  if (options.format == ReportFormat::kText) return align(parts);
  return fmt::format("{}\n", fmt::join(parts, "\n"));
}

}  // namespace ventris::evaluation
