#include "documents/markdown_keeper.h"

#include <algorithm>
#include <utility>

#include "documents/cutter.h"

namespace ventris::documents {
namespace {

using markup::MarkdownLeaf;

constexpr int kMostRounds = 8;  // of writing and parsing; then also the blocks around stay as they are

/// The blocks in each leaf, by number: both are in the order of the document.
std::vector<ByteRange> blocks_in(const std::vector<MarkdownLeaf>& leaves, std::span<const MarkdownBlock> blocks) {
  std::vector<ByteRange> found;
  size_t block = 0;
  for (const MarkdownLeaf& leaf : leaves) {
    while (block < blocks.size() && blocks[block].source.end <= leaf.range.begin) ++block;
    size_t end = block;
    while (end < blocks.size() && blocks[end].source.begin < leaf.range.end) ++end;
    found.push_back({block, end});
  }
  return found;
}

}  // namespace

MarkdownKeeper::MarkdownKeeper(std::string_view document, std::span<const MarkdownBlock> blocks,
                               const std::string& after, Place place)
    : document_(document),
      blocks_(blocks),
      after_(after),
      place_(std::move(place)),
      leaves_(markup::markdown_leaves(document)),
      of_leaves_(blocks_in(leaves_, blocks)) {
  for (size_t block = 0; block < blocks_.size(); ++block) written_.push_back(written(block, Care::kUsual));
}

MarkdownKeeper::Written MarkdownKeeper::written(size_t number, Care care) const {
  const MarkdownBlock& block = blocks_[number];
  Written written{care};
  if (care == Care::kSource) {
    written.text = document_.substr(block.source.begin, block.source.end - block.source.begin);
    return written;
  }
  written.text = block.gaps.front();
  bool blank = block.end > block.begin;
  for (size_t i = block.begin; i < block.end; ++i) {
    const PlacedText placed = place_(i, care);
    if (i > block.begin) written.text += gap_between(written.text, block.gaps[i - block.begin], placed.raw);
    written.text += placed.raw;
    blank = blank && placed.raw.find_first_not_of(' ') == std::string::npos;
    written.difference += markup::characters_of(placed.text);
    written.left_out += placed.left_out;
  }
  if (block.end > block.begin) written.text += block.gaps.back();
  written.difference -= block.characters;
  return blank ? this->written(number, Care::kSource) : written;  // marks around it would be empty
}

std::string MarkdownKeeper::compose() const {
  std::string text;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    text += blocks_[i].before;
    text += written_[i].text;
  }
  return text + after_;
}

bool MarkdownKeeper::may_become(size_t leaf, const MarkdownLeaf& now) const {
  uint64_t difference = 0, left_out = 0;
  for (size_t block = blocks_of(leaf).begin; block < blocks_of(leaf).end; ++block) {
    difference += written_[block].difference;
    left_out += written_[block].left_out;
  }
  return leaves_[leaf].may_become(now, difference, left_out);
}

std::vector<size_t> MarkdownKeeper::different_leaves(const std::vector<MarkdownLeaf>& now) const {
  if (now.size() != leaves_.size()) return misplaced_leaves(now);
  std::vector<size_t> different;
  for (size_t i = 0; i < leaves_.size(); ++i) {
    if (!may_become(i, now[i])) different.push_back(i);
  }
  return different;
}

/// With another number of leaves: those whose blocks have become none, several, or one that is different. If there are
/// none, all from the first that is different to the last, and the one before.
std::vector<size_t> MarkdownKeeper::misplaced_leaves(const std::vector<MarkdownLeaf>& now) const {
  std::vector<size_t> misplaced;
  size_t next = 0, place = 0, block = 0;
  for (size_t i = 0; i < leaves_.size(); ++i) {
    const ByteRange blocks = blocks_of(i);
    if (blocks.begin == blocks.end) continue;
    for (; block < blocks.begin; ++block) place += blocks_[block].before.size() + written_[block].text.size();
    ByteRange range{place + blocks_[block].before.size(), place};
    for (; block < blocks.end; ++block) place += blocks_[block].before.size() + written_[block].text.size();
    range.end = place;
    while (next < now.size() && now[next].range.end <= range.begin) ++next;
    const bool alone = next < now.size() && now[next].range.begin >= range.begin && now[next].range.end <= range.end &&
                       (next + 1 == now.size() || now[next + 1].range.begin >= range.end ||
                        now[next + 1].range.end == now[next + 1].range.begin);
    if (!alone || !may_become(i, now[next])) misplaced.push_back(i);
  }
  if (!misplaced.empty()) return misplaced;
  size_t first = 0, last = leaves_.size(), last_now = now.size();
  while (first < std::min(last, last_now) && may_become(first, now[first])) ++first;
  while (last > first && last_now > first && may_become(last - 1, now[last_now - 1])) --last, --last_now;
  const size_t end = std::min(std::max(last, first + 1), leaves_.size());
  for (size_t i = first > 0 ? first - 1 : 0; i < end; ++i) misplaced.push_back(i);
  return misplaced;
}

bool MarkdownKeeper::raise(size_t block) {
  if (care(block) == Care::kSource) return false;
  written_[block] = written(block, care(block) == Care::kUsual ? Care::kStrict : Care::kSource);
  return true;
}

/// Leaves the source in so many blocks before and behind each of these leaves. Whether any other block is left.
bool MarkdownKeeper::keep_around(const std::vector<size_t>& leaves, size_t radius) {
  std::vector<bool> kept(blocks_.size(), false);
  for (const size_t leaf : leaves) {
    const ByteRange blocks = blocks_of(leaf);
    const size_t end = std::min(blocks.end + radius, kept.size());
    for (size_t block = blocks.begin - std::min(radius, blocks.begin); block < end; ++block) kept[block] = true;
  }
  for (size_t block = 0; block < kept.size(); ++block) {
    if (kept[block] && care(block) != Care::kSource) written_[block] = written(block, Care::kSource);
  }
  return std::ranges::any_of(written_, [](const Written& block) { return block.care != Care::kSource; });
}

std::string MarkdownKeeper::write() {
  size_t radius = 0;
  for (int round = 0;; ++round) {
    std::string text = compose();
    const std::vector<size_t> different = different_leaves(markup::markdown_leaves(text));
    if (different.empty()) return text;
    bool raised = false;
    for (const size_t leaf : different) {
      for (size_t block = blocks_of(leaf).begin; block < blocks_of(leaf).end; ++block) raised |= raise(block);
    }
    if (raised && round < kMostRounds && radius == 0) continue;
    radius = std::max<size_t>(2 * radius, 1);
    if (!keep_around(different, radius)) break;
  }
  for (Written& block : written_) block = {Care::kSource};
  return std::string(document_);
}

}  // namespace ventris::documents
