#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ventris::phrases {

/// Finds many sequences of words in a text at once (Aho and Corasick 1975), in time that grows with the text, however
/// many sequences there are. A word is what word_ends() divides. After finish(), several threads may use it.
class WordSequences {
 public:
  /// A sequence. kNone is the empty one, which every text has.
  using Id = int32_t;
  static constexpr Id kNone = 0;

  WordSequences() : nodes_(1) {}

  /// Adds the sequence of all words of a text, which end at `ends`. Equal sequences have the same id.
  Id add(std::u32string_view text, const std::vector<size_t>& ends);
  /// Must be called once, after the last add().
  void finish();

  /// For each word of a text, the longest sequence that begins there.
  std::vector<Id> longest(std::u32string_view text, const std::vector<size_t>& ends) const;
  /// The longest sequence of at most `words` words that `sequence` begins with and that was added; it may be the whole.
  Id shortened(Id sequence, size_t words) const;
  /// The number of its words.
  size_t words(Id sequence) const { return node(sequence).depth; }
  /// Of each id, whether the text has the sequence.
  std::vector<uint8_t> found(std::u32string_view text, const std::vector<size_t>& ends) const;

 private:
  // A node is the end of a sequence. Texts are read from their end, so that what is found at a word begins there.
  struct Node {
    uint32_t depth = 0;      // words
    bool added = false;      // as a sequence, not only as the end of longer ones
    Id fallback = kNone;     // the longest other node that it begins with
    Id shorter = kNone;      // the longest other sequence that it begins with
    Id much_shorter = kNone; // one of the sequences after `shorter`, so that shortened() takes logarithmic time
    uint32_t rank = 0;       // how many sequences `shorter` leads to
  };
  using Word = int32_t;

  const Node& node(Id id) const { return nodes_[static_cast<size_t>(id)]; }
  Node& node(Id id) { return nodes_[static_cast<size_t>(id)]; }
  static uint64_t key(Id id, Word word) {
    return (uint64_t{static_cast<uint32_t>(id)} << 32) | static_cast<uint32_t>(word);
  }
  Id child(Id id, Word word) const;
  Id next(Id id, Word word) const;
  void link(Id id, Id parent, Word word);

  std::vector<Node> nodes_;
  struct Edge {
    Id from, to;
    Word word;
  };
  std::vector<Edge> edges_;  // until finish()
  std::unordered_map<uint64_t, Id> children_;
  std::unordered_map<std::u32string, Word> vocabulary_;
};

}  // namespace ventris::phrases
