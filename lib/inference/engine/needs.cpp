#include "engine/needs.h"

#include <cmath>

#include "engine/given_targets.h"
#include "engine/nat_scorer.h"
#include "engine/output_layer.h"
#include "engine/steps.h"
#include "engine/symbol_layer.h"
#include "layers/widths.h"

namespace ventris::engine {
namespace {

using architecture::NatOptions;
using architecture::TransformerOptions;
using arithmetic::grown;
using decoding::MemoryNeeds;
using layers::kFloat;

constexpr int64_t kSpare = 1 << 20;  // for what is small and not counted

/// Those of decoding token by token.
MemoryNeeds steps_with(const MemoryNeeds& output, const TransformerOptions& options) {
  MemoryNeeds needs = Steps::needs(options).plus(output);
  needs.encoded_together = Steps::kGroup;
  needs.fixed += kSpare;
  return needs;
}

/// Those of given targets whose positions are computed at once.
MemoryNeeds given_targets_needs(const TransformerOptions& options) {
  const TransformerOptions side = options.decoder_side();
  MemoryNeeds needs = Encoder::needs(options).plus(layers::source_needs(side)).plus(Output::needs_of_chosen());
  needs.encoded_together = kGivenTokens;
  needs.place = Encoder::needs(side).encoded_token + needs.row + grown(kFloat * (kPanel + options.d_model)) + 256;
  needs.row += 512;
  needs.fixed += kSpare;
  needs.weight = grown(kFloat * side.heads) +  // attention
                 3 * kFloat;                   // that of a head, in a vector that grows
  return needs;
}

/// Decoder positions for each token of a source, at most; 0 = their number does not depend on the source.
int64_t positions_of_token(const NatOptions& options) {
  if (options.predicts_length()) return 0;
  return options.ctc() ? options.upsampling : static_cast<int64_t>(std::ceil(options.length_factor));
}

}  // namespace

MemoryNeeds memory_needs(const TransformerOptions& options) {
  return steps_with(Output::needs(options.tgt_vocab), options);
}

MemoryNeeds pair_memory_needs(const TransformerOptions& options) {
  if (layers::sees_prefixes_at_once(options)) return given_targets_needs(options);
  MemoryNeeds needs = steps_with(Output::needs_of_chosen(), options);
  needs.source_place += grown(kFloat * options.decoder_side().heads);  // the attention of a step
  needs.weight = 3 * kFloat;                                           // that of all steps, in a vector that grows
  return needs;
}

MemoryNeeds nat_memory_needs(const NatOptions& options) {
  const TransformerOptions& shape = options.transformer;
  const TransformerOptions side = shape.decoder_side();
  const int64_t factor = positions_of_token(options), spare = options.ctc() ? 0 : NatOptions::kSparePositions;
  const int64_t classes = options.predicts_length() ? options.length_classes() : 0;
  MemoryNeeds needs = Encoder::needs(shape).plus(layers::source_needs(side)).plus(SymbolLayer::needs());
  needs.encoded_together = kNatPositions;
  const int64_t position =
      Encoder::needs(side).encoded_token + grown(kFloat * kPanel) + 128;  // computed like a source token
  needs.row = 512;
  needs.fixed += kSpare + 64 * classes;
  needs.sentence += kFloat * classes + grown(kFloat * shape.d_model);
  needs.encoded_token += grown(kFloat * shape.d_model);  // tokens that DecoderInput::kSoft mixes
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
  const int64_t heads = options.transformer.decoder_side().heads, factor = positions_of_token(options);
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
