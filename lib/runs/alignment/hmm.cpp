#include "alignment/hmm.h"

#include <algorithm>
#include <cstdlib>

namespace ventris::alignment {
namespace {

constexpr float kTiny = 1e-7F;  // a state with less of the probability than this is left out
constexpr float kFew = 1e-4F;   // the same where jumps are counted

float jump(const Jumps<float>& jumps, size_t from, size_t to) {
  const auto distance = static_cast<int64_t>(to) - static_cast<int64_t>(from);
  return jumps[static_cast<size_t>(std::clamp<int64_t>(distance, -kMostJump, kMostJump) + kMostJump)];
}

/// sums[i] += factor * values[i].
void add_scaled(float* sums, const float* values, float factor, size_t size) {
  for (size_t i = 0; i < size; ++i) sums[i] += factor * values[i];
}

void scale(float* values, float factor, size_t size) {
  for (size_t i = 0; i < size; ++i) values[i] *= factor;
}

}  // namespace

Jumps<float> initial_jumps() {
  Jumps<float> jumps{};
  int distance = -kMostJump;
  for (float& jump : jumps) jump = 1.0F / static_cast<float>(1 + std::abs(distance++ - 1));
  return jumps;
}

void Hmm::run(const HmmInput& input, const Jumps<float>& jumps, std::vector<float>& probabilities,
              Jumps<double>* counts) {
  set_transitions(input.states, jumps);
  forward(input);
  backward(input, probabilities, counts);
}

void Hmm::set_transitions(size_t states, const Jumps<float>& jumps) {
  first_.resize(states);
  transitions_.resize(states * states);
  transposed_.resize(states * states);
  const float uniform = kUniformJumps / static_cast<float>(states);
  for (size_t from = 0; from <= states; ++from) {  // the last one stands for the place before the first state
    float sum = 0;
    for (size_t to = 0; to < states; ++to) sum += from == states ? jump(jumps, 0, to + 1) : jump(jumps, from, to);
    for (size_t to = 0; to < states; ++to) {
      const float value = from == states ? jump(jumps, 0, to + 1) : jump(jumps, from, to);
      const float share = (1 - kUniformJumps) * value / sum + uniform;
      if (from == states) {
        first_[to] = share;
      } else {
        transitions_[from * states + to] = share;
        transposed_[to * states + from] = share;
      }
    }
  }
}

void Hmm::forward(const HmmInput& input) {
  const size_t states = input.states;
  linked_.resize(input.positions * states);
  null_.resize(input.positions * states);
  weighted_.assign(states, 0);  // of each state, whether it wrote the last position or only stands there
  for (size_t position = 0; position < input.positions; ++position) {
    if (position == 0) {
      predicted_ = first_;
    } else {
      predicted_.assign(states, 0);
      for (size_t from = 0; from < states; ++from) {
        if (weighted_[from] > kTiny) {
          add_scaled(predicted_.data(), &transitions_[from * states], weighted_[from], states);
        }
      }
    }
    const float* stays = position == 0 ? first_.data() : weighted_.data();
    const float* emissions = &input.emissions[position * states];
    float *linked = &linked_[position * states], *null = &null_[position * states];
    const float null_share = kNullShare * input.null_emissions[position];
    float sum = 0;
    for (size_t state = 0; state < states; ++state) {
      linked[state] = (1 - kNullShare) * predicted_[state] * emissions[state];
      null[state] = null_share * stays[state];
      sum += linked[state] + null[state];
    }
    scale(linked, 1 / sum, states);
    scale(null, 1 / sum, states);
    for (size_t state = 0; state < states; ++state) weighted_[state] = linked[state] + null[state];
  }
}

void Hmm::backward(const HmmInput& input, std::vector<float>& probabilities, Jumps<double>* counts) {
  const size_t states = input.states;
  probabilities.resize(input.positions * states);
  after_.assign(states, 1);
  for (size_t position = input.positions; position-- > 0;) {
    const float *linked = &linked_[position * states], *null = &null_[position * states];
    float sum = 0;
    for (size_t state = 0; state < states; ++state) sum += (linked[state] + null[state]) * after_[state];
    const float factor = sum > 0 ? 1 / sum : 0;
    for (size_t state = 0; state < states; ++state) {
      probabilities[position * states + state] = factor * linked[state] * after_[state];
      if (position == 0 && counts != nullptr) {
        const size_t distance = std::min<size_t>(state + 1, kMostJump);
        (*counts)[distance + kMostJump] += static_cast<double>(factor * (linked[state] + null[state]) * after_[state]);
      }
    }
    if (position == 0) break;
    step_back(input, position);
    if (counts != nullptr) count_jumps(states, position, *counts);
    const float largest = *std::ranges::max_element(before_);
    if (largest > 0) scale(before_.data(), 1 / largest, states);
    std::swap(after_, before_);
  }
}

/// weighted_ [to] = what follows if the state `to` writes the word at `position`; before_ [from] = what follows the
/// position before.
void Hmm::step_back(const HmmInput& input, size_t position) {
  const size_t states = input.states;
  const float* emissions = &input.emissions[position * states];
  before_.resize(states);
  weighted_.resize(states);
  float largest = 0;
  const float null_share = kNullShare * input.null_emissions[position];
  for (size_t state = 0; state < states; ++state) {
    weighted_[state] = (1 - kNullShare) * emissions[state] * after_[state];
    before_[state] = null_share * after_[state];
    largest = std::max(largest, weighted_[state]);
  }
  for (size_t to = 0; to < states; ++to) {
    if (weighted_[to] <= kTiny * largest) continue;
    add_scaled(before_.data(), &transposed_[to * states], weighted_[to], states);
  }
}

void Hmm::count_jumps(size_t states, size_t position, Jumps<double>& counts) {
  const float *linked = &linked_[(position - 1) * states], *null = &null_[(position - 1) * states];
  float sum = 0;
  for (size_t from = 0; from < states; ++from) sum += (linked[from] + null[from]) * before_[from];
  if (!(sum > 0)) return;
  distances_.assign(2 * states - 1, 0);
  for (size_t from = 0; from < states; ++from) {
    const float share = (linked[from] + null[from]) / sum;
    if (share <= kFew) continue;
    const float* transitions = &transitions_[from * states];
    float* distances = &distances_[states - 1 - from];
    for (size_t to = 0; to < states; ++to) distances[to] += share * transitions[to] * weighted_[to];
  }
  const auto zero = static_cast<int64_t>(states) - 1;
  for (size_t i = 0; i < distances_.size(); ++i) {
    const int64_t distance = std::clamp<int64_t>(static_cast<int64_t>(i) - zero, -kMostJump, kMostJump);
    counts[static_cast<size_t>(distance + kMostJump)] += static_cast<double>(distances_[i]);
  }
}

}  // namespace ventris::alignment
