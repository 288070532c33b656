#include "engine/output_layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "arithmetic/chosen_columns.h"
#include "arithmetic/every_kernel_set.h"
#include "arithmetic/plain_product.h"
#include "support/random_numbers.h"

namespace ventris::engine {
namespace {

using arithmetic::Precision;

using decoding::Penalty;
using decoding::StepRequest;
using test::at;
using test::RandomNumbers;
using Ids = std::vector<int32_t>;

constexpr int32_t kEos = 3;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A generator and states whose logits are exact in f32, so that there are many ties.
struct Generator {
  Generator(int64_t vocabulary, int64_t rows_of_states, RandomNumbers& random)
      : vocab(vocabulary),
        rows(rows_of_states),
        width(random.between(1, 40)),
        weight(random.eighths(vocab * width)),
        bias(random.eighths(vocab)),
        states(random.eighths(rows * width)) {}

  Matrix matrix(Precision precision = Precision::kF32) const {
    return {weight.data(), bias.data(), vocab, width, precision};
  }

  /// The log-softmax of a row, [vocab].
  std::vector<float> log_probs(int64_t row) const {
    std::vector<double> logits(at(vocab));
    for (int64_t id = 0; id < vocab; ++id) {
      logits[at(id)] = bias[at(id)];
      for (int64_t i = 0; i < width; ++i) logits[at(id)] += states[at(row * width + i)] * weight[at(id * width + i)];
    }
    double sum = 0;
    for (const double logit : logits) sum += std::exp(logit);
    std::vector<float> found;
    for (const double logit : logits) found.push_back(static_cast<float>(logit - std::log(sum)));
    return found;
  }

  int64_t vocab, rows, width;
  std::vector<float> weight, bias, states;
};

/// A request with memory for its parts.
struct Request {
  Request(int64_t rows, int32_t continuations) : parents(at(rows)), last_ids(at(rows), 5) {
    request.parents = parents;
    request.last_ids = last_ids;
    request.continuations = continuations;
  }
  Request(const Request&) = delete;

  Ids parents, last_ids, forced;
  std::vector<uint8_t> forbid_eos;
  std::vector<Penalty> penalties;
  std::vector<decoding::Wanted> wanted;
  std::vector<double> noise;
  StepRequest request;
};

void forbid_eos_in_some_rows(Request& made, RandomNumbers& random) {
  for (size_t row = 0; row < made.last_ids.size(); ++row) made.forbid_eos.push_back(random.coin() ? 1 : 0);
  made.request.forbid_eos = made.forbid_eos;
}

void force_some_rows(Request& made, int64_t vocab, RandomNumbers& random) {
  for (size_t row = 0; row < made.last_ids.size(); ++row) {
    made.forced.push_back(random.coin() ? static_cast<int32_t>(random.between(0, vocab - 1)) : -1);
  }
  made.request.forced = made.forced;
}

void penalise_some_ids(Request& made, int64_t vocab, RandomNumbers& random) {
  for (size_t row = 0; row < made.last_ids.size(); ++row) {
    const bool forced = !made.forced.empty() && made.forced[row] >= 0;
    if (forced || random.between(0, 3) == 0) continue;
    for (int32_t id = 0; id < vocab; id += static_cast<int32_t>(random.between(1, 3))) {
      const float factor = random.coin() ? 1.37F : std::numeric_limits<float>::infinity();
      made.penalties.push_back({static_cast<int32_t>(row), id, factor});
    }
  }
  made.request.penalties = made.penalties;
}

void want_some_ids(Request& made, int64_t vocab, RandomNumbers& random) {
  for (size_t row = 0; row < made.last_ids.size(); ++row) {
    if (random.coin()) continue;
    for (auto id = static_cast<int32_t>(random.between(0, 9)); id < vocab; id += 1 + id) {
      made.wanted.push_back({static_cast<int32_t>(row), id});
    }
  }
  made.request.wanted = made.wanted;
}

void draw(Request& made, RandomNumbers& random) {
  for (size_t row = 0; row < made.last_ids.size(); ++row) {
    made.noise.push_back(static_cast<double>(random.between(0, 9999)) * 1e-4 + 3e-5);
  }
  made.request.sampling = {.enabled = true, .top_k = static_cast<int32_t>(random.between(0, 9)), .top_p = 0.83};
  made.request.noise = made.noise;
}

void expect_selection(const Kernels& kernels, const Generator& generator, const Ids& never,
                      const StepRequest& request) {
  const auto width = at(request.continuations);
  const Matrix matrix = generator.matrix();
  Output output(kernels, matrix, never, kEos);
  const decoding::Continuations found = output.best(generator.states.data(), request);
  ASSERT_EQ(found.ids.size(), at(generator.rows) * width);
  ASSERT_EQ(found.log_probs.size(), found.ids.size());
  for (int64_t row = 0; row < generator.rows; ++row) {
    Ids ids(width);
    std::vector<float> scores(width);
    decoding::select_continuations(generator.log_probs(row), request, at(row), never, kEos, ids.data(), scores.data());
    for (size_t i = 0; i < width; ++i) {
      const size_t place = at(row) * width + i;
      ASSERT_EQ(found.ids[place], ids[i])
          << "row " << row << ", continuation " << i << ", vocabulary " << generator.vocab;
      if (std::isinf(scores[i])) {
        ASSERT_EQ(found.log_probs[place], scores[i]);
      } else {
        ASSERT_NEAR(found.log_probs[place], scores[i], 1e-5);
      }
    }
  }
  ASSERT_EQ(found.wanted.size(), request.wanted.size());
  for (size_t i = 0; i < request.wanted.size(); ++i) {
    const auto& [row, id] = request.wanted[i];
    ASSERT_NEAR(found.wanted[i], generator.log_probs(row)[at(id)], 1e-5) << "row " << row << ", id " << id;
  }
}

class OutputTest : public test::EveryKernelSet {
 protected:
  /// Compares best() with the selection from all log-probabilities; change(request, vocabulary, random).
  template <typename Change>
  void expect_selections(uint32_t seed, const Change& change) {
    RandomNumbers random(seed);
    for (const int64_t vocab : {5, 16, 300, 1000}) {
      for (int32_t continuations = 1; continuations <= 20; ++continuations) {
        const Generator generator(vocab, random.between(1, 11), random);
        Request made(generator.rows, continuations);
        change(made, vocab, random);
        const Ids never = random.coin() ? Ids{0, 2} : Ids{0, 2, 1};
        ASSERT_NO_FATAL_FAILURE(expect_selection(kernels(), generator, never, made.request));
      }
    }
  }
};
INSTANTIATE_EVERY_KERNEL_SET(OutputTest);

TEST_P(OutputTest, TheBestAreThoseOfAllLogProbabilities) {
  expect_selections(1, [](Request&, int64_t, RandomNumbers&) {});
}

TEST_P(OutputTest, EosIsForbiddenInTheRowsThatSaySo) {
  expect_selections(2, [](Request& made, int64_t, RandomNumbers& random) { forbid_eos_in_some_rows(made, random); });
}

TEST_P(OutputTest, ForcedIdsAreTheOnlyContinuationsOfTheirRows) {
  expect_selections(3, [](Request& made, int64_t vocab, RandomNumbers& random) {
    force_some_rows(made, vocab, random);
    forbid_eos_in_some_rows(made, random);
  });
}

TEST_P(OutputTest, PenaltiesChangeTheOrderButNotTheLogProbabilities) {
  expect_selections(4, [](Request& made, int64_t vocab, RandomNumbers& random) {
    if (random.coin()) force_some_rows(made, vocab, random);
    penalise_some_ids(made, vocab, random);
  });
}

TEST_P(OutputTest, WantedIdsHaveTheirLogProbabilitiesWhateverElseIsAskedFor) {
  expect_selections(6, [](Request& made, int64_t vocab, RandomNumbers& random) {
    if (random.coin()) force_some_rows(made, vocab, random);
    if (random.coin()) penalise_some_ids(made, vocab, random);
    want_some_ids(made, vocab, random);
  });
}

TEST_P(OutputTest, DrawsAreThoseFromAllLogProbabilities) {
  expect_selections(5, [](Request& made, int64_t vocab, RandomNumbers& random) {
    forbid_eos_in_some_rows(made, random);
    if (random.coin()) penalise_some_ids(made, vocab, random);
    draw(made, random);
  });
}

TEST_P(OutputTest, EqualLogitsAreOrderedByIdAcrossBlocks) {
  const int64_t vocab = 700;  // in more than one block
  const std::vector<float> weight(at(vocab), 0.0F), bias(at(vocab), 1.0F), state{1};
  const Matrix matrix(weight.data(), bias.data(), vocab, 1, Precision::kF32);
  Output output(kernels(), matrix, {0, 2}, kEos);
  const Request made(1, 4);
  const auto found = output.best(state.data(), made.request);
  EXPECT_EQ(Ids(found.ids.begin(), found.ids.end()), (Ids{1, 3, 4, 5}));
  for (const float log_prob : found.log_probs) EXPECT_NEAR(log_prob, -std::log(700.0), 1e-5);
}

TEST_P(OutputTest, EqualLogitsAreOrderedByIdWhateverTheOrderOfTheColumns) {
  const std::vector<float> weight(40, 0.0F), bias(40, 1.0F), states{1, 1, 1};
  const Matrix generator(weight.data(), bias.data(), 40, 1, Precision::kF32);
  const Matrix matrix(weight.data(), bias.data(), 20, 1, Precision::kF32);
  Output output(kernels(), generator, {0, 2}, kEos);
  Ids down, up;
  for (int32_t id = 20; id < 40; ++id) down.push_back(59 - id);
  for (int32_t id = 0; id < 20; ++id) up.push_back(id);
  const std::vector<OutputPart> parts{{0, 2, &matrix, down.data()}, {1, 2, &matrix, up.data()}};
  const Request made(3, 3);
  const auto found = output.best(states.data(), made.request, parts);
  EXPECT_EQ(Ids(found.ids.begin(), found.ids.end()), (Ids{20, 21, 22, 1, 3, 4, 1, 3, 4}));
  for (size_t i = 0; i < 9; ++i) EXPECT_NEAR(found.log_probs[i], -std::log(i / 3 == 1 ? 40.0 : 20.0), 1e-5);
}

TEST_P(OutputTest, LogProbabilitiesOfGivenIdsAreThoseOfTheFullDistribution) {
  RandomNumbers random(6);
  for (const int64_t vocab : {5, 16, 300, 1000}) {
    const Generator generator(vocab, 9, random);
    const Matrix matrix = generator.matrix();
    Output output(kernels(), matrix, {0, 2}, kEos);
    Ids ids;
    for (int64_t row = 0; row < 9; ++row) ids.push_back(static_cast<int32_t>(random.between(0, vocab - 1)));
    const auto found = output.log_probs_of(generator.states.data(), ids);
    for (int64_t row = 0; row < 9; ++row) {
      EXPECT_NEAR(found[at(row)], generator.log_probs(row)[at(ids[at(row)])], 1e-5);
    }
  }
}

/// The same ids for all rows, and others for some neighbouring rows: the parts of a request.
class RandomParts {
 public:
  RandomParts(const Matrix& matrix, int64_t rows, RandomNumbers& random) {
    Ids ids(at(matrix.n()));
    std::iota(ids.begin(), ids.end(), 0);
    for (size_t i = ids.size() - 1; i > 0; --i) {
      std::swap(ids[i], ids[at(random.between(0, static_cast<int64_t>(i)))]);
    }
    const auto common = at(random.between(1, matrix.n()));
    add(matrix, 0, rows, std::span(ids).first(common));
    for (int64_t first = 0, end = 0; first < rows; first = end) {
      end = random.between(first + 1, rows);
      const std::span<const int32_t> rest = std::span(ids).subspan(common);
      const std::span<const int32_t> own = rest.first(at(random.between(0, static_cast<int64_t>(rest.size()))));
      if (!own.empty()) add(matrix, first, end, own);
    }
  }

  std::span<const OutputPart> all() const { return parts_; }

 private:
  struct Share {
    Ids ids;
    arithmetic::ChosenColumns columns;
  };

  void add(const Matrix& matrix, int64_t first, int64_t end, std::span<const int32_t> ids) {
    shares_.push_back(std::make_unique<Share>());
    Share& share = *shares_.back();
    share.ids.assign(ids.begin(), ids.end());
    share.columns.add(matrix, share.ids);
    parts_.push_back({at(first), at(end - first), &share.columns.matrix(), share.ids.data()});
  }

  std::vector<std::unique_ptr<Share>> shares_;
  std::vector<OutputPart> parts_;
};

/// All log-probabilities [rows, vocabulary]; -infinity for ids that are not in the parts of a row.
std::vector<float> whole_rows(const Kernels& kernels, const Matrix& matrix, const Generator& generator,
                              std::span<const OutputPart> parts) {
  Output output(kernels, matrix, {}, kEos);
  std::vector<float> found(at(generator.rows * generator.vocab), -std::numeric_limits<float>::infinity());
  if (parts.empty()) {
    output.log_probs(generator.states.data(), generator.rows, found.data());
    return found;
  }
  const Request made(generator.rows, static_cast<int32_t>(generator.vocab));
  const auto all = output.best(generator.states.data(), made.request, parts);
  for (size_t i = 0; i < all.ids.size(); ++i) {
    const size_t row = i / at(generator.vocab);
    if (all.ids[i] >= 0) found[row * at(generator.vocab) + at(all.ids[i])] = all.log_probs[i];
  }
  return found;
}

/// With many ties; without; or with many logits that become the same log-probability.
Generator random_generator(RandomNumbers& random) {
  Generator made(random.between(5, 600), random.between(1, 7), random);
  const int64_t kind = random.between(0, 2);
  if (kind == 0) return made;
  const float scale = kind == 1 ? 1.0F : 2e-8F;
  made.weight = random.values(made.vocab * made.width);
  made.states = random.values(made.rows * made.width);
  made.bias = random.values(made.vocab);
  for (float& value : made.weight) value *= scale;
  for (float& value : made.bias) value *= scale;
  return made;
}

void penalise_rows(Request& made, int64_t vocab, RandomNumbers& random) {
  constexpr float kFactors[] = {1.0F, 1.01F, 1.37F, 40.0F, std::numeric_limits<float>::infinity()};
  for (size_t row = 0; row < made.last_ids.size(); ++row) {
    const bool forced = !made.forced.empty() && made.forced[row] >= 0;
    if (forced || random.coin()) continue;
    const int64_t step = random.coin() ? 2 : random.between(2, 90);
    for (int64_t id = random.between(0, 4); id < vocab; id += random.between(1, step)) {
      made.penalties.push_back({static_cast<int32_t>(row), static_cast<int32_t>(id), kFactors[random.between(0, 4)]});
    }
  }
  made.request.penalties = made.penalties;
}

std::vector<uint32_t> bits_of(std::span<const float> values) {
  std::vector<uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<uint32_t>(value));
  return bits;
}

/// What best() should return, from all log-probabilities.
void expect_same_bits(const decoding::Continuations& found, std::span<const float> all, const StepRequest& request,
                      const Ids& never) {
  const size_t rows = request.last_ids.size(), width = at(request.continuations), vocab = all.size() / rows;
  Ids ids(rows * width);
  std::vector<float> scores(rows * width), wanted(request.wanted.size());
  for (size_t row = 0; row < rows; ++row) {
    const auto of_row = all.subspan(row * vocab, vocab);
    decoding::select_continuations(of_row, request, row, never, kEos, ids.data() + row * width,
                                   scores.data() + row * width);
    decoding::select_wanted(of_row, request, row, wanted);
  }
  ASSERT_EQ(Ids(found.ids.begin(), found.ids.end()), ids);
  ASSERT_EQ(bits_of(found.log_probs), bits_of(scores));
  ASSERT_EQ(bits_of(found.wanted), bits_of(wanted));
}

/// A generator in a precision; with or without a shortlist.
struct RandomLayer {
  explicit RandomLayer(RandomNumbers& random)
      : generator(random_generator(random)), matrix(generator.matrix(static_cast<Precision>(random.between(0, 2)))) {
    if (random.coin()) shortlists.emplace(matrix, generator.rows, random);
  }
  RandomLayer(const RandomLayer&) = delete;

  /// Those of the shortlists; empty without.
  std::span<const OutputPart> parts() const { return shortlists ? shortlists->all() : std::span<const OutputPart>(); }
  decoding::Continuations best(Output& output, const StepRequest& request) const {
    return shortlists ? output.best(generator.states.data(), request, parts())
                      : output.best(generator.states.data(), request);
  }

  Generator generator;
  Matrix matrix;
  std::optional<RandomParts> shortlists;
};

TEST_P(OutputTest, AnyRequestGetsWhatWholeRowsGiveToTheLastBit) {
  RandomNumbers random(9);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const RandomLayer layer(random);
    const Generator& generator = layer.generator;
    const auto most = static_cast<int32_t>(random.coin() ? generator.vocab : 12);
    Request made(generator.rows, static_cast<int32_t>(random.between(1, most)));
    if (random.coin()) forbid_eos_in_some_rows(made, random);
    if (random.between(0, 3) == 0) force_some_rows(made, generator.vocab, random);
    if (random.between(0, 3) > 0) penalise_rows(made, generator.vocab, random);
    if (random.coin()) want_some_ids(made, generator.vocab, random);
    if (random.between(0, 9) == 0) draw(made, random);
    const Ids never = random.coin() ? Ids{0, 2} : Ids{0, 2, 1};
    Output output(kernels(), layer.matrix, never, kEos);
    const auto found = layer.best(output, made.request);
    ASSERT_NO_FATAL_FAILURE(
        expect_same_bits(found, whole_rows(kernels(), layer.matrix, generator, layer.parts()), made.request, never));
  }
}

TEST_P(OutputTest, WithoutLogProbabilitiesTheSameIdsAreFound) {
  RandomNumbers random(10);
  int64_t free_rows = 0, without = 0;
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const RandomLayer layer(random);
    Request made(layer.generator.rows, 1);
    if (random.coin()) forbid_eos_in_some_rows(made, random);
    if (random.coin()) force_some_rows(made, layer.generator.vocab, random);
    if (random.coin()) penalise_rows(made, layer.generator.vocab, random);
    Output output(kernels(), layer.matrix, random.coin() ? Ids{0, 2} : Ids{}, kEos);
    const auto with = layer.best(output, made.request);
    const Ids expected(with.ids.begin(), with.ids.end());
    made.request.log_probs = false;
    const auto found = layer.best(output, made.request);
    ASSERT_EQ(Ids(found.ids.begin(), found.ids.end()), expected);
    for (size_t row = 0; row < found.ids.size() && made.penalties.empty(); ++row) {
      if (found.ids[row] < 0 || (!made.forced.empty() && made.forced[row] >= 0)) continue;
      ++free_rows;
      if (found.log_probs[row] == 0) ++without;
    }
  }
  EXPECT_GT(free_rows, 300);
  EXPECT_GT(without * 2, free_rows) << "rows without near ties need no log-probabilities";
}

/// The log-probability of the only id that is asked for, with this bias as the logits; 0 if it was not computed.
float log_prob_of_first(const Kernels& kernels, const std::vector<float>& bias, const Ids& never, int32_t expected,
                        bool bars_eos = false) {
  const std::vector<float> weight(bias.size(), 0.0F), state{1};
  const Matrix matrix(weight.data(), bias.data(), static_cast<int64_t>(bias.size()), 1, Precision::kF32);
  Output output(kernels, matrix, never, kEos);
  Request made(1, 1);
  made.request.log_probs = false;
  made.forbid_eos.assign(1, bars_eos ? 1 : 0);
  made.request.forbid_eos = made.forbid_eos;
  const auto found = output.best(state.data(), made.request);
  EXPECT_EQ(found.ids.front(), expected);
  return found.log_probs.front();
}

TEST_P(OutputTest, ATieAfterRoundingFarBelowAnExcludedIdIsSeenWithoutLogProbabilities) {
  std::vector<float> bias(700, 1.0F);
  bias[600] = 1.00003F;
  EXPECT_EQ(log_prob_of_first(kernels(), bias, {0, 2}, 600), 0) << "no tie";
  bias[0] = 2000;  // now both log-probabilities are -1999, rounded
  EXPECT_EQ(log_prob_of_first(kernels(), bias, {0, 2}, 1), -1999);
  bias[0] = 1;
  bias[kEos] = 2000;
  EXPECT_EQ(log_prob_of_first(kernels(), bias, {0, 2}, 1, /*bars_eos=*/true), -1999);
}

TEST_P(OutputTest, WithoutLogProbabilitiesARowMayHaveNoIdAndInfinityIsNaN) {
  EXPECT_EQ(log_prob_of_first(kernels(), {1, 1, 1, 1}, {0, 1, 2}, -1, /*bars_eos=*/true), -kInfinity);
  std::vector<float> bias(700, 1.0F);
  bias[500] = kInfinity;
  EXPECT_TRUE(std::isnan(log_prob_of_first(kernels(), bias, {0, 2}, 0)));
  EXPECT_TRUE(std::isnan(log_prob_of_first(kernels(), std::vector<float>(700, -kInfinity), {0, 2}, 0)));
}

TEST_P(OutputTest, LogProbabilitiesOfSeveralIdsAndOfWantedIdsAreAlwaysComputed) {
  RandomNumbers random(11);
  const Generator generator(300, 4, random);
  for (const int32_t continuations : {1, 2}) {
    Request made(generator.rows, continuations);
    made.request.log_probs = false;
    if (continuations == 1) want_some_ids(made, generator.vocab, random);
    ASSERT_NO_FATAL_FAILURE(expect_selection(kernels(), generator, {0, 2}, made.request));
  }
}

TEST_P(OutputTest, DifferentLogitsWithTheSameLogProbabilityAreOrderedById) {
  const int64_t vocab = 700;
  const std::vector<float> weight(at(vocab), 0.0F), state{1};
  std::vector<float> bias(at(vocab), 1.0F);
  bias[600] = std::nextafter(1.0F, 2.0F);  // the sum is about 7.55, so this changes no log-probability
  const Matrix matrix(weight.data(), bias.data(), vocab, 1, Precision::kF32);
  Output output(kernels(), matrix, {0, 2}, kEos);
  const Request made(1, 3);
  const auto found = output.best(state.data(), made.request);
  EXPECT_EQ(Ids(found.ids.begin(), found.ids.end()), (Ids{1, 3, 4}));
  Request only_id(1, 1);
  only_id.request.log_probs = false;
  EXPECT_EQ(output.best(state.data(), only_id.request).ids.front(), 1);
}

TEST_P(OutputTest, AForcedIdOutsideTheVocabularyIsRefused) {
  RandomNumbers random(10);
  const Generator generator(20, 2, random);
  const Matrix matrix = generator.matrix();
  Output output(kernels(), matrix, {0, 2}, kEos);
  Request made(2, 2);
  made.forced = {-1, 20};
  made.request.forced = made.forced;
  EXPECT_THROW(output.best(generator.states.data(), made.request), std::invalid_argument);
}

/// Whether each row of best() begins with an id whose log-probability is NaN, which the search reports.
std::vector<bool> reports_nan(Output& output, const Generator& generator, const StepRequest& request) {
  const auto found = output.best(generator.states.data(), request);
  std::vector<bool> reported;
  for (size_t row = 0; row < at(generator.rows); ++row) {
    const size_t place = row * at(request.continuations);
    reported.push_back(found.ids[place] >= 0 && std::isnan(found.log_probs[place]));
  }
  return reported;
}

TEST_P(OutputTest, ANaNAmongTheWeightsMakesAllRowsNaN) {
  RandomNumbers random(7);
  for (const Precision precision : {Precision::kF32, Precision::kBf16, Precision::kInt8}) {
    for (const int64_t id : {0, 2, 3, 100, 299}) {
      Generator generator(300, 3, random);
      generator.weight[at(id * generator.width)] = kNaN;
      const Matrix matrix = generator.matrix(precision);
      Output output(kernels(), matrix, {0, 2}, kEos);
      Request only_id(3, 1);
      only_id.request.log_probs = false;
      EXPECT_EQ(reports_nan(output, generator, only_id.request), std::vector<bool>(3, true)) << "id " << id;
      Request made(3, 2);
      EXPECT_EQ(reports_nan(output, generator, made.request), std::vector<bool>(3, true)) << "id " << id;
      penalise_some_ids(made, generator.vocab, random);
      EXPECT_EQ(reports_nan(output, generator, made.request), std::vector<bool>(3, true)) << "id " << id;
      draw(made, random);
      EXPECT_EQ(reports_nan(output, generator, made.request), std::vector<bool>(3, true)) << "id " << id;
      for (const float one : output.log_probs_of(generator.states.data(), Ids{4, 5, 6})) EXPECT_TRUE(std::isnan(one));
    }
  }
}

TEST_P(OutputTest, ANaNInAStateMakesOnlyItsRowNaN) {
  RandomNumbers random(8);
  for (const Precision precision : {Precision::kF32, Precision::kBf16, Precision::kInt8}) {
    Generator generator(300, 3, random);
    generator.states[at(generator.width)] = kNaN;
    const Matrix matrix = generator.matrix(precision);
    Output output(kernels(), matrix, {0, 2}, kEos);
    Request only_id(3, 1);
    only_id.request.log_probs = false;
    EXPECT_EQ(reports_nan(output, generator, only_id.request), (std::vector<bool>{false, true, false}));
    Request made(3, 2);
    EXPECT_EQ(reports_nan(output, generator, made.request), (std::vector<bool>{false, true, false}));
    penalise_some_ids(made, generator.vocab, random);
    EXPECT_EQ(reports_nan(output, generator, made.request), (std::vector<bool>{false, true, false}));
    draw(made, random);
    EXPECT_EQ(reports_nan(output, generator, made.request), (std::vector<bool>{false, true, false}));
  }
}

}  // namespace
}  // namespace ventris::engine
