#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ventris::text {

/// Random segmentations of normalised text (with U+2581 for each space) into the pieces of a model: all state is in the
/// arguments, so a draw is decided by `seed` alone.
class Segmentation {
 public:
  Segmentation();

  /// Score: log-probability of a unigram piece; a BPE piece is merged earlier the higher its score is.
  void add_piece(std::string_view piece, int32_t id, float score);

  /// A segmentation with probability proportional to (product of its pieces' probabilities)^alpha, drawn over all
  /// segmentations by forward filtering and backward sampling (Kudo 2018, section 3.3 with l = infinity).
  /// Characters without a piece stand alone with id -1.
  struct Part {
    std::string_view text;
    int32_t id;  ///< -1 = no piece
  };
  std::vector<Part> sample_unigram(std::string_view normalised, double alpha, uint64_t seed) const;

  /// Byte-pair merges by rank, each possible merge left out of a step with probability `dropout` (Provilkov et al.
  /// 2020, algorithm 1). Merges never cross a space; runs of more than 256 characters without one are treated in parts.
  std::vector<Part> sample_bpe(std::string_view normalised, double dropout, uint64_t seed) const;

 private:
  struct Piece {
    int32_t id;
    float score;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  const Piece* find(std::string_view text) const;
  Part part_of(std::string_view text) const;

  std::unordered_map<std::string, Piece, Hash, std::equal_to<>> pieces_;
  size_t longest_ = 0;   // piece, in bytes
  float lowest_ = 0.0F;  // score
};

}  // namespace ventris::text
