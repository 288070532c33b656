#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ventris::text {

/// Draws random segmentations of normalised text (with U+2581 for each space) into the pieces of a model. There is no
/// random state: the same arguments always give the same draw.
class Segmentation {
 public:
  Segmentation();

  /// `score`: for a unigram piece, its log-probability; for a BPE piece, its rank (higher scores are merged earlier).
  void add_piece(std::string_view piece, int32_t id, float score);

  /// Draws a segmentation with probability proportional to (product of its pieces' probabilities)^alpha, from all
  /// possible segmentations, by forward filtering and backward sampling (Kudo 2018, section 3.3 with l = infinity).
  /// A character without a piece becomes a part with id -1.
  struct Part {
    std::string_view text;
    int32_t id;  ///< -1 = no piece
  };
  std::vector<Part> sample_unigram(std::string_view normalised, double alpha, uint64_t seed) const;

  /// Merges pairs by rank; each possible merge is skipped in a step with probability `dropout` (Provilkov et al. 2020,
  /// algorithm 1). The text is first divided at places that no piece crosses: before a space (U+2581), or after it if
  /// pieces end with spaces, or nowhere. Runs of more than 256 characters are treated in parts.
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
  /// Where pieces have a space: at the beginning (usual), at the end, or inside.
  struct Spaces {
    bool first = false, last = false, inside = false;
  };
  const Piece* find(std::string_view text) const;
  bool may_cut(std::string_view before, std::string_view behind) const;
  Part part_of(std::string_view text) const;

  std::unordered_map<std::string, Piece, Hash, std::equal_to<>> pieces_;
  size_t longest_ = 0;   // piece, in bytes
  float lowest_ = 0.0F;  // score
  Spaces spaces_;
};

}  // namespace ventris::text
