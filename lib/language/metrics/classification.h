#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

/// How well texts were classified. Numbers as those of scikit-learn.
namespace ventris::metrics {

/// The scores of one label.
struct LabelScores {
  int64_t gold = 0;       ///< texts that have the label
  int64_t predicted = 0;  ///< texts that got it
  int64_t correct = 0;    ///< both
  double precision = 0;   ///< correct / predicted; 0 if it was never predicted
  double recall = 0;      ///< correct / gold; 0 if no text has it
  double f1 = 0;          ///< harmonic mean of both; 0 if both are 0
};

/// Counts which labels texts have, and which they got. Labels are numbers from 0.
class ConfusionMatrix {
 public:
  explicit ConfusionMatrix(size_t labels) : labels_(labels), counts_(labels * labels, 0) {}

  /// Throws std::out_of_range unless both are below the number of labels.
  void add(size_t gold, size_t predicted);

  size_t labels() const { return labels_; }
  int64_t count(size_t gold, size_t predicted) const { return counts_.at(gold * labels_ + predicted); }
  int64_t texts() const;
  int64_t correct() const;
  double accuracy() const;  ///< correct / texts; 0 if there are none
  LabelScores scores(size_t label) const;
  double macro_f1() const;  ///< mean F1 of the labels that occur, as gold or predicted

 private:
  size_t labels_;
  std::vector<int64_t> counts_;  // [gold, predicted]
};

}  // namespace ventris::metrics
