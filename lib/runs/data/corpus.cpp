#include "data/corpus.h"

namespace ventris::data {
namespace {

template <typename T>
std::span<const T> slice(const std::vector<T>& ids, const std::vector<uint64_t>& ends, size_t pair) {
  const uint64_t end = ends.at(pair), begin = pair == 0 ? 0 : ends[pair - 1];
  return {ids.data() + begin, static_cast<size_t>(end - begin)};
}

}  // namespace

void ParallelCorpus::add(const SentencePair& pair) {
  if (pair.weight != 1 && weights_.empty()) weights_.resize(source_ends_.size(), 1.0F);
  if (pair.weight != 1 || !weights_.empty()) weights_.push_back(pair.weight);
  if (pair.preceding != 0 && preceding_.empty()) preceding_.resize(source_ends_.size());
  if (pair.preceding != 0 || !preceding_.empty()) preceding_.push_back(pair.preceding);
  if (!pair.links.empty() && link_ends_.empty()) link_ends_.resize(source_ends_.size());
  if (!pair.links.empty() || !link_ends_.empty()) {
    links_.insert(links_.end(), pair.links.begin(), pair.links.end());
    link_ends_.push_back(links_.size());
  }
  source_ids_.insert(source_ids_.end(), pair.source.begin(), pair.source.end());
  target_ids_.insert(target_ids_.end(), pair.target.begin(), pair.target.end());
  source_ends_.push_back(source_ids_.size());
  target_ends_.push_back(target_ids_.size());
  if (!pair.source_text.empty()) {
    text_ends_.push_back(text_.append(pair.source_text).size());
    text_ends_.push_back(text_.append(pair.target_text).size());
  }
  summary_.add(pair);
}

void ParallelCorpus::add(std::span<const int32_t> source, std::span<const int32_t> target) {
  SentencePair pair;
  pair.source.assign(source.begin(), source.end());
  pair.target.assign(target.begin(), target.end());
  add(pair);
}

void ParallelCorpus::lengths(std::span<const uint32_t> pairs, std::span<PairLengths> lengths) const {
  for (size_t i = 0; i < pairs.size(); ++i) {
    lengths[i] = {static_cast<uint32_t>(source(pairs[i]).size()), static_cast<uint32_t>(target(pairs[i]).size()),
                  preceding_.empty() ? 0 : preceding_[pairs[i]]};
  }
}

SentencePair ParallelCorpus::pair(size_t number) const {
  SentencePair pair;
  const auto from = source(number), to = target(number);
  pair.source.assign(from.begin(), from.end());
  pair.target.assign(to.begin(), to.end());
  if (!weights_.empty()) pair.weight = weights_[number];
  if (!preceding_.empty()) pair.preceding = preceding_[number];
  if (!link_ends_.empty()) {
    const auto links = slice(links_, link_ends_, number);
    pair.links.assign(links.begin(), links.end());
  }
  if (!text_ends_.empty()) {
    const uint64_t begin = number == 0 ? 0 : text_ends_[2 * number - 1], middle = text_ends_[2 * number];
    pair.source_text = text_.substr(begin, middle - begin);
    pair.target_text = text_.substr(middle, text_ends_[2 * number + 1] - middle);
  }
  return pair;
}

void ParallelCorpus::compact() {
  source_ids_.shrink_to_fit();
  target_ids_.shrink_to_fit();
  source_ends_.shrink_to_fit();
  target_ends_.shrink_to_fit();
  weights_.shrink_to_fit();
  preceding_.shrink_to_fit();
  text_.shrink_to_fit();
  text_ends_.shrink_to_fit();
  links_.shrink_to_fit();
  link_ends_.shrink_to_fit();
}

size_t ParallelCorpus::memory_bytes() const {
  const size_t links = sizeof(text::Link) * links_.capacity() + sizeof(uint64_t) * link_ends_.capacity();
  return links + sizeof(int32_t) * (source_ids_.capacity() + target_ids_.capacity()) +
         sizeof(uint64_t) * (source_ends_.capacity() + target_ends_.capacity() + text_ends_.capacity()) +
         sizeof(float) * weights_.capacity() + sizeof(uint32_t) * preceding_.capacity() +
         (text_.empty() ? 0 : text_.capacity());
}

std::span<const int32_t> ParallelCorpus::source(size_t pair) const { return slice(source_ids_, source_ends_, pair); }
std::span<const int32_t> ParallelCorpus::target(size_t pair) const { return slice(target_ids_, target_ends_, pair); }

ParallelCorpus load_corpora(std::span<const CorpusSpec> corpora, const text::Tokenizer& source,
                            const text::Tokenizer& target, const ReadOptions& options,
                            std::vector<CorpusCounts>& counts) {
  ParallelCorpus all;
  counts.clear();
  for (const CorpusSpec& corpus : corpora) tag_ids(source, corpus.tag);  // fail early on an unknown tag
  for (const CorpusSpec& corpus : corpora) {
    all.begin_part(static_cast<uint32_t>(tag_ids(source, corpus.tag).size()));
    counts.push_back(read_corpus(corpus, source, target, options, [&](SentencePair& pair) { all.add(pair); }));
  }
  all.compact();
  return all;
}

}  // namespace ventris::data
