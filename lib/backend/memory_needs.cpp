#include "backend/memory_needs.h"

#include <algorithm>

#include "architecture/rnn.h"
#include "architecture/transformer.h"
#include "architecture/transformer_nat.h"

namespace ventris::backend {
namespace {

using architecture::Architecture;
using decoding::MemoryNeeds;

constexpr int64_t kFloat = sizeof(float);
constexpr int64_t kLogitCopies = 6;         // of a row: logits, log-probabilities, ranks, the best of them
constexpr int64_t kWeightCopies = 4;        // of an attention weight: scores, with a mask, weights
constexpr int64_t kFixed =
    int64_t{96} << 20;  // logits of many tokens, a few million at a time; what LibTorch allocates

/// The sizes of a model. Other families count as Transformers that are at least as large.
struct Sizes {
  int64_t width = 0, hidden = 0, heads = 1;
  int64_t keys = 0, values = 0;  // of all heads
  int64_t encoder_layers = 1, decoder_layers = 1;
  int64_t sums = 0;  // of a hypothesis in a layer with linear attention

  /// Intermediate results of a token in one layer.
  int64_t activations() const { return kFloat * (12 * width + 3 * hidden + 4 * (2 * keys + values)); }
};

Sizes sizes_of(const architecture::TransformerOptions& options) {
  Sizes sizes{options.d_model, options.d_ff, options.heads};
  sizes.keys = options.heads * options.key_width();
  sizes.values = options.heads * options.value_width();
  sizes.encoder_layers = options.encoder_layers;
  sizes.decoder_layers = options.decoder_layers;
  if (options.self_attention == architecture::SelfAttention::kLinear) {
    sizes.sums = options.heads * options.key_width() * (options.value_width() + 1);
  }
  return sizes;
}

Sizes sizes_of(const Architecture& architecture) {
  if (const auto* nat = dynamic_cast<const architecture::NatArchitecture*>(&architecture)) {
    return sizes_of(nat->options.transformer);
  }
  if (const auto* transformer = dynamic_cast<const architecture::TransformerArchitecture*>(&architecture)) {
    return sizes_of(transformer->options);
  }
  Sizes sizes{2 * architecture.width(), 4 * architecture.width(), 1};
  if (const auto* rnn = dynamic_cast<const architecture::RnnArchitecture*>(&architecture)) {
    sizes.hidden = 4 * (rnn->options.d_hidden + rnn->options.decoder_input());
    sizes.encoder_layers = rnn->options.encoder_layers;
    sizes.decoder_layers = rnn->options.decoder_layers;
  }
  sizes.keys = sizes.values = 2 * architecture.width();
  return sizes;
}

/// What encoding needs, and the results of all layers, which the decoder may read.
MemoryNeeds encoding(const Sizes& sizes) {
  MemoryNeeds needs;
  needs.pads_sources = needs.pads_targets = true;
  needs.fixed = kFixed;
  needs.source_token = kFloat * (sizes.encoder_layers + 2) * sizes.width + 32;
  needs.encoded_token = sizes.activations();
  needs.encoded_weight = kFloat * kWeightCopies * sizes.heads;
  needs.encoded_together = decoding::kTokensAtOnce;
  return needs;
}

/// A search with caches of keys and values.
MemoryNeeds cached_steps(const Sizes& sizes, int64_t vocab) {
  MemoryNeeds needs = encoding(sizes);
  const int64_t of_layer = kFloat * (sizes.keys + sizes.values), weights = kFloat * kWeightCopies * sizes.heads;
  // A layer that is copied exists twice, and attention may copy it once more.
  needs.source_place = of_layer * (sizes.decoder_layers + 3) + weights;
  // Each cache and its spare copy have a quarter more room than is needed.
  needs.place = of_layer * (5 * sizes.decoder_layers / 2 + 6) + weights;
  needs.row = sizes.activations() + kFloat * (kLogitCopies * vocab + 3 * sizes.decoder_layers * sizes.sums) +
              32 * needs.place;  // caches have a least size
  return needs;
}

/// All tokens of a target in one pass.
MemoryNeeds one_pass(const Sizes& sizes) {
  MemoryNeeds needs = encoding(sizes);
  needs.encoded_together = 0;  // sources are encoded with the targets, all at once
  needs.source_token += sizes.activations();
  needs.source_place = 2 * kFloat * (sizes.encoder_layers + 2) * sizes.width;  // a copy for each hypothesis
  needs.place = sizes.activations() + 64;
  needs.weight = 2 * kFloat * kWeightCopies * sizes.heads;
  return needs;
}

}  // namespace

ModuleNeeds module_needs(const Architecture& architecture, bool script) {
  const Sizes sizes = sizes_of(architecture);
  ModuleNeeds needs{cached_steps(sizes, architecture.tgt_vocab()), one_pass(sizes)};
  if (architecture.writing().all_at_once) {
    needs.decoder = one_pass(sizes);
    needs.decoder.longest = needs.pairs.longest = kFloat * kLogitCopies * architecture.tgt_vocab();  // those of a row
  } else if (script) {
    needs.decoder = one_pass(sizes);
    needs.decoder.row += kFloat * kLogitCopies * architecture.tgt_vocab();
  }
  return needs;
}

}  // namespace ventris::backend
