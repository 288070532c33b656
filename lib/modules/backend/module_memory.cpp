#include "backend/module_memory.h"

#include <algorithm>

#include "backend/families.h"

namespace ventris::backend {
namespace {

using architecture::Architecture;
using decoding::MemoryNeeds;

constexpr int64_t kFloat = sizeof(float);
constexpr int64_t kLogitCopies = 6;         // of a row: logits, log-probabilities, ranks, the best of them
constexpr int64_t kWeightCopies = 4;        // of an attention weight: scores, with a mask, weights
constexpr int64_t kFixed =
    int64_t{96} << 20;  // logits of many tokens, a few million at a time; what LibTorch allocates

ModelSizes sizes_of(const Architecture& architecture) {
  const Family& row = family(architecture.family());
  return row.sizes ? row.sizes(architecture) : assumed_sizes(architecture);
}

/// Intermediate results of a token in one layer.
int64_t activations(const ModelSizes& sizes) {
  return kFloat * (12 * sizes.width + 3 * sizes.hidden + 4 * (2 * sizes.keys + sizes.values));
}

/// What encoding needs, and the results of all layers, which the decoder may read.
MemoryNeeds encoding(const ModelSizes& sizes) {
  MemoryNeeds needs;
  needs.pads_sources = needs.pads_targets = true;
  needs.fixed = kFixed;
  needs.source_token = kFloat * (sizes.encoder_layers + 2) * sizes.width + 32;
  needs.encoded_token = activations(sizes);
  needs.encoded_weight = kFloat * kWeightCopies * sizes.heads;
  needs.encoded_together = decoding::kTokensAtOnce;
  return needs;
}

/// A search with caches of keys and values.
MemoryNeeds cached_steps(const ModelSizes& sizes, int64_t vocab) {
  MemoryNeeds needs = encoding(sizes);
  const int64_t of_layer = kFloat * (sizes.keys + sizes.values), weights = kFloat * kWeightCopies * sizes.heads;
  // A layer that is copied exists twice, and attention may copy it once more.
  needs.source_place = of_layer * (sizes.decoder_layers + 3) + weights;
  // Each cache and its spare copy have a quarter more room than is needed.
  needs.place = of_layer * (5 * sizes.decoder_layers / 2 + 6) + weights;
  needs.row = activations(sizes) + kFloat * (kLogitCopies * vocab + 3 * sizes.decoder_layers * sizes.sums) +
              32 * needs.place;  // caches have a least size
  return needs;
}

/// All tokens of a target in one pass.
MemoryNeeds one_pass(const ModelSizes& sizes) {
  MemoryNeeds needs = encoding(sizes);
  needs.encoded_together = 0;  // sources are encoded with the targets, all at once
  needs.source_token += activations(sizes);
  needs.source_place = 2 * kFloat * (sizes.encoder_layers + 2) * sizes.width;  // a copy for each hypothesis
  needs.place = activations(sizes) + 64;
  needs.weight = 2 * kFloat * kWeightCopies * sizes.heads;
  return needs;
}

/// A path of CTC, which has this many symbols for each source token.
MemoryNeeds one_path(const ModelSizes& sizes, int64_t positions) {
  MemoryNeeds needs = one_pass(sizes);
  needs.source_token += positions * needs.place;
  needs.encoded_weight += positions * positions * needs.weight;
  return needs;
}

}  // namespace

ModelSizes assumed_sizes(const Architecture& architecture) {
  ModelSizes sizes{2 * architecture.width(), 4 * architecture.width(), 1};
  sizes.keys = sizes.values = 2 * architecture.width();
  return sizes;
}

ModuleNeeds module_needs(const Architecture& architecture, bool script) {
  const ModelSizes sizes = sizes_of(architecture);
  ModuleNeeds needs{cached_steps(sizes, architecture.tgt_vocab()), one_pass(sizes)};
  if (const architecture::Writing writing = architecture.writing(); writing.all_at_once) {
    needs.decoder = writing.path_positions > 0 ? one_path(sizes, writing.path_positions) : one_pass(sizes);
    needs.decoder.longest = needs.pairs.longest = kFloat * kLogitCopies * architecture.tgt_vocab();  // those of a row
  } else if (script) {
    needs.decoder = one_pass(sizes);
    needs.decoder.row += kFloat * kLogitCopies * architecture.tgt_vocab();
  }
  return needs;
}

}  // namespace ventris::backend
