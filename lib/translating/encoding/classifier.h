#pragma once
#include <string>
#include <vector>

#include "encoding/encoder_pool.h"
#include "encoding/input.h"

namespace ventris::encoding {

/// A label that a text may have.
struct LabelGuess {
  size_t label = 0;  ///< its number in Classifier::labels()
  double probability = 0;
};

/// All labels, most probable first; of equally probable ones the first of Classifier::labels(). Empty for a blank line.
using Classified = std::vector<LabelGuess>;

/// Predicts the labels of texts with a classifier over [CLS]. Thread-safe.
class Classifier {
 public:
  /// Keeps a reference to the encoders. Throws ModelError if the model is no classifier.
  explicit Classifier(const EncoderPool& encoders);

  Input encode(const std::string& line) const { return inputs_.make(line); }
  /// One result for each input; none of them is blank. Throws ModelError if a probability is not finite.
  std::vector<Classified> classify(const std::vector<const Input*>& batch) const;
  const std::vector<std::string>& labels() const { return labels_; }

 private:
  const EncoderPool& encoders_;
  InputMaker inputs_;
  std::vector<std::string> labels_;
};

}  // namespace ventris::encoding
