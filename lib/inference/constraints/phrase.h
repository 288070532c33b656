#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace ventris::constraints {

/// A text as a graph of the tokens that can write it, in every segmentation. Its places are numbered in the order of
/// the text; place 0 is the beginning, with the space before the first word.
struct PhraseGraph {
  struct Edge {
    int32_t id;  ///< a token
    int32_t to;  ///< the place after it, a later one
  };
  std::vector<std::vector<Edge>> edges;  ///< of each place but the end; the end is place edges.size()
  std::vector<int32_t> usual;  ///< the tokens of the tokenizer's own segmentation, from place 0 to the end
  int32_t inside = -1;  ///< the place after the space at the beginning, where the text begins if no space is needed;
                        ///< -1 = none
  bool anywhere = false;   ///< whether it may begin there after any token, because it does not begin with a letter
  bool ends_word = false;  ///< whether it is not complete if the next token continues its last word
};

/// A text that a translation must or must not have.
class Phrase {
 public:
  static constexpr int32_t kNever = std::numeric_limits<int32_t>::max() / 2;

  /// Throws std::invalid_argument if an edge does not lead to a later place, or if `usual` is no path to the end.
  explicit Phrase(PhraseGraph graph);

  const PhraseGraph& graph() const { return graph_; }
  int32_t end() const { return static_cast<int32_t>(graph_.edges.size()); }
  int32_t tokens() const { return remaining_.front(); }  ///< of its usual segmentation

  /// How many tokens are left from a place to the end; kNever if no token leads on. On the usual segmentation, those of
  /// it; elsewhere, the fewest.
  int32_t remaining(int32_t place) const { return remaining_[static_cast<size_t>(place)]; }
  /// The first of them; -1 = none.
  int32_t next(int32_t place) const { return next_[static_cast<size_t>(place)]; }

  /// The place after a token; -1 if it does not lead on.
  int32_t after(int32_t place, int32_t id) const;

  /// Whether it can begin without a space, after a token that ends a word (`closed`) or does not.
  bool begins_inside(bool closed) const { return graph_.inside >= 0 && (closed || graph_.anywhere); }

 private:
  PhraseGraph graph_;
  std::vector<int32_t> remaining_, next_;  // of each place; of the end, 0 and -1
};

}  // namespace ventris::constraints
