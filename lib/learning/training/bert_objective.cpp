#include "training/bert_objective.h"

#include <memory>

#include "architecture/bert_options.h"
#include "core/error.h"
#include "data/masked_batches.h"
#include "families/bert.h"
#include "nn/loss.h"
#include "nn/masks.h"
#include "text/tokenizer.h"

namespace ventris::training {
namespace {

using torch::Tensor;

Measure accuracy(const char* name, const Tensor& logits, const Tensor& right) {
  return {name, logits.argmax(-1).eq(right).sum().item<double>(), static_cast<double>(right.numel())};
}

}  // namespace

BatchLoss BertObjective::loss(nn::ModelImpl& model, const data::Batch& batch, bool learn) const {
  auto& bert = dynamic_cast<families::BertForPreTrainingImpl&>(model);
  const Tensor source = to_tensor(batch.source, batch.sentences, batch.src_len, options_.device);
  const Tensor segments = to_tensor(batch.segments, batch.sentences, batch.src_len, options_.device);
  const Tensor labels = to_tensor(batch.target_out, batch.sentences, batch.src_len, options_.device).flatten();
  const families::BertStates states = bert.encode(source, segments, nn::padding_mask(source, options_.ids.pad));
  const Tensor wanted = labels.ne(options_.ids.pad).nonzero().squeeze(1);  // [hidden tokens]
  const Tensor targets = labels.index_select(0, wanted);
  const Tensor hidden =
      bert.predictions->transformed(states.layers.back().flatten(0, 1).index_select(0, wanted));  // [tokens, d_model]
  auto& decoder = bert.predictions->decoder;
  const nn::LossResult words = nn::generator_loss(hidden, decoder->weight, decoder->bias, targets,
                                                  {.smoothing = options_.label_smoothing, .pad = options_.ids.pad});
  BatchLoss found{words.loss, words.nll};
  if (!learn) found.measures.push_back(accuracy("masked_accuracy", decoder->forward(hidden), targets));
  if (batch.classes.empty()) return found;
  const Tensor classes = to_tensor(batch.classes, batch.sentences, 1, options_.device).squeeze(1);
  const Tensor logits = bert.next_sentence(states.pooled).to(torch::kFloat);  // [sentences, 2]
  const Tensor hidden_tokens = labels.ne(options_.ids.pad).view({batch.sentences, -1}).sum(1);  // [sentences]
  const Tensor class_losses = at::cross_entropy_loss(logits, classes, {}, at::Reduction::None);
  found.loss = found.loss + (class_losses * hidden_tokens).sum();
  if (!learn) found.measures.push_back(accuracy("next_sentence_accuracy", logits, classes));
  return found;
}

Task make_bert_task(const settings::RunConfig& config, const model::Package& package) {
  const auto& model = dynamic_cast<const architecture::BertArchitecture&>(*package.config.architecture);
  const text::Tokenizer tokenizer(package.source_spm, "the tokenizer of the run");
  data::MaskingOptions masking;
  masking.mask_id = tokenizer.id_of(architecture::BertArchitecture::kMask);
  if (masking.mask_id < 0) {
    fail<ModelError>(package.path, ": the tokenizer has no piece ", architecture::BertArchitecture::kMask,
                     ", which a model of the family 'bert' needs");
  }
  masking.vocab = tokenizer.size();
  masking.mask_rate = model.options.mask_rate;
  masking.whole_words = model.options.whole_words;
  masking.next_sentence = model.options.next_sentence;
  masking.seed = config.training.seed;
  BertObjectiveOptions options;
  options.label_smoothing = config.training.label_smoothing;
  options.device = torch::Device(config.training.device);
  return {std::make_shared<data::MaskedBatchMaker>(masking, tokenizer), std::make_shared<BertObjective>(options)};
}

}  // namespace ventris::training
