#include "metrics/classification.h"

#include <numeric>
#include <stdexcept>

namespace ventris::metrics {
namespace {

double share_of(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

void ConfusionMatrix::add(size_t gold, size_t predicted) {
  if (gold >= labels_ || predicted >= labels_) throw std::out_of_range("ConfusionMatrix::add: unknown label");
  ++counts_[gold * labels_ + predicted];
}

int64_t ConfusionMatrix::texts() const { return std::accumulate(counts_.begin(), counts_.end(), int64_t{0}); }

int64_t ConfusionMatrix::correct() const {
  int64_t correct = 0;
  for (size_t label = 0; label < labels_; ++label) correct += count(label, label);
  return correct;
}

double ConfusionMatrix::accuracy() const { return share_of(correct(), texts()); }

LabelScores ConfusionMatrix::scores(size_t label) const {
  LabelScores scores;
  for (size_t other = 0; other < labels_; ++other) {
    scores.gold += count(label, other);
    scores.predicted += count(other, label);
  }
  scores.correct = count(label, label);
  scores.precision = share_of(scores.correct, scores.predicted);
  scores.recall = share_of(scores.correct, scores.gold);
  scores.f1 = share_of(2 * scores.correct, scores.gold + scores.predicted);
  return scores;
}

double ConfusionMatrix::macro_f1() const {
  double sum = 0;
  int64_t occurring = 0;
  for (size_t label = 0; label < labels_; ++label) {
    const LabelScores of_label = scores(label);
    if (of_label.gold + of_label.predicted == 0) continue;
    sum += of_label.f1;
    ++occurring;
  }
  return occurring > 0 ? sum / static_cast<double>(occurring) : 0;
}

}  // namespace ventris::metrics
