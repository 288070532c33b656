#include "translation/mbr.h"

#include <map>

#include "core/process.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"

namespace ventris::translation {
namespace {

constexpr double kBest = 100;

double compare(const std::string& text, const std::string& reference, Utility utility) {
  if (text == reference) return kBest;
  if (utility == Utility::kBleu) return metrics::sentence_bleu(text, {reference}).score;
  return metrics::sentence_chrf(text, {reference}).score;
}

}  // namespace

std::vector<double> expected_utilities(const std::vector<std::string>& texts, Utility utility) {
  std::map<std::string, double> copies;
  for (const std::string& text : texts) copies[text] += 1;
  const auto others = static_cast<double>(texts.size()) - 1;
  std::map<std::string, double> means;
  for (const auto& [text, unused] : copies) {
    core::throw_if_stopped("comparing candidates");  // comparing a thousand candidates takes ten seconds
    double sum = 0;
    for (const auto& [reference, count] : copies) {
      sum += compare(text, reference, utility) * (text == reference ? count - 1 : count);
    }
    means[text] = others > 0 ? sum / others : kBest;
  }
  std::vector<double> utilities;
  for (const std::string& text : texts) utilities.push_back(means[text]);
  return utilities;
}

}  // namespace ventris::translation
