#include "phrases/word_sequences.h"

#include <algorithm>

namespace ventris::phrases {

WordSequences::Id WordSequences::add(std::u32string_view text, const std::vector<size_t>& ends) {
  Id at = kNone;
  for (size_t i = ends.size(); i-- > 0;) {
    const size_t begin = i == 0 ? 0 : ends[i - 1];
    const auto number = static_cast<Word>(vocabulary_.size());
    const Word word =
        vocabulary_.try_emplace(std::u32string(text.substr(begin, ends[i] - begin)), number).first->second;
    const auto [child, is_new] = children_.try_emplace(key(at, word), static_cast<Id>(nodes_.size()));
    if (is_new) {
      edges_.push_back({at, child->second, word});
      nodes_.push_back({.depth = node(at).depth + 1});
    }
    at = child->second;
  }
  node(at).added = true;
  return at;
}

void WordSequences::finish() {
  std::ranges::stable_sort(edges_, {}, [this](const Edge& edge) { return node(edge.to).depth; });  // fallbacks first
  for (const Edge& edge : edges_) link(edge.to, edge.from, edge.word);
  edges_ = {};
}

void WordSequences::link(Id id, Id parent, Word word) {
  Node& made = node(id);
  made.fallback = parent == kNone ? kNone : next(node(parent).fallback, word);
  made.shorter = node(made.fallback).added ? made.fallback : node(made.fallback).shorter;
  made.rank = node(made.shorter).rank + 1;
  // As in a skew-binary list (Myers 1983).
  const Id jump = node(made.shorter).much_shorter;
  const uint32_t first = node(made.shorter).rank - node(jump).rank;
  const uint32_t second = node(jump).rank - node(node(jump).much_shorter).rank;
  made.much_shorter = first == second ? node(jump).much_shorter : made.shorter;
}

WordSequences::Id WordSequences::child(Id id, Word word) const {
  const auto found = children_.find(key(id, word));
  return found == children_.end() ? kNone : found->second;
}

WordSequences::Id WordSequences::next(Id id, Word word) const {
  Id to = child(id, word);
  while (to == kNone && id != kNone) {
    id = node(id).fallback;
    to = child(id, word);
  }
  return to;
}

std::vector<WordSequences::Id> WordSequences::longest(std::u32string_view text, const std::vector<size_t>& ends) const {
  std::vector<Id> all(ends.size(), kNone);
  Id at = kNone;
  for (size_t i = ends.size(); i-- > 0;) {
    const size_t begin = i == 0 ? 0 : ends[i - 1];
    const auto word = vocabulary_.find(std::u32string(text.substr(begin, ends[i] - begin)));
    at = word == vocabulary_.end() ? kNone : next(at, word->second);
    all[i] = node(at).added ? at : node(at).shorter;
  }
  return all;
}

WordSequences::Id WordSequences::shortened(Id sequence, size_t words) const {
  while (node(sequence).depth > words) {
    const Node& one = node(sequence);
    sequence = node(one.much_shorter).depth > words ? one.much_shorter : one.shorter;
  }
  return sequence;
}

std::vector<uint8_t> WordSequences::found(std::u32string_view text, const std::vector<size_t>& ends) const {
  std::vector<uint8_t> all(nodes_.size());
  all[kNone] = 1;
  for (Id at : longest(text, ends)) {
    for (; all[static_cast<size_t>(at)] == 0; at = node(at).shorter) all[static_cast<size_t>(at)] = 1;
  }
  return all;
}

}  // namespace ventris::phrases
