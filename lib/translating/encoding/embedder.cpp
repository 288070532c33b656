#include "encoding/embedder.h"

#include <algorithm>

#include "core/error.h"

namespace ventris::encoding {
namespace {

/// Adds the vector `x` to `sum`.
void add(std::span<const float> x, std::span<float> sum) {
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += x[i];
}

}  // namespace

Embedder::Embedder(const EncoderPool& encoders, const EmbedderOptions& options)
    : encoders_(encoders), inputs_(encoders.package()), options_(options) {
  check_pooling();
  check_layer();
}

void Embedder::check_pooling() const {
  const bool mean = options_.pooling == Pooling::kMean;
  if (!mean && !encoders_.info().has_pooler) {
    fail<ConfigError>("--pooling: only a BERT has [CLS] and a pooler; this model has none, so use mean");
  }
  if (!mean && options_.words) fail<ConfigError>("--words, --pooling: the vector of a word is a mean; use mean");
  if (options_.pooling == Pooling::kPooler && options_.layer) {
    fail<ConfigError>("--layer: the pooler reads the last layer; leave out --layer, or use another --pooling");
  }
}

void Embedder::check_layer() const {
  if (!options_.layer) return;
  const int64_t first = encoders_.info().first_layer, last = encoders_.info().last_layer;
  if (last < first) fail<ConfigError>("--layer: this model has no layers to choose from; leave it out");
  if (*options_.layer < first || *options_.layer > last) {
    fail<ConfigError>("--layer: the model has layers ", first, " to ", last, ", got ", *options_.layer);
  }
}

Vectors Embedder::sentence_of(std::span<const float> tokens, const Input& input) const {
  const auto size = static_cast<size_t>(width());
  if (options_.pooling == Pooling::kCls) return {{tokens.begin(), tokens.begin() + width()}, {true}};
  const Pieces pieces = pieces_of(input, inputs_.ids());
  Vectors mean{std::vector<float>(size, 0.0F), {true}};
  for (size_t i = pieces.begin; i < pieces.begin + pieces.count; ++i) add(tokens.subspan(i * size, size), mean.values);
  for (float& value : mean.values) value /= static_cast<float>(pieces.count);
  return mean;
}

Vectors Embedder::words_of(std::span<const float> tokens, const Input& input) const {
  const auto size = static_cast<size_t>(width());
  // Words that were cut off have no vectors.
  const auto count =
      static_cast<size_t>(input.words.empty() ? 0 : *std::max_element(input.words.begin(), input.words.end()) + 1);
  Vectors words{std::vector<float>(count * size, 0.0F), std::vector<bool>(count, false)};
  std::vector<float> pieces(count, 0.0F);  // of each word
  for (size_t i = 0; i < input.words.size(); ++i) {
    if (input.words[i] < 0) continue;
    const auto word = static_cast<size_t>(input.words[i]);
    add(tokens.subspan(i * size, size), std::span(words.values).subspan(word * size, size));
    pieces[word] += 1;
    words.known[word] = true;
  }
  for (size_t i = 0; i < words.values.size(); ++i) words.values[i] /= std::max(pieces[i / size], 1.0F);
  return words;
}

std::vector<Vectors> Embedder::embed(const std::vector<const Input*>& batch) const {
  const auto texts = texts_of(batch);
  const auto encoder = encoders_.lend();
  const auto size = static_cast<size_t>(width());
  std::vector<Vectors> all;
  if (options_.pooling == Pooling::kPooler) {
    const std::span<const float> pooled = (*encoder)->pooled(texts);
    for (size_t i = 0; i < batch.size(); ++i) {
      const auto one = pooled.subspan(i * size, size);
      all.push_back({{one.begin(), one.end()}, {true}});
    }
    return all;
  }
  std::span<const float> states = (*encoder)->states(texts, options_.layer);
  for (const Input* input : batch) {
    const auto tokens = states.first(input->ids.size() * size);
    all.push_back(options_.words ? words_of(tokens, *input) : sentence_of(tokens, *input));
    states = states.subspan(tokens.size());
  }
  return all;
}

}  // namespace ventris::encoding
