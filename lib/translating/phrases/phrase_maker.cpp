#include "phrases/phrase_maker.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/special_ids.h"
#include "phrases/words.h"

namespace ventris::phrases {
namespace {

using constraints::PhraseGraph;

constexpr std::string_view kSpace = "\u2581";  // in a piece

bool is_special(int32_t id) {
  const core::SpecialIds ids;
  return id == ids.pad || id == ids.unk || id == ids.bos || id == ids.eos;
}

/// A piece for one byte of a character that has no piece: "<0x41>".
bool is_byte(std::string_view piece) { return piece.size() == 6 && piece.starts_with("<0x") && piece.ends_with('>'); }

std::shared_ptr<const constraints::Borders> borders_of(const text::Tokenizer& tokenizer) {
  auto borders = std::make_shared<constraints::Borders>();
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    const std::string& piece = tokenizer.piece(id);
    const bool text = !is_special(id) && !is_byte(piece);
    borders->continues.push_back(text && is_word_character(first_of(piece)) ? 1 : 0);
    borders->closes.push_back(!is_byte(piece) && !(text && is_word_character(last_of(piece))) ? 1 : 0);
  }
  return borders;
}

}  // namespace

PhraseMaker::PhraseMaker(text::Tokenizer tokenizer)
    : tokenizer_(std::move(tokenizer)), borders_(borders_of(tokenizer_)) {
  for (int32_t id = 0; id < tokenizer_.size(); ++id) {
    const std::string& piece = tokenizer_.piece(id);
    if (is_special(id) || piece.empty()) continue;
    ids_.emplace(piece, id);
    longest_ = std::max(longest_, piece.size());
  }
}

std::optional<constraints::Phrase> PhraseMaker::make(std::string_view text) const {
  PhraseGraph graph;
  graph.usual = tokenizer_.encode(text);
  std::string pieces;
  for (const int32_t id : graph.usual) {
    if (is_special(id)) return {};
    pieces += tokenizer_.piece(id);
  }
  const std::string_view bare = std::string_view(pieces).substr(pieces.starts_with(kSpace) ? kSpace.size() : 0);
  if (bare.empty()) return {};
  graph.edges = edges_of(pieces);
  if (bare.size() < pieces.size()) graph.inside = static_cast<int32_t>(kSpace.size());
  graph.anywhere = !is_word_character(first_of(bare));
  graph.ends_word = is_word_character(last_of(bare));
  return constraints::Phrase(std::move(graph));
}

/// Places are counted in bytes.
std::vector<std::vector<PhraseGraph::Edge>> PhraseMaker::edges_of(std::string_view pieces) const {
  std::vector<std::vector<PhraseGraph::Edge>> edges(pieces.size());
  for (size_t at = 0; at < pieces.size(); ++at) {
    for (size_t length = 1; length <= std::min(longest_, pieces.size() - at); ++length) {
      const auto found = ids_.find(pieces.substr(at, length));
      if (found != ids_.end()) edges[at].push_back({found->second, static_cast<int32_t>(at + length)});
    }
  }
  return edges;
}

}  // namespace ventris::phrases
