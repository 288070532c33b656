#include "translation/alignment.h"

#include <algorithm>
#include <tuple>

#include "core/error.h"
#include "metrics/unicode.h"

namespace ventris::translation {
decoding::PairQuestion attention_question(const AttentionChoice& choice, const decoding::AttentionShape& shape,
                                          const model::GuidedAttention& learnt) {
  if (shape.layers == 0) {
    fail<ConfigError>(
        "alignment, replace_unk, coverage_penalty: this model does not provide its attention; either it has none, or "
        "it is a TorchScript file: then give the bundle from which it was made; a document needs attention, too, "
        "unless "
        "--markup none reads its lines as texts");
  }
  if (choice.layer > shape.layers) {
    fail<ConfigError>("alignment_layer: the model has ", shape.layers, shape.layers == 1 ? " layer" : " layers",
                      " with attention to the source, got ", choice.layer);
  }
  if (choice.head > shape.heads) {
    fail<ConfigError>("alignment_head: the model has ", shape.heads, " heads, got ", choice.head);
  }
  decoding::PairQuestion question;
  question.log_probs = false;
  question.attention = true;
  if (!choice.given() && learnt.layer > 0) {
    question.layer = learnt.layer - 1;
    question.head = learnt.head - 1;
    return question;
  }
  question.layer = (choice.layer > 0 ? choice.layer : architecture::default_alignment_layer(shape.layers)) - 1;
  question.head = std::max<int64_t>(choice.head, 0) - 1;
  return question;
}

void move_to_reading(std::vector<float>& weights, size_t sources, bool ended) {
  if (weights.size() < sources) return;
  const auto width = static_cast<std::ptrdiff_t>(sources);
  std::move(weights.begin() + width, weights.end(), weights.begin());
  if (ended) std::fill(weights.end() - width, weights.end(), 0.0F);
}

std::vector<int64_t> words_of(const std::string& text, const std::vector<text::ByteRange>& places) {
  size_t last = 0;  // what is behind the word of the last place is not needed
  for (const text::ByteRange& place : places) last = std::max(last, place.end);
  last = std::min(text.find(' ', text.find_first_not_of(' ', last)), text.size());
  std::vector<size_t> ends;  // of each word
  for (const std::string_view word : metrics::split_words(std::string_view(text).substr(0, last))) {
    ends.push_back(static_cast<size_t>(word.data() + word.size() - text.data()));
  }
  std::vector<int64_t> words;
  for (const text::ByteRange& place : places) {
    const auto word = std::upper_bound(ends.begin(), ends.end(), place.begin);
    words.push_back(word == ends.end() ? -1 : word - ends.begin());
  }
  return words;
}

std::vector<Link> align_words(const TokenAttention& attention) {
  const auto& [weights, source_words, target_words, knows_none] = attention;
  const auto count = [](const std::vector<int64_t>& words) {
    return words.empty() ? 0 : static_cast<size_t>(*std::max_element(words.begin(), words.end()) + 1);
  };
  const size_t sources = count(source_words), targets = count(target_words);
  std::vector<double> sums(sources * targets);  // [target word, source word]
  std::vector<double> none(targets);            // of tokens that belong to no source word
  for (size_t row = 0; row < target_words.size(); ++row) {
    for (size_t i = 0; i < source_words.size(); ++i) {
      if (target_words[row] < 0) continue;
      const auto word = static_cast<size_t>(target_words[row]);
      double& sum = source_words[i] < 0 ? none[word] : sums[word * sources + static_cast<size_t>(source_words[i])];
      sum += static_cast<double>(weights[row * source_words.size() + i]);
    }
  }
  std::vector<Link> links;
  for (size_t target = 0; target < targets; ++target) {
    const auto first = sums.begin() + static_cast<std::ptrdiff_t>(target * sources);
    const auto best = std::max_element(first, first + static_cast<std::ptrdiff_t>(sources));
    if (sources > 0 && *best > (knows_none ? none[target] : 0))
      links.push_back({best - first, static_cast<int64_t>(target)});
  }
  std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
    return std::tuple(a.source, a.target) < std::tuple(b.source, b.target);
  });
  return links;
}

std::string format_links(const std::vector<Link>& links) {
  std::string text;
  for (const Link& link : links) {
    text += (text.empty() ? "" : " ") + std::to_string(link.source) + "-" + std::to_string(link.target);
  }
  return text;
}

int64_t most_attended(std::span<const float> weights, size_t row, const std::vector<bool>& allowed) {
  int64_t best = -1;
  const auto line = weights.subspan(row * allowed.size(), allowed.size());
  for (size_t i = 0; i < allowed.size(); ++i) {
    if (allowed[i] && (best < 0 || line[i] > line[static_cast<size_t>(best)])) best = static_cast<int64_t>(i);
  }
  return best;
}

}  // namespace ventris::translation
