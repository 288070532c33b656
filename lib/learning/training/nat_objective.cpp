#include "training/nat_objective.h"

#include <ATen/autocast_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "core/human.h"
#include "kernels/ctc_kernels.h"
#include "nn/ctc_loss.h"
#include "nn/loss.h"
#include "nn/masks.h"
#include "nn/random_scope.h"
#include "training/translation_objective.h"

namespace ventris::training {
namespace {

using architecture::NatLoss;
using torch::Tensor;

/// Without gradients. Parameters that autocast has converted meanwhile are not kept for passes with gradients.
class WithoutGradients {
 public:
  WithoutGradients() : caches_(at::autocast::is_autocast_cache_enabled()) {
    at::autocast::set_autocast_cache_enabled(false);
  }
  ~WithoutGradients() { at::autocast::set_autocast_cache_enabled(caches_); }
  WithoutGradients(const WithoutGradients&) = delete;
  WithoutGradients& operator=(const WithoutGradients&) = delete;

 private:
  bool caches_;
  torch::NoGradGuard no_grad_;
};

Tensor noise_like(const Tensor& like) {
  return torch::empty(like.sizes(), like.options().dtype(torch::kFloat)).uniform_(0, 1, nn::RandomScope::current());
}

/// NatOptions::positions for source lengths [sentences] (long).
Tensor positions_of(const architecture::NatOptions& model, const Tensor& src_len) {
  if (model.ctc()) return src_len * model.upsampling;
  const Tensor scaled = (src_len.to(torch::kDouble) * model.length_factor).ceil();
  return scaled.to(torch::kLong) + architecture::NatOptions::kSparePositions;
}

std::vector<int64_t> host(const Tensor& numbers) {
  const Tensor plain = numbers.to(torch::kCPU).contiguous();
  return {plain.const_data_ptr<int64_t>(), plain.const_data_ptr<int64_t>() + plain.numel()};
}

/// How many of the pairs have a target that is longer than the positions of the decoder.
std::string remark_on(const architecture::NatOptions& model, const data::PairStore& pairs) {
  constexpr size_t kAtOnce = 1 << 16;  // the lengths of a large corpus do not fit into memory
  int64_t too_long = 0;
  for (size_t begin = 0; begin < pairs.size(); begin += kAtOnce) {
    std::vector<uint32_t> numbers(std::min(kAtOnce, pairs.size() - begin));
    std::iota(numbers.begin(), numbers.end(), static_cast<uint32_t>(begin));
    std::vector<data::PairLengths> lengths(numbers.size());
    pairs.lengths(numbers, lengths);
    too_long += std::ranges::count_if(lengths, [&](const data::PairLengths& pair) {
      return static_cast<int64_t>(pair.target) > model.positions(static_cast<int64_t>(pair.source) + 1);
    });
  }
  if (too_long == 0) return {};
  return fmt::format(
      "{} of {} pairs cannot be learnt, because the target has more tokens than {} times the source; they are left out "
      "of the loss (model.upsampling)",
      core::grouped(too_long), core::grouped(static_cast<int64_t>(pairs.size())), model.upsampling);
}

}  // namespace

double glancing_ratio(const architecture::NatOptions& model, int64_t update) {
  const double done = std::min(1.0, static_cast<double>(update) / static_cast<double>(model.glancing_updates));
  return model.glancing_ratio + done * (model.glancing_final - model.glancing_ratio);
}

Tensor draw_positions(const Tensor& allowed, const Tensor& counts) {
  const Tensor drawn =
      noise_like(allowed).masked_fill(allowed.logical_not(), 2);  // those that are not allowed come last
  const Tensor ranks = drawn.argsort(/*stable=*/true, 1).argsort(/*stable=*/true, 1);
  return ranks.lt(counts.unsqueeze(1)).logical_and(allowed);
}

/// A batch on the device, with the output of the encoder.
struct NatObjective::Work {
  nn::NatModelImpl& model;
  Tensor source, src_mask;  // [sentences, src_len], [sentences, 1, src_len]
  Tensor src_len;  // [sentences]
  Tensor target;  // [sentences, len]; ends with eos only if eos is what stops the model
  Tensor tgt_len;  // [sentences] tokens of `target`
  Tensor weights;  // [sentences] line weights
  nn::Memory memory;
  int64_t update;
  bool learn;
};

/// What the decoder reads, and what it should say.
struct NatObjective::Attempt {
  Tensor lengths;  // [sentences] positions
  Tensor tgt_mask;  // [sentences, 1, longest]
  Tensor labels;  // [sentences, longest], padded
  Tensor input;  // [sentences, longest, width]
  Tensor counted;  // [sentences, longest] bool: where the loss counts

  Tensor hidden(const Work& work) const { return work.model.decode(work.memory, input, tgt_mask); }
  /// Target tokens replace the input where `shown` [sentences, longest] is true.
  void show(const Work& work, const Tensor& shown, const Tensor& tokens) {
    input = at::where(shown.unsqueeze(2), work.model.embed(tokens), input);
  }
};

NatObjective::Work NatObjective::prepare(nn::NatModelImpl& model, const data::Batch& batch, bool learn) const {
  Tensor source = to_tensor(batch.source, batch.sentences, batch.src_len, options_.device);
  Tensor target = to_tensor(batch.target_out, batch.sentences, batch.tgt_len, options_.device);
  if (options_.model.ctc() || options_.model.predicts_length()) {
    target = target.masked_fill(target.eq(options_.ids.eos), options_.ids.pad).narrow(1, 0, target.size(1) - 1);
  }
  if (learn) source = drop_words(source, {.word_dropout = options_.word_dropout, .ids = options_.ids});
  const Tensor src_mask = nn::padding_mask(source, options_.ids.pad);
  const Tensor weights = batch.weights.empty() ? torch::ones({batch.sentences}) : torch::tensor(batch.weights);
  return {.model = model,
          .source = source,
          .src_mask = src_mask,
          .src_len = src_mask.squeeze(1).sum(1),
          .target = target,
          .tgt_len = target.ne(options_.ids.pad).sum(1),
          .weights = weights.to(options_.device),
          .memory = model.encode(source, src_mask),
          .update = batch.update,
          .learn = learn};
}

BatchLoss NatObjective::loss(nn::ModelImpl& model, const data::Batch& batch, bool learn) const {
  const Work work = prepare(dynamic_cast<nn::NatModelImpl&>(model), batch, learn);
  BatchLoss found = options_.model.ctc() ? ctc_loss(work) : token_loss(work);
  if (options_.model.predicts_length()) add_length_loss(work, found);
  return found;
}

BatchLoss NatObjective::token_loss(const Work& work) const {
  Attempt attempt;
  attempt.lengths = work.tgt_len;
  if (!options_.model.predicts_length())
    attempt.lengths = positions_of(options_.model, work.src_len).maximum(work.tgt_len);
  const int64_t longest = attempt.lengths.max().item<int64_t>();
  attempt.tgt_mask = nn::length_mask(attempt.lengths, longest);
  attempt.labels = at::constant_pad_nd(work.target, {0, longest - work.target.size(1)}, options_.ids.pad);
  attempt.counted = attempt.labels.ne(options_.ids.pad);
  const auto tokens = attempt.counted.sum().item<double>();
  attempt.input = work.model.first_input(work.source, work.src_mask, attempt.lengths);
  if (work.learn && options_.model.objective == NatLoss::kMaskPredict) hide(work, attempt);
  if (work.learn && options_.model.glances()) glance(work, attempt);
  const Tensor wanted = attempt.counted.flatten().nonzero().squeeze(1);  // [tokens that count]
  const Tensor states = attempt.hidden(work).flatten(0, 1).index_select(0, wanted);
  const Tensor weights = work.weights.unsqueeze(1).expand_as(attempt.labels).flatten().index_select(0, wanted);
  const auto& proj = work.model.generator->proj;
  const nn::LossResult found =
      nn::generator_loss(states, proj->weight, proj->bias, attempt.labels.flatten().index_select(0, wanted),
                         {.smoothing = options_.label_smoothing, .pad = options_.ids.pad, .weights = weights});
  const double scale = tokens / static_cast<double>(wanted.size(0));
  return {found.loss * scale, found.nll * scale};
}

/// Mask tokens replace some target tokens; only they count.
void NatObjective::hide(const Work& work, Attempt& attempt) const {
  const Tensor counts = (noise_like(work.tgt_len) * work.tgt_len).floor().to(torch::kLong) + 1;
  attempt.counted = draw_positions(attempt.counted, counts.minimum(work.tgt_len));
  attempt.input = work.model.embed(attempt.labels.masked_fill(attempt.counted, options_.ids.bos));
}

/// How many tokens to show, from the number of wrong ones of each sentence (long).
Tensor NatObjective::shown_counts(const Tensor& wrong, const Work& work) const {
  return (wrong * glancing_ratio(options_.model, work.update)).floor().to(torch::kLong);
}

/// Shows some target tokens; the others count.
void NatObjective::glance(const Work& work, Attempt& attempt) const {
  Tensor wrong;  // [sentences]
  {
    const WithoutGradients scope;
    const Tensor said = work.model.generator->logits(attempt.hidden(work)).argmax(-1);
    wrong = said.ne(attempt.labels).logical_and(attempt.counted).sum(1);
  }
  const Tensor shown = draw_positions(attempt.counted, shown_counts(wrong, work));
  attempt.show(work, shown, attempt.labels);
  attempt.counted = attempt.counted.logical_and(shown.logical_not());
}

BatchLoss NatObjective::ctc_loss(const Work& work) const {
  Attempt attempt;
  attempt.lengths = positions_of(options_.model, work.src_len);
  attempt.tgt_mask = nn::length_mask(attempt.lengths, attempt.lengths.max().item<int64_t>());
  attempt.input = work.model.first_input(work.source, work.src_mask, attempt.lengths);
  const nn::CtcTargets targets{work.target, host(work.tgt_len), host(attempt.lengths), options_.ids.pad};
  if (work.learn && options_.model.glances()) glance_at_path(work, targets, attempt);
  const auto& proj = work.model.generator->proj;
  const Tensor sum = nn::generator_ctc_loss(attempt.hidden(work), proj->weight, proj->bias, targets, work.weights);
  BatchLoss found{sum, sum.detach()};
  if (work.learn) return found;
  const Tensor repeats =
      work.target.slice(1, 1).eq(work.target.slice(1, 0, -1)).logical_and(work.target.slice(1, 1).ne(options_.ids.pad));
  const Tensor too_long = (work.tgt_len + repeats.sum(1)).gt(attempt.lengths);
  found.measures.push_back({"ctc_too_long", too_long.sum().item<double>(), static_cast<double>(work.target.size(0))});
  return found;
}

/// Shows some symbols of the most probable path to each target. A sentence without a path is shown nothing.
void NatObjective::glance_at_path(const Work& work, const nn::CtcTargets& targets, Attempt& attempt) const {
  std::vector<nn::SymbolLogits> first;
  {
    const WithoutGradients scope;
    const auto& proj = work.model.generator->proj;
    first = nn::generator_symbols(attempt.hidden(work), proj->weight, proj->bias, targets);
  }
  const Tensor ids = work.target.to(torch::kCPU).contiguous();
  Tensor paths = torch::full({ids.size(0), attempt.tgt_mask.size(2)}, -1, torch::kLong);  // -1 = no symbol
  std::vector<int64_t> wrong_counts;
  for (size_t i = 0; i < first.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    const auto* tokens = ids.const_data_ptr<int64_t>() + row * ids.size(1);
    // Paths of equal length are compared, so the logits need no log_softmax.
    const std::vector<int32_t> path =
        kernels::ctc_best_path(first[i].logits, {tokens, static_cast<size_t>(targets.tokens[i])});
    int64_t wrong = 0;
    int64_t* out = paths.data_ptr<int64_t>() + row * paths.size(1);
    for (size_t t = 0; t < path.size(); ++t) {
      out[t] = path[t] == 0 ? options_.ids.pad : tokens[path[t] - 1];
      wrong += out[t] != first[i].best[t];
    }
    wrong_counts.push_back(wrong);
  }
  paths = paths.to(options_.device);
  const Tensor shown = draw_positions(paths.ge(0), shown_counts(torch::tensor(wrong_counts), work).to(options_.device));
  attempt.show(work, shown, paths.clamp_min(0));
}

void NatObjective::add_length_loss(const Work& work, BatchLoss& found) const {
  const int64_t range = options_.model.length_range;
  const Tensor classes = (work.tgt_len - work.src_len).clamp(-range, range) + range;
  const Tensor losses = -work.model.length_log_probs(work.memory).gather(1, classes.unsqueeze(1)).squeeze(1);
  const Tensor weighted = losses * work.weights;  // [sentences]
  found.loss = found.loss + options_.model.length_weight * (weighted * work.tgt_len).sum();
  found.nll = found.nll + weighted.sum().detach();
}

Task make_nat_task(const settings::RunConfig& config, const model::Package& package) {
  NatObjectiveOptions options;
  options.model = dynamic_cast<const architecture::NatArchitecture&>(*package.config.architecture).options;
  options.label_smoothing = config.training.label_smoothing;
  options.word_dropout = config.training.word_dropout;
  options.device = torch::Device(config.training.device);
  Task task{std::make_shared<data::PairBatchMaker>(), std::make_shared<NatObjective>(options)};
  if (options.model.ctc()) {
    task.remark = [model = options.model](const data::PairStore& pairs) { return remark_on(model, pairs); };
  }
  return task;
}

}  // namespace ventris::training
