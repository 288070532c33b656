#include "alignment/hmm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace ventris::alignment {
namespace {

HmmInput drawn_input(size_t states, size_t positions, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(0.01F, 1);
  HmmInput input{.states = states, .positions = positions};
  for (size_t i = 0; i < states * positions; ++i) input.emissions.push_back(number(random));
  for (size_t i = 0; i < positions; ++i) input.null_emissions.push_back(number(random));
  return input;
}

/// The place of a distance in Jumps.
size_t place_of(int distance) {
  const int64_t place = std::clamp(distance, -kMostJump, kMostJump) + int64_t{kMostJump};
  return static_cast<size_t>(place);
}

double jump_of(const Jumps<float>& jumps, int from, int to) { return static_cast<double>(jumps[place_of(to - from)]); }

double transition(const Jumps<float>& jumps, int from, int to, int states) {
  double sum = 0;
  for (int state = 0; state < states; ++state) sum += jump_of(jumps, from, state);
  const auto uniform = static_cast<double>(kUniformJumps);
  return (1 - uniform) * jump_of(jumps, from, to) / sum + uniform / states;
}

/// Goes through all sequences of states, each with and without a word that it wrote.
struct Enumeration {
  const HmmInput& input;
  const Jumps<float>& jumps;
  std::vector<double> linked = std::vector<double>(input.emissions.size());
  Jumps<double> counts{};
  double whole = 0;
  std::vector<std::pair<int, bool>> path = {};

  void go(double probability) {
    if (path.size() == input.positions) return finish(probability);
    const int states = static_cast<int>(input.states), last = path.empty() ? -1 : path.back().first;
    const size_t position = path.size();
    const auto null = static_cast<double>(kNullShare);
    for (int state = 0; state < states; ++state) {
      const double move = transition(jumps, last, state, states);
      const auto emission = static_cast<double>(input.emissions[position * input.states + static_cast<size_t>(state)]);
      path.emplace_back(state, true);
      go(probability * (1 - null) * move * emission);
      path.back().second = false;
      const double stays = path.size() == 1 ? move : state == last ? 1 : 0;
      if (stays > 0) go(probability * null * stays * static_cast<double>(input.null_emissions[position]));
      path.pop_back();
    }
  }

  void finish(double probability) {
    whole += probability;
    for (size_t position = 0; position < path.size(); ++position) {
      const auto [state, wrote] = path[position];
      if (wrote) linked[position * input.states + static_cast<size_t>(state)] += probability;
      const int last = position == 0 ? -1 : path[position - 1].first;
      if (wrote || position == 0) counts[place_of(state - last)] += probability;
    }
  }
};

TEST(Hmm, HasTheProbabilitiesOfAllSequencesOfStates) {
  for (const auto& [states, positions] : {std::pair<size_t, size_t>{1, 1}, {1, 4}, {4, 1}, {2, 3}, {3, 4}}) {
    const HmmInput input = drawn_input(states, positions, static_cast<unsigned>(states * 10 + positions));
    const Jumps<float> jumps = initial_jumps();
    Enumeration expected{.input = input, .jumps = jumps};
    expected.go(1);
    std::vector<float> found;
    Jumps<double> counts{};
    Hmm().run(input, jumps, found, &counts);
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(found[i]), expected.linked[i] / expected.whole, 1e-5);
    }
    for (size_t i = 0; i < kJumps; ++i) EXPECT_NEAR(counts[i], expected.counts[i] / expected.whole, 1e-4);
  }
}

TEST(Hmm, LongSentencesOfImprobableWordsHaveProbabilities) {
  HmmInput input = drawn_input(150, 200, 3);
  for (float& emission : input.emissions) emission *= 1e-12F;
  for (float& emission : input.null_emissions) emission *= 1e-12F;
  std::vector<float> found;
  Hmm().run(input, initial_jumps(), found, nullptr);
  for (size_t position = 0; position < input.positions; ++position) {
    float sum = 0;
    for (size_t state = 0; state < input.states; ++state) sum += found[position * input.states + state];
    EXPECT_GT(sum, 0.01F);
    EXPECT_LE(sum, 1.0001F);
  }
}

TEST(Hmm, TheSameObjectComputesSentencesOfAnyLength) {
  Hmm hmm;
  std::vector<float> first, other, again;
  hmm.run(drawn_input(5, 7, 1), initial_jumps(), first, nullptr);
  hmm.run(drawn_input(9, 2, 2), initial_jumps(), other, nullptr);
  hmm.run(drawn_input(5, 7, 1), initial_jumps(), again, nullptr);
  EXPECT_EQ(first, again);
}

}  // namespace
}  // namespace ventris::alignment
