#include "data/subword_sampler.h"

#include <algorithm>

#include "core/random.h"

namespace ventris::data {
namespace {

constexpr size_t kFreeLength = 4;  // tokens that a draw may have beyond twice the plain length
constexpr uint64_t kSamplingStream = 0x73756277;  // of the run's seed

/// Replaces the ids after the first `kept` by a draw.
void redraw_side(const text::Tokenizer& tokenizer, const std::string& text, const SamplingOptions& options,
                 uint64_t seed, size_t kept, std::vector<int32_t>& ids) {
  const auto drawn = tokenizer.sample(text, options.alpha, seed);
  const size_t plain = ids.size() - kept;
  const size_t longest = std::min(static_cast<size_t>(options.max_length) - kept, 2 * plain + kFreeLength);
  if (drawn.empty() || drawn.size() > longest) return;
  ids.resize(kept);
  ids.insert(ids.end(), drawn.begin(), drawn.end());
}

}  // namespace

void SubwordSampler::redraw(SentencePair& pair, uint64_t number, uint32_t tag_tokens, uint64_t epoch) const {
  const uint64_t seed = core::derive_seed(core::derive_seed(options_.seed, kSamplingStream), epoch, number);
  if (options_.source) {
    redraw_side(source_, pair.source_text, options_, core::derive_seed(seed, 0), tag_tokens, pair.source);
  }
  if (options_.target) redraw_side(target_, pair.target_text, options_, core::derive_seed(seed, 1), 0, pair.target);
}

}  // namespace ventris::data
