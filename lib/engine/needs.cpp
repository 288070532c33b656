#include "engine/needs.h"

#include <algorithm>

#include "decoding/search.h"
#include "engine/output.h"
#include "engine/steps.h"
#include "layers/decoder_attention.h"
#include "layers/prefixes.h"

namespace ventris::engine {
namespace {

using arithmetic::panels_of;
using layers::entry_width;

constexpr int64_t kFloat = sizeof(float);

/// Aligned::room() makes memory that grows half as large again.
constexpr int64_t grown(int64_t bytes) { return bytes + bytes / 2; }

}  // namespace

decoding::MemoryNeeds memory_needs(const architecture::TransformerOptions& options) {
  const int64_t d = options.d_model, layers = options.decoder_layers;
  const int64_t keys = options.heads * options.key_width(), values = options.heads * options.value_width();
  const int64_t packed_values = options.heads * panels_of(options.value_width()) * kPanel;  // of a token
  const int64_t widest = std::max({d, options.d_ff, values});
  // Of a row in the workspace: input, norm, projections, context, hidden layer; and the inputs of bf16 and int8.
  const int64_t work = grown(kFloat * (3 * d + 2 * keys + values + values + options.d_ff) + 3 * widest + 16);

  decoding::MemoryNeeds needs;
  needs.pads_sources = true;  // the memory of a sentence is used again, for a longer one, too
  needs.encoded_together = Steps::kGroup;
  needs.sentence = grown(kFloat * layers * kPanel * keys) + 256;
  needs.source_token = grown(kFloat * layers * (keys + packed_values)) + kFloat;
  needs.source_place = grown(kFloat);  // scores of the attention to the source
  needs.place = kFloat * layers * entry_width(options) + 4 * kFloat;
  needs.table = 10 * kFloat;  // Prefixes: two tables of entries, each of which may have grown twice too large
  needs.row = work + grown(kFloat * (d + Output::kColumns)) + needs.table * Prefixes::kLeastCapacity +
              2 * kFloat * decoding::kLargestBeam + 256;
  if (options.self_attention == architecture::SelfAttention::kLinear) {  // two tables of sums
    needs.row += grown(2 * kFloat * layers * options.heads * options.key_width() * (options.value_width() + 1));
  }
  const int64_t outputs =
      options.cross_attention == architecture::CrossAttention::kLast ? 0 : options.encoder_layers + 1;
  needs.encoded_token = work + grown(kFloat * (d * (1 + outputs) + 2 * keys + values + keys + packed_values)) + 32;
  needs.encoded_weight = grown(kFloat);
  needs.fixed =
      kFloat * std::max(Output::kLogits, options.tgt_vocab) +  // logits of special rows
      8 * kFloat * options.tgt_vocab +                         // sorting those of a row
      layers * kFloat * Prefixes::kChunk * entry_width(options) +  // the last chunk may be used by one entry only
      grown(kFloat * options.heads * options.max_positions) + (int64_t{1} << 20);
  return needs;
}

decoding::MemoryNeeds nat_memory_needs(const architecture::TransformerOptions& options) {
  const decoding::MemoryNeeds steps = memory_needs(options);
  decoding::MemoryNeeds needs;
  needs.pads_sources = true;
  needs.fixed = steps.fixed;
  needs.sentence = steps.sentence;
  needs.source_token = steps.source_token + steps.encoded_token;
  needs.encoded_weight = steps.encoded_weight;
  needs.place = steps.encoded_token + 64;  // positions of a target are computed as those of a source
  needs.weight = grown(kFloat * options.heads);
  needs.row = 256;
  return needs;
}

}  // namespace ventris::engine
