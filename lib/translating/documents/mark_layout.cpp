#include "documents/mark_layout.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "markup/markup.h"

namespace ventris::documents {
namespace {

/// A pair of marks, or a single one.
struct Node {
  const Mark* open = nullptr;   // null: before the sentence
  const Mark* close = nullptr;  // null: after the sentence, or a single mark
  bool single = false;
  std::vector<Node> inside = {};
  ByteRange target = {};
  bool at_object = false;  // it stands at an object, because it has nothing else
};

/// Pairs opening and closing marks by their order. `others`: as partners() has them; halves of pairs that are alone are
/// left out.
std::vector<Node> pair_up(const std::vector<Mark>& marks, const std::vector<size_t>& others) {
  std::vector<Node> open;                        // from the outermost
  std::vector<std::vector<Node>> siblings(1);  // at the level of each, and of the next one
  const auto close = [&](const Mark* mark) {
    Node node = std::move(open.back());
    node.close = mark;
    node.inside = std::move(siblings.back());
    open.pop_back();
    siblings.pop_back();
    siblings.back().push_back(std::move(node));
  };
  for (const Mark& mark : marks) {
    if (mark.kind == Mark::Kind::kAlone) {
      const bool is_half = others[static_cast<size_t>(&mark - marks.data())] != markup::kNoPartner;
      if (!is_half) siblings.back().push_back({&mark, nullptr, true});
    } else if (mark.kind == Mark::Kind::kOpen) {
      open.push_back({&mark});
      siblings.emplace_back();
    } else if (!open.empty()) {
      close(&mark);
    } else {
      Node node{nullptr, &mark, false, std::exchange(siblings.back(), {})};
      siblings.back().push_back(std::move(node));
    }
  }
  while (!open.empty()) close(nullptr);
  return std::move(siblings.front());
}

/// Whether it is a pair that must have content.
bool is_pair_with_content(const Node& node) {
  return node.open != nullptr && node.close != nullptr && node.open->never_empty;
}

bool is_link(const Node& node) { return node.open != nullptr && node.close != nullptr && node.open->link != 0; }

/// Whether it is left out with this range.
bool is_missing(const Node& node, ByteRange range) {
  return !node.at_object && (is_pair_with_content(node) || is_link(node)) && range.begin >= range.end;
}

class Layout {
 public:
  Layout(const std::vector<Mark>& marks, const Projection& projection, size_t size, const ObjectPlaces& objects)
      : marks_(marks), projection_(projection), size_(size), objects_(objects) {}

  void place(std::vector<Node>& nodes, ByteRange limits) const {
    for (Node& node : nodes) {
      const ByteRange wanted = wanted_by(node);
      node.target = {std::clamp(wanted.begin, limits.begin, limits.end),
                     std::clamp(wanted.end, limits.begin, limits.end)};
    }
    const auto order = [](const Node& node) {
      const int side = node.single || (node.open != nullptr && node.close != nullptr) ? 0
                       : node.open == nullptr                                         ? -1
                                                                                      : 1;
      return std::pair(side, node.target.begin);
    };
    std::ranges::stable_sort(nodes, {}, order);
    size_t free_from = limits.begin;
    for (Node& node : nodes) {
      node.target.begin = std::max(node.target.begin, free_from);
      if (is_pair_with_content(node) && !node.at_object) {
        place_next_to_words(node.target, limits.end);
        if (node.target.begin < node.target.end) {
          node.target = projection_.to_letters(node.target, {node.open->at, node.close->at});
        }
      }
      node.target.end = std::max(node.target.end, node.target.begin);
      const bool blank = projection_.next_word(node.target.begin) >= node.target.end;
      if (is_link(node) && blank && !node.at_object) node.target.end = node.target.begin;
      free_from = node.target.end;
      place(node.inside, node.target);
    }
  }

 private:
  /// A range that other marks have shortened begins with a word; if it has become empty, it gets the next word.
  void place_next_to_words(ByteRange& range, size_t most) const {
    range.begin = std::min(projection_.next_word(range.begin), most);
    if (range.end > range.begin) return;
    const ByteRange word = projection_.word_near(range.begin);
    range.begin = std::min(std::max(range.begin, word.begin), most);
    range.end = std::min(word.end, most);
  }

  /// The place of the first object in a pair; nothing if it has none.
  std::optional<ByteRange> first_object(const Node& node) const {
    const auto before = [&](const Mark* mark, size_t otherwise) {
      return mark != nullptr ? objects_.before[static_cast<size_t>(mark - marks_.data())] : otherwise;
    };
    const size_t first = before(node.open, 0), last = before(node.close, objects_.targets.size());
    return first < last ? std::optional(objects_.targets[first]) : std::nullopt;
  }

  ByteRange wanted_by(Node& node) const {
    if (node.single) {
      const size_t at = projection_.point(node.open->at);
      return {at, at};
    }
    constexpr size_t kEnd = static_cast<size_t>(1) << 40U;
    ByteRange wanted =
        projection_.span({node.open != nullptr ? node.open->at : 0, node.close != nullptr ? node.close->at : kEnd});
    const std::optional<ByteRange> object = wanted.begin < wanted.end ? std::nullopt : first_object(node);
    node.at_object = object.has_value();
    if (object) wanted = *object;
    if (is_pair_with_content(node) && is_missing(node, wanted)) wanted = projection_.word_near(wanted.begin);
    if (node.open == nullptr) wanted.begin = 0;
    if (node.close == nullptr) wanted.end = size_;
    return wanted;
  }

  const std::vector<Mark>& marks_;
  const Projection& projection_;
  size_t size_;
  const ObjectPlaces& objects_;
};

void write(const std::vector<Node>& nodes, std::vector<PlacedMark>& placed) {
  for (const Node& node : nodes) {
    if (is_missing(node, node.target)) {
      write(node.inside, placed);
      continue;
    }
    if (node.open != nullptr) placed.push_back({node.target.begin, node.open, node.open->kind});
    write(node.inside, placed);
    if (node.close != nullptr) placed.push_back({node.target.end, node.close, Mark::Kind::kClose});
  }
}

/// The halves of pairs that are alone, in the order in which they are written: first halves, and both of a pair without
/// content, as opening marks.
std::vector<PlacedMark> placed_halves(const std::vector<Mark>& marks, const std::vector<size_t>& others,
                                      const Projection& projection) {
  const auto halves = std::ranges::count_if(marks, [](const Mark& mark) { return mark.pair != 0; });
  const bool many = halves > 2 * markup::kDeepestNesting;  // the words between two halves can be all words
  std::vector<PlacedMark> placed;
  for (size_t i = 0; i < marks.size(); ++i) {
    const size_t other = others[i];
    if (marks[i].kind != Mark::Kind::kAlone || other == markup::kNoPartner || other < i) continue;
    const ByteRange source{marks[i].at, marks[other].at};
    const size_t begin = projection.point(source.begin);
    const ByteRange target =
        many ? ByteRange{begin, std::max(begin, projection.point(source.end))} : projection.span(source);
    placed.push_back({target.begin, &marks[i], Mark::Kind::kOpen});
    const auto kind = target.end > target.begin ? Mark::Kind::kClose : Mark::Kind::kOpen;
    placed.push_back({target.end, &marks[other], kind});
  }
  const auto order = [](const PlacedMark& mark) { return std::pair(mark.at, mark.kind != Mark::Kind::kClose); };
  std::ranges::stable_sort(placed, {}, order);
  return placed;
}

/// All marks in their order: of those in one place, halves that close, marks that close, halves that open, all others.
/// A mark that stands in front of an opening half in the source stays in front of it.
std::vector<PlacedMark> merged(const std::vector<PlacedMark>& placed, const std::vector<PlacedMark>& halves) {
  std::vector<PlacedMark> all;
  auto half = halves.begin();
  for (const PlacedMark& mark : placed) {
    const auto is_before = [&](const PlacedMark& other) {
      const bool closes = other.kind == Mark::Kind::kClose;
      const bool alone = mark.kind == Mark::Kind::kAlone && mark.mark < other.mark;
      if (other.at == mark.at && !closes && alone) return false;
      return other.at < mark.at || (other.at == mark.at && (closes || mark.kind != Mark::Kind::kClose));
    };
    while (half != halves.end() && is_before(*half)) all.push_back(*half++);
    all.push_back(mark);
  }
  all.insert(all.end(), half, halves.end());
  return all;
}

}  // namespace

std::vector<PlacedMark> lay_out(const std::vector<Mark>& marks, const Projection& projection, size_t size,
                                const ObjectPlaces& objects) {
  const std::vector<size_t> others = markup::partners(marks);
  std::vector<Node> nodes = pair_up(marks, others);
  Layout(marks, projection, size, objects).place(nodes, {0, size});
  std::vector<PlacedMark> placed;
  write(nodes, placed);
  return merged(placed, placed_halves(marks, others, projection));
}

}  // namespace ventris::documents
