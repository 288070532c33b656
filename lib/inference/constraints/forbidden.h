#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "constraints/phrase.h"

namespace ventris::constraints {

/// Finds forbidden phrases in a translation, token by token, in every segmentation. It is a deterministic automaton. A
/// state is what the tokens since one place have begun: a set of places in phrases. For phrases over the same tokens,
/// these sets are the beginnings that phrases share, so there are at most as many states as places in all phrases. The
/// cost of a token depends on how many begun places of the translation are still open, not on the number of phrases.
class Forbidden {
 public:
  using State = int32_t;
  using States = std::vector<State>;  ///< ascending, one for each place of a translation where a phrase has begun

  /// Does not keep the phrases. Throws Interrupted after a stop signal.
  explicit Forbidden(const std::vector<Phrase>& phrases);

  bool any() const { return any_; }

  /// What is begun after one more token. `closed`: whether a word may follow without a space.
  States after(const States& begun, bool closed, int32_t id) const;

  /// The tokens that would complete a phrase, ascending.
  std::vector<int32_t> completing(const States& begun, bool closed) const;
  /// Whether this token would complete one.
  bool completes(const States& begun, bool closed, int32_t id) const;

 private:
  struct Edge {
    int32_t id;
    State to;
  };
  struct Builder;

  std::span<const Edge> edges_of(State state) const { return part(edges_, edges_begin_, state); }
  std::span<const int32_t> ends_of(State state) const { return part(ends_, ends_begin_, state); }
  State next(State state, int32_t id) const;

  template <typename Thing>
  static std::span<const Thing> part(const std::vector<Thing>& all, const std::vector<uint32_t>& begin, State state) {
    const auto at = static_cast<size_t>(state);
    return std::span(all).subspan(begin[at], size_t{begin[at + 1]} - begin[at]);
  }

  bool any_ = false;
  std::array<State, 2> start_{};  // where a word may not follow without a space, and where it may
  std::vector<Edge> edges_;       // of all states in a row, by id within a state
  std::vector<int32_t> ends_;     // ids that complete a phrase; likewise
  std::vector<uint32_t> edges_begin_{0}, ends_begin_{0};
};

}  // namespace ventris::constraints
