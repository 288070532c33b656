#include "training/translation_objective.h"

#include <algorithm>
#include <optional>

#include "nn/attention_watch.h"
#include "nn/loss.h"
#include "nn/masks.h"
#include "nn/random_scope.h"
#include "nn/seq2seq.h"
#include "text/tokenizer.h"
#include "training/balance_loss.h"

namespace ventris::training {
namespace {

using torch::Tensor;

/// The line weights of the positions `wanted`, which are indices into [sentences * tgt_len]; undefined if all are 1.
Tensor token_weights(const data::Batch& batch, const Tensor& wanted) {
  if (batch.weights.empty()) return {};
  const auto of_sentences = torch::tensor(batch.weights).to(wanted.device()).unsqueeze(1);  // [sentences, 1]
  return of_sentences.expand({batch.sentences, batch.tgt_len}).flatten().index_select(0, wanted);  // [tokens]
}

constexpr double kLeastAttention = 1e-8;  // keeps the logarithm and its gradient finite

/// The best prediction of each position, [sentences, tgt_len], without gradients.
Tensor predictions(nn::Seq2SeqImpl& translator, const nn::Memory& memory, const Tensor& target_in,
                   const core::SpecialIds& ids) {
  const torch::NoGradGuard no_grad;
  const auto hidden = translator.decode(memory, target_in, nn::target_mask(target_in, ids.pad));
  return translator.generator->proj(hidden).argmax(-1);
}

}  // namespace

Tensor alignment_loss(const Tensor& weights, const data::Batch& batch, const model::GuidedAttention& guided) {
  std::vector<int64_t> places;  // in [sentences, tgt_len, src_len]
  std::vector<float> shares;
  for (const data::TokenLink& link : batch.links) {
    const int64_t step = link.target + (guided.reading ? 1 : 0);
    places.push_back((link.sentence * batch.tgt_len + step) * batch.src_len + link.source);
    shares.push_back(link.share);
  }
  const int64_t passes = weights.size(0) / batch.sentences;
  const auto of_head = weights.select(1, guided.head - 1).to(torch::kFloat).reshape({passes, -1});
  const auto linked = of_head.index_select(1, torch::tensor(places, torch::kLong).to(weights.device()));
  return -(linked.add(kLeastAttention).log() * torch::tensor(shares, torch::kFloat).to(weights.device())).sum();
}

Tensor drop_words(const Tensor& ids, const TranslationOptions& options) {
  if (options.word_dropout <= 0) return ids;
  const auto drawn = torch::empty(ids.sizes(), ids.options().dtype(torch::kFloat))
                         .uniform_(0, 1, nn::RandomScope::current());  // [sentences, len]
  const int64_t last_special = core::SpecialIds{}.eos;
  return ids.masked_fill(drawn.lt(options.word_dropout).logical_and_(ids.gt(last_special)), options.ids.unk);
}

double sampling_share(const settings::ScheduledSamplingConfig& sampling, int64_t number) {
  if (number < sampling.start_update) return 0;
  const auto risen = static_cast<double>(number - sampling.start_update + 1);
  return sampling.share * std::min(1.0, risen / static_cast<double>(std::max<int64_t>(1, sampling.rising_updates)));
}

Tensor with_predictions(const Tensor& target_in, const Tensor& predicted, double share, const core::SpecialIds& ids) {
  const auto last = target_in.size(1) - 1;
  const auto read = target_in.slice(1, 1), written = predicted.slice(1, 0, last).to(target_in.scalar_type());
  const auto drawn = torch::empty(read.sizes(), read.options().dtype(torch::kFloat))
                         .uniform_(0, 1, nn::RandomScope::current());  // [sentences, tgt_len - 1]
  const auto ordinary = read.gt(ids.eos).logical_and_(written.gt(ids.eos));
  const auto mixed = torch::where(drawn.lt(share).logical_and_(ordinary), written, read);
  return torch::cat({target_in.slice(1, 0, 1), mixed}, 1);
}

BatchLoss TranslationObjective::loss(nn::ModelImpl& model, const data::Batch& batch, bool learn) const {
  auto source = to_tensor(batch.source, batch.sentences, batch.src_len, options_.device);
  auto target_in = to_tensor(batch.target_in, batch.sentences, batch.tgt_len, options_.device);
  const auto target_out = to_tensor(batch.target_out, batch.sentences, batch.tgt_len, options_.device).flatten();
  // Padding does not count for the loss, so the largest product of a step leaves it out. (Asked before the model runs,
  // because a GPU would have to finish the model's work first.)
  const auto wanted = target_out.ne(options_.ids.pad).nonzero().squeeze(1);  // [tokens]
  const int64_t passes = learn && options_.r_drop > 0 ? 2 : 1;
  if (passes > 1) {  // both at once, as one batch of twice the size: each sentence gets two draws of dropout
    source = source.repeat({passes, 1});
    target_in = target_in.repeat({passes, 1});
  }
  if (learn) {
    source = drop_words(source, options_);
    target_in = drop_words(target_in, options_);
  }
  auto& translator = dynamic_cast<nn::Seq2SeqImpl&>(model);
  const BalanceLoss balance(translator.routed_blocks(), learn);
  const auto memory = translator.encode(source, nn::padding_mask(source, options_.ids.pad));
  if (const double share = sampling_share(options_.sampling, batch.update); learn && share > 0) {
    target_in =
        with_predictions(target_in, predictions(translator, memory, target_in, options_.ids), share, options_.ids);
  }
  const bool guides = learn && options_.guided.layer > 0 && !batch.links.empty();
  std::optional<nn::AttentionWatch> watch;
  if (guides) {
    watch.emplace(std::vector{translator.attention_blocks().cross.at(static_cast<size_t>(options_.guided.layer - 1))});
  }
  const auto hidden = translator.decode(
      memory, target_in, nn::target_mask(target_in, options_.ids.pad));  // [passes * sentences, tgt_len, d_model]
  const auto states = hidden.view({passes, target_out.size(0), -1}).index_select(1, wanted).flatten(0, 1);
  const auto& proj = translator.generator->proj;
  nn::LossResult found = nn::generator_loss(states, proj->weight, proj->bias, target_out.index_select(0, wanted),
                                            {.smoothing = options_.label_smoothing,
                                             .pad = options_.ids.pad,
                                             .r_drop = passes > 1 ? options_.r_drop : 0,
                                             .weights = token_weights(batch, wanted)});
  if (guides) {
    found.loss = found.loss + options_.guided_weight * alignment_loss(watch->kept(0), batch, options_.guided);
  }
  if (const Tensor uneven = balance.of(source, target_in, options_.ids.pad); uneven.defined()) {
    found.loss = found.loss + static_cast<double>(passes) * batch.target_weight * uneven;
  }
  if (passes == 1) return {found.loss, found.nll};
  return {found.loss / passes, found.nll / passes};
}

}  // namespace ventris::training
