#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"
#include "decoding/row_scorer.h"
#include "decoding/search.h"

namespace ventris::test {

using Ids = std::vector<int32_t>;

/// Log-probabilities [vocab] of the token after `prefix` (without bos) in the translation of `source`.
using Table = std::function<std::vector<float>(const Ids& source, const Ids& prefix)>;

/// The target prefixes of a scorer, with their sources. Refuses calls that break the rules of StepScorer.
class TableRows {
 public:
  struct Row {
    Ids source, prefix;
    bool fresh;
  };

  explicit TableRows(decoding::ScorerInfo info) : info_(info) {}

  void clear() { rows_.clear(); }
  void admit(std::span<const std::span<const int32_t>> sources) {
    for (const auto& source : sources) {
      if (source.empty()) throw std::logic_error("an empty source was admitted");
      rows_.push_back({Ids(source.begin(), source.end()), {}, true});
    }
  }
  void follow(std::span<const int32_t> parents, std::span<const int32_t> last_ids) {
    if (parents.empty() || last_ids.size() != parents.size()) throw std::logic_error("a request is not well formed");
    std::vector<Row> next;
    for (size_t i = 0; i < parents.size(); ++i) {
      Row row = rows_.at(static_cast<size_t>(parents[i]));
      if (row.fresh != (last_ids[i] == info_.bos)) throw std::logic_error("bos belongs to fresh rows only");
      if (!row.fresh) row.prefix.push_back(last_ids[i]);
      if (static_cast<int64_t>(row.prefix.size()) >= info_.max_length)
        throw std::logic_error("longer than the model can go");
      row.fresh = false;
      next.push_back(std::move(row));
    }
    rows_ = std::move(next);
  }
  const Row& operator[](size_t row) const { return rows_.at(row); }
  size_t size() const { return rows_.size(); }

 private:
  decoding::ScorerInfo info_;
  std::vector<Row> rows_;
};

/// A model that is a table. Refuses requests that break the rules of StepScorer, so that every test of a search tests
/// them. If log-probabilities are not needed, it returns 0 instead.
class TableScorer : public decoding::StepScorer {
 public:
  TableScorer(Table table, decoding::ScorerInfo info, Ids never = {})
      : table_(std::move(table)), info_(info), never_(std::move(never)), rows_(info) {}

  decoding::ScorerInfo info() const override { return info_; }
  void reset() override { rows_.clear(); }
  void admit(std::span<const std::span<const int32_t>> sources) override { rows_.admit(sources); }

  decoding::Continuations advance(const decoding::StepRequest& request) override {
    check(request);
    rows_.follow(request.parents, request.last_ids);
    const auto width = static_cast<size_t>(request.continuations);
    ids_.assign(rows_.size() * width, -1);
    scores_.assign(rows_.size() * width, 0);
    wanted_.assign(request.wanted.size(), 0);
    for (size_t row = 0; row < rows_.size(); ++row) {
      const auto log_probs = table_(rows_[row].source, rows_[row].prefix);
      decoding::select_continuations(log_probs, request, row, never_, info_.eos, &ids_[row * width],
                                     &scores_[row * width]);
      decoding::select_wanted(log_probs, request, row, wanted_);
    }
    if (!request.log_probs) {
      std::ranges::replace_if(scores_, [](float score) { return std::isfinite(score); }, 0.0F);
      ++steps_without_log_probs;
    }
    rows_of_steps.push_back(rows_.size());
    return {ids_, scores_, wanted_};
  }

  std::vector<size_t> rows_of_steps;  ///< how many rows each step had
  size_t steps_without_log_probs = 0;  ///< how many steps did not need log-probabilities

 private:
  static void check(const decoding::StepRequest& request) {
    const size_t count = request.parents.size();
    const auto fits = [&](size_t size) { return size == 0 || size == count; };
    if (request.continuations < 1 || !fits(request.forced.size()) || !fits(request.forbid_eos.size()) ||
        (request.sampling.enabled && request.noise.size() != count)) {
      throw std::logic_error("a request is not well formed");
    }
    check_penalties(request);
    for (size_t i = 0; i < request.wanted.size(); ++i) {
      const auto& [row, id] = request.wanted[i];
      const bool last = i == 0 || std::pair(request.wanted[i - 1].row, request.wanted[i - 1].id) < std::pair(row, id);
      if (static_cast<size_t>(row) >= count || !last) throw std::logic_error("a wanted token is not well formed");
    }
  }

  static void check_penalties(const decoding::StepRequest& request) {
    std::pair<int32_t, int32_t> before{-1, -1};
    for (const decoding::Penalty& penalty : request.penalties) {
      const auto row = static_cast<size_t>(penalty.row);
      const bool forced = !request.forced.empty() && request.forced[row] >= 0;
      const std::pair place(penalty.row, penalty.id);
      if (row >= request.parents.size() || forced || place <= before || penalty.factor < 1) {
        throw std::logic_error("a penalty is not well formed");
      }
      before = place;
    }
  }

  Table table_;
  decoding::ScorerInfo info_;
  Ids never_;
  TableRows rows_;
  Ids ids_;
  std::vector<float> scores_, wanted_;
};

/// The same model's whole distributions, for ensembles.
class TableRowScorer : public decoding::RowScorer {
 public:
  TableRowScorer(Table table, decoding::ScorerInfo info) : table_(std::move(table)), info_(info), rows_(info) {}

  decoding::ScorerInfo info() const override { return info_; }
  void reset() override { rows_.clear(); }
  void admit(std::span<const std::span<const int32_t>> sources) override { rows_.admit(sources); }
  void step(std::span<const int32_t> parents, std::span<const int32_t> last_ids) override {
    rows_.follow(parents, last_ids);
  }
  std::span<const float> log_probs(size_t first, size_t count) override {
    log_probs_.clear();
    for (size_t row = first; row < first + count; ++row) {
      const auto of_row = table_(rows_[row].source, rows_[row].prefix);
      log_probs_.insert(log_probs_.end(), of_row.begin(), of_row.end());
    }
    return log_probs_;
  }

 private:
  Table table_;
  decoding::ScorerInfo info_;
  TableRows rows_;
  std::vector<float> log_probs_;
};

/// The same model's answers about pairs. It has two layers of two heads; in layer l each token looks at the source
/// token l places on, with 0.8 of its attention there and the rest spread evenly.
class TablePairScorer : public decoding::PairScorer {
 public:
  TablePairScorer(Table table, decoding::ScorerInfo info) : table_(std::move(table)), info_(info) {}

  int64_t max_length() const override { return info_.max_length; }
  decoding::AttentionShape attention_shape() const override { return {2, 2}; }

  std::vector<decoding::PairAnswer> answer(std::span<const decoding::Pair> pairs,
                                           const decoding::PairQuestion& question) override {
    std::vector<decoding::PairAnswer> answers;
    for (const decoding::Pair& pair : pairs) {
      const Ids source(pair.source.begin(), pair.source.end());
      if (source.empty() || static_cast<int64_t>(std::max(source.size(), pair.tokens())) > info_.max_length) {
        throw std::logic_error("a pair is empty or too long");
      }
      answers.emplace_back();
      Ids prefix;
      for (size_t i = 0; i < pair.tokens(); ++i) {
        const int32_t id = i < pair.target.size() ? pair.target[i] : info_.eos;
        if (question.log_probs) answers.back().log_probs.push_back(table_(source, prefix)[static_cast<size_t>(id)]);
        if (question.attention)
          attend(i + static_cast<size_t>(question.layer), source.size(), answers.back().attention);
        prefix.push_back(id);
      }
    }
    return answers;
  }

 private:
  static void attend(size_t place, size_t length, std::vector<float>& weights) {
    const float rest = 0.2F / static_cast<float>(length);
    for (size_t i = 0; i < length; ++i) weights.push_back(i == std::min(place, length - 1) ? 0.8F + rest : rest);
  }

  Table table_;
  decoding::ScorerInfo info_;
};

/// Logarithms of the weights' shares of their sum.
inline std::vector<float> log_shares(const std::vector<double>& weights) {
  double total = 0;
  for (const double weight : weights) total += weight;
  std::vector<float> logs;
  for (const double weight : weights) logs.push_back(static_cast<float>(std::log(weight / total)));
  return logs;
}

/// A table of random distributions over `vocab` ids, each decided by (seed, source, prefix); `sharpness` 0 = uniform.
inline Table random_table(int32_t vocab, uint64_t seed, double sharpness = 3.0) {
  return [=](const Ids& source, const Ids& prefix) {
    uint64_t mixed = core::derive_seed(seed, source.size(), prefix.size());
    for (const int32_t id : source) mixed = core::derive_seed(mixed, static_cast<uint64_t>(id), 1);
    for (const int32_t id : prefix) mixed = core::derive_seed(mixed, static_cast<uint64_t>(id), 2);
    const core::RandomStream random(mixed, 0);
    std::vector<double> weights;
    for (uint64_t id = 0; id < static_cast<uint64_t>(vocab); ++id)
      weights.push_back(std::exp(sharpness * random.uniform(id)));
    return log_shares(weights);
  };
}

/// The results of the only sentence of a search.
inline std::vector<decoding::Hypothesis> only(std::vector<std::vector<decoding::Hypothesis>> results) {
  return std::move(results.at(0));
}

/// Any number of scorers over one table.
class TableFactory : public decoding::ScorerFactory {
 public:
  TableFactory(Table table, decoding::ScorerInfo info, Ids never = {})
      : table_(std::move(table)), info_(info), never_(std::move(never)) {}
  std::unique_ptr<decoding::StepScorer> make() const override {
    return std::make_unique<TableScorer>(table_, info_, never_);
  }
  std::unique_ptr<decoding::PairScorer> make_pair_scorer() const override {
    return std::make_unique<TablePairScorer>(table_, info_);
  }
  std::unique_ptr<decoding::RowScorer> make_row_scorer() const override {
    return std::make_unique<TableRowScorer>(table_, info_);
  }

 private:
  Table table_;
  decoding::ScorerInfo info_;
  Ids never_;
};

}  // namespace ventris::test
