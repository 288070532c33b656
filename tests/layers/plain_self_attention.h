#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "architecture/transformer_options.h"
#include "layers/widths.h"
#include "support/random_numbers.h"

namespace ventris::layers {

/// Random queries, keys and values of a sentence, side by side as a projection leaves them, and their self-attention in
/// plain loops.
class PlainSelfAttention {
 public:
  PlainSelfAttention(const architecture::TransformerOptions& options, int64_t len, test::RandomNumbers& random)
      : options_(options), len_(len), projected(random.values(len * stride())) {}

  int64_t stride() const { return 2 * key_size(options_) + value_size(options_); }
  int64_t outputs() const { return value_size(options_); }
  double query(int64_t position, int64_t head, int64_t i) const {
    return at(position, head * options_.key_width() + i);
  }
  double key(int64_t position, int64_t head, int64_t i) const {
    return at(position, key_size(options_) + head * options_.key_width() + i);
  }
  double value(int64_t position, int64_t head, int64_t i) const {
    return at(position, 2 * key_size(options_) + head * options_.value_width() + i);
  }
  /// The product of a query and a key.
  double product(int64_t head, int64_t query_at, int64_t key_at) const {
    double sum = 0;
    for (int64_t i = 0; i < options_.key_width(); ++i) sum += query(query_at, head, i) * key(key_at, head, i);
    return sum;
  }

  using Sees = std::function<bool(int64_t query, int64_t key)>;
  using Score = std::function<double(int64_t head, int64_t query, int64_t key)>;

  /// The results [len, heads * d_v] of queries that see some of the keys. Without a score, it is product().
  std::vector<double> attended(const Sees& sees, Score score = nullptr) const {
    if (!score) score = [this](int64_t head, int64_t query, int64_t key) { return product(head, query, key); };
    std::vector<double> out(static_cast<size_t>(len_ * outputs()), 0);
    for (int64_t position = 0; position < len_; ++position) {
      for (int64_t head = 0; head < options_.heads; ++head) {
        double* to = out.data() + position * outputs() + head * options_.value_width();
        double sum = 0;
        for (int64_t other = 0; other < len_; ++other) {
          if (!sees(position, other)) continue;
          const double weight = std::exp(score(head, position, other));
          sum += weight;
          for (int64_t i = 0; i < options_.value_width(); ++i) to[i] += weight * value(other, head, i);
        }
        for (int64_t i = 0; i < options_.value_width(); ++i) to[i] /= sum;
      }
    }
    return out;
  }

 private:
  double at(int64_t position, int64_t i) const {
    return static_cast<double>(projected[static_cast<size_t>(position * stride() + i)]);
  }

  architecture::TransformerOptions options_;
  int64_t len_;

 public:
  std::vector<float> projected;  ///< [len, stride()]
};

/// Sizes of heads, drawn at random.
inline architecture::TransformerOptions random_heads(test::RandomNumbers& random) {
  architecture::TransformerOptions options;
  options.heads = random.between(1, 3);
  options.d_k = random.between(1, 20);
  options.d_v = random.between(1, 20);
  return options;
}

}  // namespace ventris::layers
