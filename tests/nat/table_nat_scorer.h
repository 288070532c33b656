#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "nat/scorer.h"

namespace ventris::test {

/// Settings for a TableNatScorer.
inline architecture::NatOptions nat_options(architecture::NatLoss objective,
                                            architecture::Stop stop = architecture::Stop::kLength) {
  architecture::NatOptions options;
  options.objective = objective;
  options.stop = stop;
  options.length_range = 2;
  return options;
}

/// A model that writes all tokens at once, whose log-probabilities are a function of source, position and input. It
/// records what it was asked.
class TableNatScorer : public nat::NatScorer {
 public:
  static constexpr int64_t kVocab = 9;

  struct Asked {
    std::vector<nat::NatRow> rows;
    std::vector<int32_t> ids;
    std::vector<uint8_t> wanted;
  };

  explicit TableNatScorer(const architecture::NatOptions& options) {
    info_.options = options;
    info_.never = {0, 1, 2};
    info_.max_length = 40;
    info_.attention = {2, 2};
  }

  nat::NatInfo info_;
  std::vector<size_t> encoded;                               ///< sentences of each call of encode()
  std::vector<Asked> asked;                                  ///< calls of run()
  std::map<std::pair<size_t, int32_t>, float> set;  ///< logits of a position and a symbol, in every sentence
  std::vector<float> of_lengths = {-4, -1, -2, -0.5F, -3};  ///< of the differences -2 to 2

  const nat::NatInfo& info() const override { return info_; }
  void encode(std::span<const std::span<const int32_t>> sources) override {
    sources_.clear();
    for (const auto& source : sources) sources_.emplace_back(source.begin(), source.end());
    encoded.push_back(sources.size());
  }
  std::span<const float> length_log_probs() override {
    lengths_.clear();
    for (size_t i = 0; i < sources_.size(); ++i) lengths_.insert(lengths_.end(), of_lengths.begin(), of_lengths.end());
    return lengths_;
  }
  void run(const nat::NatPass& pass, const Use& use) override;

  /// The log-probabilities [kVocab] of a position.
  std::vector<float> log_probs(const std::vector<int32_t>& source, size_t position, int32_t input) const {
    std::vector<float> values;
    double sum = 0;
    for (int32_t id = 0; id < kVocab; ++id) {
      const double mixed = 1.3 * source[position % source.size()] + 2.1 * static_cast<double>(position) + 0.7 * input;
      const auto known = set.find({position, id});
      values.push_back(known != set.end() ? known->second : static_cast<float>(2 * std::sin(mixed + 5.7 * id)));
      sum += std::exp(static_cast<double>(values.back()));
    }
    for (float& value : values) value -= static_cast<float>(std::log(sum));
    return values;
  }

 private:
  class Output;
  std::vector<std::vector<int32_t>> sources_;
  std::vector<float> lengths_;
};

class TableNatScorer::Output final : public nat::NatOutput {
 public:
  Output(const TableNatScorer& scorer, size_t sentence, std::vector<std::pair<size_t, int32_t>> places)
      : scorer_(scorer), source_(scorer.sources_[sentence]), places_(std::move(places)) {}

  nat::Symbols best(int64_t count) override {
    const auto excluded = nat::excluded_symbols(scorer_.info_);
    nat::Symbols found;
    for (const auto& [position, input] : places_) {
      const auto values = scorer_.log_probs(source_, position, input);
      std::vector<std::pair<float, int32_t>> order;
      for (int32_t id = 0; id < kVocab; ++id) {
        const bool allowed = std::find(excluded.begin(), excluded.end(), id) == excluded.end();
        const float value = values[static_cast<size_t>(id)];
        if (allowed) order.emplace_back(std::isnan(value) ? -std::numeric_limits<float>::infinity() : -value, id);
      }
      std::sort(order.begin(), order.end());
      order.resize(static_cast<size_t>(count), {std::numeric_limits<float>::infinity(), 0});
      for (const auto& [value, id] : order) {
        found.ids.push_back(id);
        found.log_probs.push_back(value == std::numeric_limits<float>::infinity() ? -value
                                                                                  : values[static_cast<size_t>(id)]);
      }
    }
    return found;
  }
  std::vector<float> log_probs_of(std::span<const int32_t> symbols) override {
    std::vector<float> found;
    for (const auto& [position, input] : places_) {
      const auto values = scorer_.log_probs(source_, position, input);
      for (const int32_t symbol : symbols) found.push_back(values[static_cast<size_t>(symbol)]);
    }
    return found;
  }
  /// Position t looks at the source token t only.
  std::vector<float> attention(int64_t head) override {
    std::vector<float> found(places_.size() * source_.size(), 0);
    for (size_t t = 0; t < places_.size(); ++t) {
      found[t * source_.size() + t % source_.size()] = head < 0 ? 1 : static_cast<float>(head) + 2;
    }
    return found;
  }

 private:
  const TableNatScorer& scorer_;
  const std::vector<int32_t>& source_;
  std::vector<std::pair<size_t, int32_t>> places_;  // wanted positions, and what the decoder reads there
};

inline void TableNatScorer::run(const nat::NatPass& pass, const Use& use) {
  asked.push_back({{pass.rows.begin(), pass.rows.end()},
                   {pass.ids.begin(), pass.ids.end()},
                   {pass.wanted.begin(), pass.wanted.end()}});
  size_t place = 0;
  for (size_t row = 0; row < pass.rows.size(); ++row) {
    std::vector<std::pair<size_t, int32_t>> places;
    for (size_t t = 0; t < static_cast<size_t>(pass.rows[row].positions); ++t, ++place) {
      if (pass.wanted.empty() || pass.wanted[place] != 0)
        places.emplace_back(t, pass.ids.empty() ? 0 : pass.ids[place]);
    }
    Output output(*this, pass.rows[row].sentence, std::move(places));
    use(row, output);
  }
}

}  // namespace ventris::test
