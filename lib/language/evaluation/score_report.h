#pragma once
#include <optional>
#include <string>
#include <vector>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/resampling.h"
#include "metrics/ter.h"

/// Scores as text and as JSON, in the format of sacreBLEU. Signatures end with the name and version of Ventris and the
/// version of sacreBLEU that gives the same numbers:
/// "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|impl:ventris-0.1.0|compat:2.6.0".
/// A SentencePiece model is identified by its crc32: "tok:spm[1a2b3c4d]".
namespace ventris::evaluation {

/// One score for printing.
struct ReportedScore {
  std::string name;       ///< "BLEU", "chrF2++", "TER"
  double score = 0;       ///< at least 0
  std::string signature;  ///< key:value pairs, separated by |
  std::string verbose;    ///< details, e.g. precisions; may be empty
  std::optional<metrics::Confidence> confidence = {};
};

ReportedScore bleu_report(const metrics::BleuScore& score, const metrics::BleuOptions& options, size_t references);
ReportedScore chrf_report(const metrics::ChrfScore& score, const metrics::ChrfOptions& options, size_t references);
ReportedScore ter_report(const metrics::TerScore& score, const metrics::TerOptions& options, size_t references);

/// Adds the resampling to the signature, after its number of references: "bs" or "ar", samples and seed.
std::string add_sampling(std::string signature, const std::string& test, const metrics::ResamplingOptions& options);

enum class ReportFormat { kJson, kText };

struct ReportOptions {
  ReportFormat format = ReportFormat::kJson;
  int width = 1;            ///< digits after the decimal point of the score
  bool score_only = false;  ///< only the number, with its confidence if it has one
};

/// One score without a line end: a line of text or a JSON object.
std::string format_report(const ReportedScore& report, const ReportOptions& options = {});

/// All scores: lines aligned at their "=", or a JSON object (an array if there are several). Ends with a line end.
std::string format_reports(const std::vector<ReportedScore>& reports, const ReportOptions& options = {});

}  // namespace ventris::evaluation
