#include "documents/markdown_keeper.h"

#include <algorithm>
#include <utility>

#include "documents/cutter.h"

namespace ventris::documents {
namespace {

using markup::MarkdownLeaf;

constexpr int kMostRounds = 8;  // of writing and parsing; then the whole document stays as it is

/// The blocks in each leaf, by number: both are in the order of the document.
std::vector<ByteRange> blocks_in(const std::vector<MarkdownLeaf>& leaves, const std::vector<MarkdownBlock>& blocks) {
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

MarkdownKeeper::MarkdownKeeper(std::string_view document, const std::vector<MarkdownBlock>& blocks,
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
  for (size_t i = block.begin; i < block.end; ++i) {
    const PlacedText placed = place_(i, care);
    if (i > block.begin) written.text += gap_between(written.text, block.gaps[i - block.begin], placed.raw);
    written.text += placed.raw;
    written.difference += markup::characters_of(placed.text);
  }
  if (block.end > block.begin) written.text += block.gaps.back();
  written.difference -= block.characters;
  return written;
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
  uint64_t difference = 0;
  for (size_t block = blocks_of(leaf).begin; block < blocks_of(leaf).end; ++block) {
    difference += written_[block].difference;
  }
  return leaves_[leaf].may_become(now, difference);
}

/// With another number of leaves, these are the ones from the first that is different to the last, and the one before.
std::vector<size_t> MarkdownKeeper::different_leaves(const std::vector<MarkdownLeaf>& now) const {
  std::vector<size_t> different;
  const size_t size = leaves_.size();
  if (now.size() == size) {
    for (size_t i = 0; i < size; ++i) {
      if (!may_become(i, now[i])) different.push_back(i);
    }
    return different;
  }
  size_t first = 0, last = size, last_now = now.size();
  while (first < std::min(last, last_now) && may_become(first, now[first])) ++first;
  while (last > first && last_now > first && may_become(last - 1, now[last_now - 1])) --last, --last_now;
  for (size_t i = first > 0 ? first - 1 : 0; i < std::min(std::max(last, first + 1), size); ++i) different.push_back(i);
  return different;
}

bool MarkdownKeeper::raise(size_t block) {
  if (care(block) == Care::kSource) return false;
  written_[block] = written(block, care(block) == Care::kUsual ? Care::kStrict : Care::kSource);
  return true;
}

std::string MarkdownKeeper::write() {
  for (int round = 0; round < kMostRounds; ++round) {
    std::string text = compose();
    const std::vector<MarkdownLeaf> now = markup::markdown_leaves(text);
    const std::vector<size_t> different = different_leaves(now);
    if (different.empty()) return text;
    bool raised = false;
    for (const size_t leaf : different) {
      for (size_t block = blocks_of(leaf).begin; block < blocks_of(leaf).end; ++block) raised |= raise(block);
    }
    if (!raised) break;
  }
  for (Written& block : written_) block.care = Care::kSource;
  return std::string(document_);
}

}  // namespace ventris::documents
