#include "engine/nat_scorer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "engine/decoder_input.h"
#include "engine/symbol_layer.h"
#include "engine/whole_decoder.h"

namespace ventris::engine {
namespace {

using layers::check_ids;

using nat::NatInfo;
using nat::NatPass;
using nat::NatRow;
using nat::Symbols;

class EngineNatScorer : public nat::NatScorer {
 public:
  explicit EngineNatScorer(std::shared_ptr<const NatModel> model)
      : model_(std::move(model)),
        weights_(model_->weights),
        context_{arithmetic::kernels(), weights_.decoder_options, work_},
        encoder_({arithmetic::kernels(), weights_.options, work_}, weights_),
        decoder_(context_, weights_),
        input_(context_, weights_, model_->info.options),
        symbols_(arithmetic::kernels(), weights_.generator, nat::excluded_symbols(model_->info)) {}

  const NatInfo& info() const override { return model_->info; }
  void encode(std::span<const std::span<const int32_t>> sources) override;
  std::span<const float> length_log_probs() override;
  void run(const NatPass& pass, const Use& use) override;

 private:
  friend class EngineNatOutput;

  void fill_input(const NatPass& pass);
  void count_wanted(const NatPass& pass);
  void find_symbols(int64_t count);

  std::shared_ptr<const NatModel> model_;
  const TransformerWeights& weights_;
  layers::Workspace work_;
  layers::Context context_;
  Encoder encoder_;
  WholeDecoder decoder_;
  DecoderInput input_;
  SymbolLayer symbols_;
  std::vector<std::vector<int32_t>> sources_;
  std::vector<int64_t> lengths_;  // of the sources
  std::vector<float> length_log_probs_;
  Aligned<float> means_;
  const float* states_ = nullptr;  // of the wanted positions of the last pass, [wanted positions, d_model]
  std::vector<size_t> starts_;     // [rows + 1]: the first wanted position of each row
  int64_t found_ = 0;              // symbols of each position that symbols_ has found for states_; 0 = none yet
};

/// One row of the last pass.
class EngineNatOutput final : public nat::NatOutput {
 public:
  EngineNatOutput(EngineNatScorer& scorer, size_t row, int64_t positions, int64_t src_len, const float* attention)
      : scorer_(scorer),
        first_(scorer.starts_[row]),
        count_(scorer.starts_[row + 1] - first_),
        positions_(positions),
        src_len_(src_len),
        attention_(attention) {}

  Symbols best(int64_t count) override {
    if (scorer_.found_ != count) scorer_.find_symbols(count);
    const size_t width = static_cast<size_t>(count);
    const auto ids = scorer_.symbols_.ids().subspan(first_ * width, count_ * width);
    const auto log_probs = scorer_.symbols_.log_probs().subspan(first_ * width, count_ * width);
    return {{ids.begin(), ids.end()}, {log_probs.begin(), log_probs.end()}};
  }
  std::vector<float> log_probs_of(std::span<const int32_t> symbols) override {
    if (scorer_.found_ == 0) scorer_.find_symbols(1);
    return scorer_.symbols_.log_probs_of(first_, count_, symbols);
  }
  std::vector<float> attention(int64_t head) override;

 private:
  EngineNatScorer& scorer_;
  size_t first_, count_;  // wanted positions
  int64_t positions_, src_len_;
  const float* attention_;  // [positions, heads, src_len] of the watched layer
};

std::vector<float> EngineNatOutput::attention(int64_t head) {
  const int64_t heads = scorer_.weights_.decoder_options.heads;
  std::vector<float> found;
  for (int64_t t = 0; t < positions_; ++t) {
    const float* weights = attention_ + t * heads * src_len_;
    for (int64_t j = 0; j < src_len_; ++j) {
      float sum = 0;
      for (int64_t h = 0; h < heads; ++h) sum += head < 0 || h == head ? weights[h * src_len_ + j] : 0;
      found.push_back(head < 0 ? sum / static_cast<float>(heads) : sum);
    }
  }
  return found;
}

void EngineNatScorer::encode(std::span<const std::span<const int32_t>> sources) {
  for (const auto& source : sources) {
    if (source.empty() || static_cast<int64_t>(source.size()) > weights_.options.max_positions) {
      throw std::invalid_argument("engine: a sentence is empty, or longer than the model allows");
    }
    check_ids(source, weights_.options.src_vocab);
  }
  sources_.clear();
  lengths_.clear();
  for (const auto& source : sources) {
    sources_.emplace_back(source.begin(), source.end());
    lengths_.push_back(static_cast<int64_t>(source.size()));
  }
  encoder_.encode(sources);
  decoder_.read(encoder_, lengths_);
}

/// From the mean of what the last decoder layer sees of the source.
std::span<const float> EngineNatScorer::length_log_probs() {
  if (weights_.length.n() == 0) throw std::logic_error("engine: this model does not predict lengths");
  const int64_t width = weights_.options.d_model, classes = weights_.length.n();
  const auto sentences = static_cast<int64_t>(lengths_.size());
  const float* states = encoder_.memory(weights_.decoder.size() - 1);
  float* means = means_.room(sentences * width);
  std::fill_n(means, sentences * width, 0.0F);
  for (const int64_t length : lengths_) {
    for (int64_t row = 0; row < length; ++row, states += width) {
      for (int64_t i = 0; i < width; ++i) means[i] += states[i];
    }
    for (int64_t i = 0; i < width; ++i) means[i] /= static_cast<float>(length);
    means += width;
  }
  length_log_probs_.resize(static_cast<size_t>(sentences * classes));
  layers::multiply(context_, weights_.length, means_.data(), sentences, length_log_probs_.data());
  for (int64_t i = 0; i < sentences; ++i) {
    const std::span<float> row(length_log_probs_.data() + i * classes, static_cast<size_t>(classes));
    const float largest = *std::ranges::max_element(row);
    float sum = 0;
    for (const float logit : row) sum += std::exp(logit - largest);
    for (float& logit : row) logit -= largest + std::log(sum);
  }
  return length_log_probs_;
}

void EngineNatScorer::fill_input(const NatPass& pass) {
  const int64_t most = model_->info.options.most_positions();
  int64_t positions = 0;
  for (const NatRow& row : pass.rows) {
    if (row.sentence >= sources_.size() || row.positions < 1 || row.positions > most) {
      throw std::invalid_argument("engine: there is no such sentence, or a row has too many positions");
    }
    positions += row.positions;
  }
  if (!pass.ids.empty() && static_cast<int64_t>(pass.ids.size()) != positions) {
    throw std::invalid_argument("engine: expected one id for each position");
  }
  check_ids(pass.ids, weights_.options.tgt_vocab);
  float* x = decoder_.input(positions);
  const int32_t* ids = pass.ids.data();
  for (const NatRow& row : pass.rows) {
    if (pass.ids.empty()) {
      input_.first(sources_[row.sentence], row.positions, x);
    } else {
      input_.embed({ids, static_cast<size_t>(row.positions)}, x);
      ids += row.positions;
    }
    x += row.positions * weights_.options.d_model;
  }
}

void EngineNatScorer::count_wanted(const NatPass& pass) {
  starts_.assign(1, 0);
  size_t place = 0, count = 0;
  for (const NatRow& row : pass.rows) {
    for (int64_t t = 0; t < row.positions; ++t, ++place) count += pass.wanted.empty() || pass.wanted[place] != 0;
    starts_.push_back(count);
  }
}

void EngineNatScorer::find_symbols(int64_t count) {
  symbols_.find(states_, static_cast<int64_t>(starts_.back()), count);
  found_ = count;
}

void EngineNatScorer::run(const NatPass& pass, const Use& use) {
  fill_input(pass);
  count_wanted(pass);
  states_ = decoder_.run(pass);
  found_ = 0;
  const float* attention = decoder_.attention();
  for (size_t i = 0; i < pass.rows.size(); ++i) {
    const NatRow& row = pass.rows[i];
    EngineNatOutput output(*this, i, row.positions, lengths_[row.sentence], attention);
    use(i, output);
    if (pass.watched_layer >= 0) attention += row.positions * weights_.decoder_options.heads * lengths_[row.sentence];
  }
}

}  // namespace

std::unique_ptr<nat::NatScorer> make_nat_scorer(std::shared_ptr<const NatModel> model) {
  return std::make_unique<EngineNatScorer>(std::move(model));
}

}  // namespace ventris::engine
