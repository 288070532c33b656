#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// A hidden Markov model of a sentence: each of its positions was written by a state, which is a position of the other
/// sentence, or by no state (the null word). Source: Vogel et al. 1996, "HMM-based word alignment in statistical
/// translation"; the null word as in Och and Ney 2003, section 2.2.
namespace ventris::alignment {

/// Distances from the last state that are told apart, in each direction; longer ones count as this long.
inline constexpr int kMostJump = 40;
inline constexpr size_t kJumps = 2 * kMostJump + 1;

/// A value for each distance from -kMostJump to kMostJump.
template <typename T>
using Jumps = std::array<T, kJumps>;

/// Before anything is known: 1 / (1 + |distance - 1|).
Jumps<float> initial_jumps();

/// A sentence for which states are wanted.
struct HmmInput {
  size_t states = 0;      ///< at least 1
  size_t positions = 0;   ///< at least 1
  std::vector<float> emissions = {};  ///< [positions, states]: p(word at the position | word of the state), over 0
  std::vector<float> null_emissions = {};  ///< [positions]: p(word at the position | null word), over 0
};

/// The shares of null words and of jumps to any state alike; the rest of the jumps have the given distribution.
inline constexpr float kNullShare = 0.2F;
inline constexpr float kUniformJumps = 0.02F;

/// Computes for one sentence at a time. For use by one thread; memory grows with states * (states + positions).
class Hmm {
 public:
  /// probabilities [positions, states] = p(state | whole sentence). A row sums up to 1 - p(null word). If `counts` is
  /// given, adds the expected number of jumps of each distance; the first jump is from before the first state.
  void run(const HmmInput& input, const Jumps<float>& jumps, std::vector<float>& probabilities, Jumps<double>* counts);

 private:
  void set_transitions(size_t states, const Jumps<float>& jumps);
  void forward(const HmmInput& input);
  void backward(const HmmInput& input, std::vector<float>& probabilities, Jumps<double>* counts);
  void step_back(const HmmInput& input, size_t position);
  void count_jumps(size_t states, size_t position, Jumps<double>& counts);

  std::vector<float> first_;                      // [states]
  std::vector<float> transitions_, transposed_;   // [from, to], [to, from]
  std::vector<float> linked_, null_;              // [positions, states], scaled so that each position sums up to 1
  std::vector<float> predicted_, after_, before_, weighted_;  // [states]
  std::vector<float> distances_;  // [2 * states - 1]
};

}  // namespace ventris::alignment
