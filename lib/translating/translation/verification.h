#pragma once
#include <memory>
#include <string>
#include <vector>

#include "decoding/step_scorer.h"
#include "model/package.h"
#include "translation/translator.h"

/// Whether two forms of a model translate the same.
namespace ventris::translation {

/// Scores that differ by no more are equal.
inline constexpr double kTie = 1e-4;

/// A translation and the score by which it was chosen.
struct ScoredText {
  std::string text;
  double score = 0;
};

/// The settings of a search to compare with: those that the model suggests, with this beam size. Languages are not
/// told.
TranslatorOptions comparison_options(const model::Package& package, int beam_size);

/// The lines of a file. Throws DataError if there are none.
std::vector<std::string> lines_to_compare(const std::string& file);

/// The best translation of each line.
std::vector<ScoredText> best_translations(const model::Package& package,
                                          const std::shared_ptr<const decoding::ScorerFactory>& scorers,
                                          const std::vector<std::string>& lines, const TranslatorOptions& options);

/// How many lines have other translations with equal scores (ties). Throws ModelError with the line of `file` if a
/// score differs. `what` made those that were found.
int64_t compare_translations(const std::vector<ScoredText>& expected, const std::vector<ScoredText>& found,
                             const std::string& file, const std::string& what);

/// A line in the log.
void log_verified(size_t lines, int64_t tied);

}  // namespace ventris::translation
