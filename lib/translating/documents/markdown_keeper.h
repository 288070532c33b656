#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "documents/placement.h"
#include "markup/markdown_structure.h"

namespace ventris::documents {

/// How carefully the translation of a block of Markdown is written.
enum class Care {
  kUsual,
  kStrict,  ///< without emphasis inside a sentence, and with a backslash before each character that can be markup
  kSource   ///< the source instead of the translation
};

/// A block of a Markdown document and its translation.
struct MarkdownBlock {
  std::string before;    ///< what is kept in front of it
  ByteRange source;      ///< in the document, without `before`
  size_t begin = 0, end = 0;   ///< its segments, by number
  std::vector<std::string> gaps = {};  ///< what is kept before each segment, and after the last one or without any
  uint64_t characters = 0;  ///< of the segments in the source (markup::characters_of)
};

/// Writes the translation of a Markdown document such that a parser finds the same blocks in it as in the source, with
/// the same code, links, images and tags, no other emphasis, and no sign of markup as text. For this, the result is
/// parsed again. Blocks that are different are written more carefully. If this does not help, more and more blocks
/// around them stay as in the source.
class MarkdownKeeper {
 public:
  /// Writes a segment, by number, with kUsual or kStrict.
  using Place = std::function<PlacedText(size_t segment, Care care)>;

  /// `blocks` has all blocks of the document, and `after` is what is kept behind the last one. These and `document`
  /// must outlive this.
  MarkdownKeeper(std::string_view document, std::span<const MarkdownBlock> blocks, const std::string& after,
                 Place place);

  /// The translation of the whole document.
  std::string write();

  /// How write() has written a block.
  Care care(size_t block) const { return written_[block].care; }

  /// Whether a link of a block was left out, because the translation has none of its words.
  bool lacks_link(size_t block) const { return written_[block].left_out != 0; }

 private:
  struct Written {
    Care care = Care::kUsual;
    std::string text = {};    // of the block
    uint64_t difference = 0;  // in the characters of the translation from the source
    uint64_t left_out = 0;    // links without words (PlacedText)
  };

  Written written(size_t number, Care care) const;
  std::string compose() const;
  std::vector<size_t> different_leaves(const std::vector<markup::MarkdownLeaf>& now) const;
  std::vector<size_t> misplaced_leaves(const std::vector<markup::MarkdownLeaf>& now) const;
  bool may_become(size_t leaf, const markup::MarkdownLeaf& now) const;
  bool raise(size_t block);
  bool keep_around(const std::vector<size_t>& leaves, size_t radius);
  ByteRange blocks_of(size_t leaf) const { return of_leaves_[leaf]; }

  std::string_view document_;
  std::span<const MarkdownBlock> blocks_;
  const std::string& after_;
  Place place_;
  std::vector<markup::MarkdownLeaf> leaves_;  // of the source
  std::vector<ByteRange> of_leaves_;          // the blocks in each leaf, by number
  std::vector<Written> written_;
};

}  // namespace ventris::documents
