#include "engine/needs.h"

#include <algorithm>
#include <cmath>

#include "decoding/search.h"
#include "engine/nat_scorer.h"
#include "engine/output_layer.h"
#include "engine/steps.h"
#include "engine/symbol_layer.h"
#include "layers/decoder_attention.h"
#include "layers/prefixes.h"
#include "layers/widths.h"

namespace ventris::engine {
namespace {

using architecture::NatOptions;
using architecture::SelfAttention;
using architecture::TransformerOptions;
using arithmetic::panels_of;
using decoding::MemoryNeeds;
using layers::entry_width;
using layers::key_size;
using layers::value_size;

constexpr int64_t kFloat = sizeof(float);
constexpr int64_t kSpare = 1 << 20;  // for what is small and not counted
constexpr int64_t kBytesOfSlot = 96;  // Prefixes: of a list of entries that are released together
constexpr int64_t kMostQueries = 48;  // of a window that are computed together

/// Aligned::room() makes memory that grows half as large again.
constexpr int64_t grown(int64_t bytes) { return bytes + bytes / 2; }

/// Floats of a source token or a target position for values that are packed as a matrix.
int64_t packed_values(const TransformerOptions& options) {
  return options.heads * panels_of(options.value_width()) * kPanel;
}

/// Floats of a position for the terms of keys.
int64_t terms(const TransformerOptions& options) { return layers::has_key_terms(options) ? options.heads : 0; }

/// Of a row or a position while it is computed: input, norm, projections, context, hidden layer, lengths of queries and
/// keys; and the inputs of bf16 and int8.
int64_t work(const TransformerOptions& options) {
  const int64_t d = options.d_model, keys = key_size(options), values = value_size(options);
  const int64_t widest = std::max({d, options.d_ff, values});
  return grown(kFloat * (3 * d + 2 * keys + 2 * values + options.d_ff + options.heads) + 3 * widest + 16);
}

/// What self-attention within windows needs besides that to all positions.
void add_window(const TransformerOptions& options, MemoryNeeds& needs) {
  const int64_t seen = options.global_positions + 2 * options.window + kMostQueries + kPanel;
  needs.fixed += grown(kFloat * kMostQueries * seen);  // scores
  needs.place += kBytesOfSlot;
}

/// The same of linear self-attention. It keeps two tables of sums instead of keys and values.
void add_linear(const TransformerOptions& options, MemoryNeeds& needs) {
  const int64_t encoders = options.encoder_layers, d_k = options.key_width(), width = options.value_width() + 1;
  const int64_t panels = panels_of(width) * kPanel;
  needs.row += grown(2 * kFloat * options.decoder_layers * options.heads * d_k * width) + 128 * options.decoder_layers;
  needs.fixed += grown(kFloat * (encoders * d_k * width + d_k * panels));
  needs.encoded_token += grown(kFloat * (encoders * (d_k + width) + width + panels));
}

/// The same of self-attention to a lower rank.
void add_low_rank(const TransformerOptions& options, MemoryNeeds& needs) {
  const int64_t keys = key_size(options), size = options.low_rank_size;
  const int64_t packed = keys + packed_values(options) + terms(options);
  needs.fixed += grown(kFloat * (options.encoder_layers * size * (keys + value_size(options)) +  // mixtures
                                 (size + kPanel) * packed));
  needs.encoded_token += grown(kFloat * (size + kPanel));  // scores; one panel of keys more
}

/// The same of self-attention in segments.
void add_segments(const TransformerOptions& options, MemoryNeeds& needs) {
  const int64_t encoders = options.encoder_layers, keys = key_size(options);
  const int64_t reach = std::min(options.segment + options.segment_memory, options.max_positions);
  const int64_t distances = reach + std::min(options.segment, options.max_positions) + kPanel;  // of an encoder
  needs.fixed += grown(kFloat * keys * (encoders * distances + options.decoder_layers * (reach + kPanel))) +
                 kFloat * distances * (options.d_model + keys);  // while they are computed
  needs.row += grown(kFloat * (keys + options.heads * (reach + kPanel)));  // products with distances
  needs.encoded_token += grown(kFloat * (encoders * (keys + distances) + kPanel));
  needs.place += kBytesOfSlot;
}

/// The same of an SSRU in the decoder, which keeps one cell instead of keys and values.
void add_ssru(const TransformerOptions& options, MemoryNeeds& needs) {
  needs.row += grown(2 * kFloat * options.decoder_layers * options.d_model) + 128 * options.decoder_layers +
               grown(3 * kFloat * options.d_model);  // what is projected
}

void add_self_attention(const TransformerOptions& options, MemoryNeeds& needs) {
  switch (options.self_attention) {
    case SelfAttention::kWindow: return add_window(options, needs);
    case SelfAttention::kLinear: return add_linear(options, needs);
    case SelfAttention::kLowRank: return add_low_rank(options, needs);
    case SelfAttention::kSegment: return add_segments(options, needs);
    case SelfAttention::kSsru: return add_ssru(options, needs);
    case SelfAttention::kFull: break;
  }
}

/// What encoding needs, and the keys and values of the source.
MemoryNeeds encoding_needs(const TransformerOptions& options) {
  const int64_t d = options.d_model, layers = options.decoder_layers, keys = key_size(options);
  const int64_t packed = keys + packed_values(options) + terms(options);
  const int64_t outputs =
      options.cross_attention == architecture::CrossAttention::kLast ? 0 : options.encoder_layers + 1;
  MemoryNeeds needs;
  needs.pads_sources = true;  // the memory of a sentence is used again, for a longer one, too
  needs.sentence = grown(kFloat * layers * kPanel * (keys + terms(options))) + 64 * layers + 256;
  needs.source_token = grown(kFloat * layers * packed) + kFloat;
  needs.encoded_token =
      work(options) + grown(kFloat * (d * (1 + outputs) + 2 * keys + value_size(options) + packed)) + 32;
  needs.encoded_weight = grown(kFloat);
  needs.fixed = kSpare;
  return needs;
}

/// What decoding steps need, without the output layer.
MemoryNeeds step_needs(const TransformerOptions& options) {
  const int64_t layers = options.decoder_layers;
  const bool keeps_keys = options.self_attention != SelfAttention::kLinear && !options.has_ssru();
  const int64_t entry = keeps_keys ? entry_width(options) : 0;
  MemoryNeeds needs = encoding_needs(options);
  needs.encoded_together = Steps::kGroup;
  needs.source_place = grown(kFloat);  // scores of the attention to the source
  needs.place = kFloat * layers * entry + 4 * kFloat;
  needs.table = 10 * kFloat;  // Prefixes: two tables of entries, each of which may have grown twice too large
  needs.row = work(options) + grown(kFloat * options.d_model) + needs.table * Prefixes::kLeastCapacity;
  needs.fixed += layers * kFloat * Prefixes::kChunk * entry +  // the last chunk may be used by one entry only
                 grown(kFloat * options.heads * options.max_positions);  // scores of the attention to a prefix
  add_self_attention(options, needs);
  return needs;
}

/// Decoder positions for each token of a source, at most; 0 = their number does not depend on the source.
int64_t positions_of_token(const NatOptions& options) {
  if (options.predicts_length()) return 0;
  return options.ctc() ? options.upsampling : static_cast<int64_t>(std::ceil(options.length_factor));
}

}  // namespace

MemoryNeeds memory_needs(const TransformerOptions& options) {
  MemoryNeeds needs = step_needs(options);
  needs.place += 2 * kFloat;  // logits of ids with penalties
  needs.row += grown(kFloat * Output::kColumns) +
               8 * kFloat * (decoding::kLargestBeam + 1) +  // continuations, and the tokens that may become them
               512;
  needs.fixed += kFloat * std::max(Output::kLogits, options.tgt_vocab) +  // logits of special rows
                 8 * kFloat * options.tgt_vocab;                          // sorting those of a row
  return needs;
}

MemoryNeeds pair_memory_needs(const TransformerOptions& options) {
  MemoryNeeds needs = step_needs(options);
  needs.row += grown(kFloat * Output::kColumns) + 512;
  needs.source_place += grown(kFloat * options.heads);  // the attention of a step
  needs.weight = 3 * kFloat;                            // that of all steps, in a vector that grows
  return needs;
}

MemoryNeeds nat_memory_needs(const NatOptions& options) {
  const TransformerOptions& layers = options.transformer;
  const int64_t factor = positions_of_token(options), spare = options.ctc() ? 0 : NatOptions::kSparePositions;
  const int64_t classes = options.predicts_length() ? options.length_classes() : 0;
  MemoryNeeds needs = encoding_needs(layers);
  add_self_attention(layers, needs);
  needs.encoded_together = kNatPositions;
  const int64_t position = needs.encoded_token + grown(kFloat * kPanel) + 128;  // computed like a source token
  needs.row = 512;
  needs.fixed += grown(kFloat * SymbolLayer::kRowsAtOnce * SymbolLayer::kPanelsAtOnce * kPanel) + 64 * classes;
  needs.sentence += kFloat * classes + grown(kFloat * layers.d_model);
  needs.encoded_token += grown(kFloat * layers.d_model);  // tokens that DecoderInput::kSoft mixes
  if (factor == 0) {
    needs.place = position;
    needs.weight = grown(kFloat);  // scores
  } else {
    needs.place = 64;
    needs.sentence += spare * position;
    needs.encoded_token += factor * position + grown(kFloat * spare * (2 * factor + spare));
    needs.encoded_weight += factor * factor * (grown(kFloat) + kFloat);  // scores; symbols of a CTC translation
  }
  return needs;
}

MemoryNeeds nat_pair_memory_needs(const NatOptions& options) {
  const int64_t heads = options.transformer.heads, factor = positions_of_token(options);
  MemoryNeeds needs = nat_memory_needs(options);
  needs.place += needs.encoded_token;  // a target may have more positions than the decoder would take
  needs.weight = grown(kFloat * heads) +  // attention
                 3 * kFloat +             // that of a head, in a vector that grows
                 kFloat * (factor + 1) +  // log-probabilities of the tokens at each position
                 grown(kFloat);           // scores
  needs.encoded_weight += factor * (grown(kFloat * heads) + 3 * kFloat);
  return needs;
}

}  // namespace ventris::engine
