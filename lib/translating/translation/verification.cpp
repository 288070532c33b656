#include "translation/verification.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "core/log.h"
#include "text/line_reader.h"
#include "text/line_sequence.h"

namespace ventris::translation {

TranslatorOptions comparison_options(const model::Package& package, int beam_size) {
  TranslatorOptions options = suggested_options(package.config.decoding);
  options.search.beam_size = beam_size;
  options.marked_sources = true;
  return options;
}

std::vector<std::string> lines_to_compare(const std::string& file) {
  text::LineReader reader(file);
  std::vector<std::string> lines;
  std::string line;
  while (reader.next(line)) lines.push_back(line);
  text::warn_about(reader);
  if (lines.empty()) fail<DataError>(file, ": is empty; expected sentences to translate");
  return lines;
}

std::vector<ScoredText> best_translations(const model::Package& package,
                                          const std::shared_ptr<const decoding::ScorerFactory>& scorers,
                                          const std::vector<std::string>& lines, const TranslatorOptions& options) {
  std::vector<ScoredText> found;
  for (const Translation& one : Translator(package, scorers, options).translate(lines)) {
    found.push_back({one.text(), one.candidates.front().score});
  }
  return found;
}

int64_t compare_translations(const std::vector<ScoredText>& expected, const std::vector<ScoredText>& found,
                             const std::string& file, const std::string& what) {
  int64_t tied = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const bool same_score = std::abs(expected[i].score - found[i].score) <= kTie;
    if (expected[i].text == found[i].text && same_score) continue;
    if (!same_score) {
      fail<ModelError>(file, ":", i + 1, ": ", what, " translates differently: '", found[i].text, "' (score ",
                       found[i].score, "), expected '", expected[i].text, "' (", expected[i].score, ")");
    }
    ++tied;
  }
  return tied;
}

void log_verified(size_t lines, int64_t tied) {
  core::log_info(fmt::format("verified: {} the same ({} {} within {})",
                             lines == 1 ? "1 line translates" : fmt::format("{} lines translate", lines), tied,
                             tied == 1 ? "tie" : "ties", kTie));
}

}  // namespace ventris::translation
