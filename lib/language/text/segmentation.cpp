#include "text/segmentation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.h"
#include "text/valid_utf8.h"

namespace ventris::text {
namespace {

constexpr std::string_view kSpace = "\xE2\x96\x81";
constexpr size_t kLongestWord = 256;   // characters that are merged together; the work grows with its square
constexpr float kUnknownPenalty = 10;  // how much less likely than the rarest piece an unknown character is

/// The byte offsets of the characters and of the end.
std::vector<size_t> character_starts(std::string_view text) {
  std::vector<size_t> starts;
  for (size_t at = 0; at < text.size(); at += first_character(text.substr(at)).size()) starts.push_back(at);
  starts.push_back(text.size());
  return starts;
}

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return std::isinf(b) ? a : a + std::log1p(std::exp(b - a));
}

/// An edge of the lattice, stored at the character where it ends.
struct Edge {
  size_t from;
  double score;
};

}  // namespace

Segmentation::Segmentation() = default;

void Segmentation::add_piece(std::string_view piece, int32_t id, float score) {
  pieces_.emplace(piece, Piece{id, score});
  longest_ = std::max(longest_, piece.size());
  lowest_ = std::min(lowest_, score);
  if (piece == kSpace) return;
  for (size_t at = piece.find(kSpace); at != std::string_view::npos; at = piece.find(kSpace, at + 1)) {
    const bool first = at == 0, last = at + kSpace.size() == piece.size();
    (first ? spaces_.first : last ? spaces_.last : spaces_.inside) = true;
  }
}

/// Whether no piece can cross this place.
bool Segmentation::may_cut(std::string_view before, std::string_view behind) const {
  if (spaces_.inside || (spaces_.first && spaces_.last)) return false;
  return spaces_.last ? before.ends_with(kSpace) : behind.starts_with(kSpace);
}

const Segmentation::Piece* Segmentation::find(std::string_view text) const {
  const auto found = pieces_.find(text);
  return found == pieces_.end() ? nullptr : &found->second;
}

Segmentation::Part Segmentation::part_of(std::string_view text) const {
  const Piece* piece = find(text);
  return {text, piece != nullptr ? piece->id : -1};
}

std::vector<Segmentation::Part> Segmentation::sample_unigram(std::string_view normalised, double alpha,
                                                             uint64_t seed) const {
  const auto starts = character_starts(normalised);
  const size_t count = starts.size() - 1;
  std::vector<std::vector<Edge>> arriving(count + 1);
  std::vector<double> forward(count + 1, -std::numeric_limits<double>::infinity());
  forward[0] = 0;
  for (size_t from = 0; from < count; ++from) {
    for (size_t to = from + 1; to <= count && starts[to] - starts[from] <= longest_ + 4; ++to) {
      const Piece* piece = find(normalised.substr(starts[from], starts[to] - starts[from]));
      if (piece == nullptr && to > from + 1) continue;
      const double score = forward[from] + alpha * (piece != nullptr ? piece->score : lowest_ - kUnknownPenalty);
      arriving[to].push_back({from, score});
      forward[to] = log_add(forward[to], score);
    }
  }
  const core::RandomStream random(seed, 0);
  std::vector<Part> parts;
  for (size_t to = count; to > 0;) {
    const std::vector<Edge>& edges = arriving[to];
    double left = random.uniform(to);
    size_t from = edges.back().from;
    for (const Edge& edge : edges) {
      left -= std::exp(edge.score - forward[to]);
      if (left >= 0) continue;
      from = edge.from;
      break;
    }
    parts.push_back(part_of(normalised.substr(starts[from], starts[to] - starts[from])));
    to = from;
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

std::vector<Segmentation::Part> Segmentation::sample_bpe(std::string_view normalised, double dropout,
                                                         uint64_t seed) const {
  const auto starts = character_starts(normalised);
  const size_t count = starts.size() - 1;
  const core::RandomStream random(seed, 0);
  uint64_t draws = 0;
  std::vector<Part> parts;
  std::vector<size_t> borders;
  const auto span = [&](size_t left, size_t right) {
    return normalised.substr(starts[borders[left]], starts[borders[right]] - starts[borders[left]]);
  };
  const auto best_merge = [&]() -> std::optional<size_t> {
    std::optional<size_t> best;
    float best_score = 0;
    for (size_t i = 0; i + 2 < borders.size(); ++i) {
      const Piece* piece = find(span(i, i + 2));
      if (piece == nullptr || random.uniform(draws++) < dropout) continue;
      if (!best || piece->score > best_score) {
        best = i;
        best_score = piece->score;
      }
    }
    return best;
  };
  for (size_t begin = 0; begin < count;) {
    borders = {begin};
    size_t end = begin + 1;
    while (end < count && end - begin < kLongestWord &&
           !may_cut(normalised.substr(0, starts[end]), normalised.substr(starts[end]))) {
      borders.push_back(end++);
    }
    borders.push_back(end);
    while (const auto merge = best_merge()) borders.erase(borders.begin() + static_cast<std::ptrdiff_t>(*merge) + 1);
    for (size_t i = 0; i + 1 < borders.size(); ++i) parts.push_back(part_of(span(i, i + 1)));
    begin = end;
  }
  return parts;
}

}  // namespace ventris::text
