#include "formats/cue_pairs.h"

#include <map>
#include <utility>

#include "formats/cue_lines.h"
#include "markup/marked_text.h"

namespace ventris::formats {
namespace {

/// A tag or text of a translation.
struct Piece {
  std::string raw;
  size_t line = 0;
  bool is_tag = false, closes = false;
  std::string name = {};
};

class Mender {
 public:
  Mender(std::vector<std::string>& lines, const std::vector<size_t>& cues, markup::Markup markup)
      : lines_(lines), cues_(cues) {
    for (size_t line = 0; line < lines.size(); ++line) {
      for (const CueToken& token : cue_tokens(lines[line], markup)) {
        pieces_.push_back({std::string(token.raw), line, token.is_tag, token.closes, std::string(token.name)});
      }
    }
  }

  void mend() {
    std::vector<size_t> open;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].name.empty()) continue;
      if (!pieces_[i].closes) {
        open.push_back(i);
      } else if (!open.empty() && pieces_[open.back()].name == pieces_[i].name) {
        move(open.back(), i);
        open.pop_back();
      }
    }
    if (moved_) write();
  }

 private:
  size_t cue(size_t piece) const { return cues_[pieces_[piece].line]; }

  /// The pair of these tags. It begins in the first subtitle in which it has text, and ends there.
  void move(size_t first, size_t second) {
    size_t begin = first;
    while (cue(begin) != cue(second)) {
      bool has_text = false;
      size_t end = begin;
      for (; end < second && cue(end) == cue(begin); ++end) has_text = has_text || !pieces_[end].is_tag;
      if (has_text) {
        tails_[end - 1] += std::exchange(pieces_[second].raw, {});
        break;
      }
      begin = end;
    }
    if (begin != first) heads_[begin].insert(0, std::exchange(pieces_[first].raw, {}));
    moved_ = moved_ || cue(first) != cue(second);
  }
  void write() {
    for (std::string& line : lines_) line.clear();
    for (size_t i = 0; i < pieces_.size(); ++i) {
      std::string& line = lines_[pieces_[i].line];
      if (const auto head = heads_.find(i); head != heads_.end()) line += head->second;
      line += pieces_[i].raw;
      if (const auto tail = tails_.find(i); tail != tails_.end()) line += tail->second;
    }
  }

  std::vector<std::string>& lines_;
  const std::vector<size_t>& cues_;
  std::vector<Piece> pieces_;
  std::map<size_t, std::string> heads_, tails_;  // tags that are written before and behind a piece
  bool moved_ = false;
};

}  // namespace

void mend_pairs(std::vector<std::string>& lines, const std::vector<size_t>& cues, markup::Markup markup) {
  Mender(lines, cues, markup).mend();
}

}  // namespace ventris::formats
