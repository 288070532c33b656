#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "constraints/constraints.h"

namespace ventris::test {

/// A phrase with one segmentation.
inline constraints::Phrase phrase_of(const std::vector<int32_t>& ids, bool ends_word = false) {
  constraints::PhraseGraph graph;
  for (size_t i = 0; i < ids.size(); ++i) graph.edges.push_back({{ids[i], static_cast<int32_t>(i) + 1}});
  graph.usual = ids;
  graph.ends_word = ends_word;
  return constraints::Phrase(std::move(graph));
}

inline std::vector<constraints::Phrase> phrases_of(const std::vector<std::vector<int32_t>>& all) {
  std::vector<constraints::Phrase> phrases;
  for (const auto& ids : all) phrases.push_back(phrase_of(ids));
  return phrases;
}

/// A vocabulary in which the ids from `first_continuing` on continue words, and no token closes a word.
inline std::shared_ptr<const constraints::Borders> borders_of(int32_t vocab, int32_t first_continuing) {
  auto borders = std::make_shared<constraints::Borders>();
  for (int32_t id = 0; id < vocab; ++id) borders->continues.push_back(id >= first_continuing ? 1 : 0);
  borders->closes.assign(static_cast<size_t>(vocab), 0);
  return borders;
}

}  // namespace ventris::test
