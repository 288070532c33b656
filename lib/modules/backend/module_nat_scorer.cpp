#include "backend/module_nat_scorer.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "nn/attention_watch.h"
#include "nn/masks.h"

namespace ventris::backend {
namespace {

using nat::NatInfo;
using nat::NatPass;
using nat::NatRow;
using nat::Symbols;
using torch::Tensor;

constexpr int64_t kLogProbPositions = 2048;  // limits the memory for [positions, vocab] numbers

/// The number of the largest of log_probs [positions, vocab] at each position, and its value: [positions] on the host.
/// (torch's argmax takes as long as a whole layer of a small model.)
std::pair<Tensor, Tensor> largest(const Tensor& log_probs) {
  const Tensor values = log_probs.amax(1).to(torch::kCPU).contiguous();
  if (!log_probs.is_cpu()) return {log_probs.argmax(1).to(torch::kCPU, torch::kInt).contiguous(), values};
  const Tensor all = log_probs.contiguous();
  const Tensor ids = torch::zeros(values.sizes(), torch::kInt);
  const int64_t vocab = all.size(1);
  const auto *row = all.const_data_ptr<float>(), *value = values.const_data_ptr<float>();
  auto* id = ids.data_ptr<int32_t>();
  for (int64_t i = 0; i < values.numel(); ++i, row += vocab) {
    const auto* found = std::find(row, row + vocab, value[i]);
    id[i] = found == row + vocab ? 0 : static_cast<int32_t>(found - row);  // a NaN is found nowhere
  }
  return {ids, values};
}

/// The same for the `count` largest at each position, best first, both [positions, count]. If there are fewer, the
/// other values are -infinity.
std::pair<Tensor, Tensor> largest(const Tensor& log_probs, int64_t count) {
  if (count == 1) return largest(log_probs);
  const int64_t known = std::min(count, log_probs.size(1));
  const auto [values, ids] = torch::topk(log_probs, known, 1);
  const auto padded = [&](const Tensor& best, double value) {
    return torch::constant_pad_nd(best.to(torch::kCPU), {0, count - known}, value).contiguous();
  };
  return {padded(ids, 0).to(torch::kInt), padded(values, -std::numeric_limits<double>::infinity())};
}

/// Row-major indices of the wanted positions of a pass in [rows, longest], and how many of them each row has.
struct WantedPositions {
  std::vector<int64_t> indices, counts;

  WantedPositions(const NatPass& pass, int64_t longest) {
    size_t place = 0;
    for (size_t row = 0; row < pass.rows.size(); ++row) {
      const size_t before = indices.size();
      for (int64_t t = 0; t < pass.rows[row].positions; ++t, ++place) {
        if (!pass.wanted.empty() && pass.wanted[place] == 0) continue;
        indices.push_back(static_cast<int64_t>(row) * longest + t);
      }
      counts.push_back(static_cast<int64_t>(indices.size() - before));
    }
  }

  /// The states [wanted positions, width] of hidden [rows, longest, width].
  Tensor of(const Tensor& hidden) const {
    const Tensor flat = hidden.flatten(0, 1);
    if (flat.size(0) == static_cast<int64_t>(indices.size())) return flat;
    return flat.index_select(0, torch::tensor(indices).to(hidden.device()));
  }
};

/// Some neighbouring rows, whose log-probabilities are computed together once they are needed.
class Block {
 public:
  /// states [wanted positions, width]; excluded [symbols] long.
  Block(nn::NatModelImpl& model, Tensor states, const Tensor& excluded)
      : model_(model), states_(std::move(states)), excluded_(excluded) {}

  /// [wanted positions, vocab]
  const Tensor& log_probs() {
    if (!log_probs_.defined()) log_probs_ = model_.log_probs(states_).to(torch::kFloat);
    return log_probs_;
  }

  /// What largest() returns without the excluded symbols.
  const std::pair<Tensor, Tensor>& best(int64_t count) {
    if (best_count_ == count) return best_;
    const Tensor kept = log_probs().index_select(1, excluded_);
    log_probs_.index_fill_(1, excluded_, -std::numeric_limits<float>::infinity());
    best_ = largest(log_probs_, count);
    best_count_ = count;
    log_probs_.index_copy_(1, excluded_, kept);  // log_probs() has them again
    return best_;
  }

 private:
  nn::NatModelImpl& model_;
  Tensor states_;
  const Tensor& excluded_;
  Tensor log_probs_;
  int64_t best_count_ = 0;  // 0 = best_ is empty
  std::pair<Tensor, Tensor> best_;
};

/// A row of a block.
class RowOutput final : public nat::NatOutput {
 public:
  RowOutput(Block& block, int64_t first, int64_t count) : block_(block), first_(first), count_(count) {}

  /// The attention of this row [heads, positions, src_len].
  void set_attention(Tensor weights) { attention_ = std::move(weights); }

  Symbols best(int64_t count) override {
    const auto& [all_ids, all_log_probs] = block_.best(count);
    const auto* ids = all_ids.const_data_ptr<int32_t>() + first_ * count;
    const auto* log_probs = all_log_probs.const_data_ptr<float>() + first_ * count;
    return {{ids, ids + count_ * count}, {log_probs, log_probs + count_ * count}};
  }

  std::vector<float> log_probs_of(std::span<const int32_t> symbols) override {
    const std::vector<int64_t> columns(symbols.begin(), symbols.end());
    const Tensor wanted = torch::tensor(columns, torch::kLong).to(block_.log_probs().device());
    return on_host(block_.log_probs().narrow(0, first_, count_).index_select(1, wanted));
  }

  std::vector<float> attention(int64_t head) override {
    return on_host(head < 0 ? attention_.mean(0) : attention_.select(0, head));
  }

 private:
  static std::vector<float> on_host(const Tensor& values) {
    const Tensor host = values.to(torch::kCPU, torch::kFloat).contiguous();
    return {host.const_data_ptr<float>(), host.const_data_ptr<float>() + host.numel()};
  }

  Block& block_;
  int64_t first_, count_;
  Tensor attention_;
};

class ModuleNatScorer : public nat::NatScorer {
 public:
  ModuleNatScorer(nn::NatModel model, const architecture::NatOptions& settings, const ScorerOptions& options)
      : model_(std::move(model)),
        options_(options),
        cross_(model_->attention_blocks().cross),
        info_({settings, options.ids, options.never, options.max_length}) {
    info_.decoder_memory = options.decoder_memory;
    info_.pair_memory = options.pair_memory;
    if (!cross_.empty()) info_.attention = {static_cast<int64_t>(cross_.size()), cross_.front()->heads()};
    const auto excluded = nat::excluded_symbols(info_);
    excluded_ = torch::tensor(std::vector<int64_t>(excluded.begin(), excluded.end()), torch::kLong).to(options.device);
  }

  const NatInfo& info() const override { return info_; }
  void encode(std::span<const std::span<const int32_t>> sources) override;
  std::span<const float> length_log_probs() override;
  void run(const NatPass& pass, const Use& use) override;

 private:
  /// The encoded sentences of the rows of a pass.
  struct Rows {
    Tensor src, src_mask;  // [rows, src_len] long, [rows, 1, src_len] bool
    nn::Memory memory;
    Tensor lengths;   // [rows] long, on the device
    Tensor tgt_mask;  // [rows, 1, longest] bool
    int64_t longest = 0;
  };

  Rows rows_of(const NatPass& pass) const;
  Tensor input(const NatPass& pass, const Rows& rows) const;

  nn::NatModel model_;
  ScorerOptions options_;
  std::vector<const nn::AttentionBlock*> cross_;
  NatInfo info_;
  Tensor excluded_;  // [excluded symbols] long, on the device
  std::vector<int64_t> source_lengths_;
  PaddedSources sources_;
  nn::Memory memory_;
  Tensor length_log_probs_;  // [sentences, classes]
};

void ModuleNatScorer::encode(std::span<const std::span<const int32_t>> sources) {
  const c10::InferenceMode inference;
  source_lengths_.clear();
  for (const auto& source : sources) source_lengths_.push_back(static_cast<int64_t>(source.size()));
  sources_ = pad_sources(sources, options_);
  memory_ = model_->encode(sources_.ids, sources_.mask);
}

std::span<const float> ModuleNatScorer::length_log_probs() {
  const c10::InferenceMode inference;
  length_log_probs_ = model_->length_log_probs(memory_).to(torch::kCPU, torch::kFloat).contiguous();
  return {length_log_probs_.const_data_ptr<float>(), static_cast<size_t>(length_log_probs_.numel())};
}

ModuleNatScorer::Rows ModuleNatScorer::rows_of(const NatPass& pass) const {
  Rows rows{sources_.ids, sources_.mask, {}, {}, {}};
  rows.memory.states = memory_.states;
  rows.memory.mask = memory_.mask;
  std::vector<int64_t> sentences, lengths;
  for (const NatRow& row : pass.rows) {
    sentences.push_back(static_cast<int64_t>(row.sentence));
    lengths.push_back(row.positions);
  }
  bool same = sentences.size() == source_lengths_.size();
  for (size_t i = 0; same && i < sentences.size(); ++i) same = sentences[i] == static_cast<int64_t>(i);
  if (!same) {
    const Tensor kept = torch::tensor(sentences).to(options_.device);
    for (Tensor* part : {&rows.src, &rows.src_mask, &rows.memory.states, &rows.memory.mask}) {
      *part = part->index_select(0, kept);
    }
  }
  rows.longest = *std::ranges::max_element(lengths);
  rows.lengths = torch::tensor(lengths).to(options_.device);
  rows.tgt_mask = nn::length_mask(rows.lengths, rows.longest);
  return rows;
}

Tensor ModuleNatScorer::input(const NatPass& pass, const Rows& rows) const {
  if (pass.ids.empty()) return model_->first_input(rows.src, rows.src_mask, rows.lengths);
  const auto count = static_cast<int64_t>(pass.rows.size());
  const Tensor ids = torch::full({count, rows.longest}, options_.ids.pad, torch::kLong);
  auto* to = ids.data_ptr<int64_t>();
  const int32_t* from = pass.ids.data();
  for (const NatRow& row : pass.rows) {
    std::copy_n(from, row.positions, to);
    from += row.positions;
    to += rows.longest;
  }
  return model_->embed(ids.to(options_.device));
}

void ModuleNatScorer::run(const NatPass& pass, const Use& use) {
  const c10::InferenceMode inference;
  const Rows rows = rows_of(pass);
  const bool watches = pass.watched_layer >= 0;
  const nn::AttentionWatch watch(watches ? std::vector{cross_[static_cast<size_t>(pass.watched_layer)]}
                                         : std::vector<const nn::AttentionBlock*>());
  const WantedPositions wanted(pass, rows.longest);
  const Tensor states = wanted.of(model_->decode(rows.memory, input(pass, rows), rows.tgt_mask));
  const Tensor attention = watches ? watch.kept(0).to(torch::kCPU, torch::kFloat) : Tensor();
  int64_t start = 0;
  for (size_t first = 0, end = 0; first < pass.rows.size(); first = end) {
    int64_t count = 0;
    do count += wanted.counts[end++];
    while (end < pass.rows.size() && count + wanted.counts[end] <= kLogProbPositions);
    Block block(*model_, states.narrow(0, start, count), excluded_);
    start += count;
    int64_t in_block = 0;
    for (size_t row = first; row < end; in_block += wanted.counts[row], ++row) {
      RowOutput output(block, in_block, wanted.counts[row]);
      if (watches) {
        output.set_attention(attention[static_cast<int64_t>(row)]
                                 .narrow(1, 0, pass.rows[row].positions)
                                 .narrow(2, 0, source_lengths_[pass.rows[row].sentence]));
      }
      use(row, output);
    }
  }
}

}  // namespace

std::unique_ptr<nat::NatScorer> make_nat_scorer(nn::NatModel model, const architecture::NatOptions& settings,
                                                const ScorerOptions& options) {
  return std::make_unique<ModuleNatScorer>(std::move(model), settings, options);
}

std::unique_ptr<decoding::ScorerFactory> make_nat_factory(nn::NatModel model, const architecture::NatOptions& settings,
                                                          const ScorerOptions& options) {
  return nat::make_nat_factory([=] { return make_nat_scorer(model, settings, options); });
}

}  // namespace ventris::backend
