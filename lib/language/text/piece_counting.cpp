#include "text/piece_counting.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.h"
#include "text/model_check.h"
#include "text/model_rewriting.h"

namespace ventris::text {
namespace {

constexpr std::string_view kSpaceMark = "\u2581";

/// How often words occur, in the order in which they came.
class WordCounts {
 public:
  void add_line(std::string_view line) {
    while (!line.empty()) {
      const size_t end = std::min(line.find(' '), line.size());
      if (end > 0) add(line.substr(0, end));
      line.remove_prefix(std::min(end + 1, line.size()));
    }
  }

  /// Whether a text of SentencePiece's pieces was read.
  bool are_pieces() const { return 2 * with_space_ > words_; }

  /// At most `most` words: those that must be there, then the most frequent.
  std::vector<std::string> best(const std::vector<std::string>& wanted, size_t most) const {
    std::vector<std::string> best = wanted;
    std::vector<const std::pair<std::string, int64_t>*> others;
    for (const auto& word : counts_) {
      if (std::ranges::find(wanted, word.first) == wanted.end()) others.push_back(&word);
    }
    std::ranges::stable_sort(others, [](const auto* a, const auto* b) { return a->second > b->second; });
    for (size_t i = 0; i < others.size() && best.size() < most; ++i) best.push_back(others[i]->first);
    return best;
  }

 private:
  void add(std::string_view word) {
    ++words_;
    const bool has_space = word.find(kSpaceMark) != std::string_view::npos;
    with_space_ += has_space ? 1 : 0;
    if (has_space || word.size() + kSpaceMark.size() > kLongestPiece || word.find('\0') != std::string_view::npos)
      return;
    const auto [at, is_new] = numbers_.try_emplace(std::string(word), counts_.size());
    if (is_new) counts_.emplace_back(word, 0);
    ++counts_[at->second].second;
  }

  std::vector<std::pair<std::string, int64_t>> counts_;
  std::unordered_map<std::string, size_t> numbers_;  // in counts_
  int64_t words_ = 0, with_space_ = 0;               // with_space_: how many have U+2581
};

/// Those of the settings, each once. Throws ConfigError if there are too many, or one has a space.
std::vector<std::string> user_pieces(const TokenizerTraining& training) {
  constexpr int32_t kSpecial = 4;
  std::vector<std::string> pieces;
  for (const std::string& piece : training.user_pieces) {
    if (piece.find(' ') != std::string::npos || piece.size() + kSpaceMark.size() > kLongestPiece) {
      fail<ConfigError>("tag: expected a word without spaces and at most ", kLongestPiece - kSpaceMark.size(),
                        " bytes, got \"", piece, "\"");
    }
    if (std::ranges::find(pieces, piece) == pieces.end()) pieces.push_back(piece);
  }
  const auto count = static_cast<int32_t>(pieces.size());
  if (count + kSpecial <= training.vocab_size) return pieces;
  fail<ConfigError>("vocabulary size ", training.vocab_size, ": expected at least ", count + kSpecial,
                    ", for special ids and the words that always become pieces");
}

}  // namespace

std::string count_pieces(const LineSource& lines, const TokenizerTraining& training) {
  const std::vector<std::string> special{"<pad>", "<unk>", "<s>", "</s>"};
  WordCounts counts;
  for (std::string line; lines(line);) counts.add_line(line);
  if (counts.are_pieces()) {
    fail<DataError>("the text has U+2581 in most words, so it was encoded with SentencePiece: give the text itself, ",
                    "and the model of SentencePiece as the tokenizer");
  }
  const auto wanted = static_cast<size_t>(training.vocab_size);
  const std::vector<std::string> words = counts.best(user_pieces(training), wanted - special.size());
  if (words.empty()) fail<DataError>("the text to learn a tokenizer from is empty: expected words between spaces");
  if (training.exact_size && words.size() + special.size() < wanted) {
    fail<ConfigError>("vocabulary size ", training.vocab_size, ": the text gives at most ",
                      words.size() + special.size(), " pieces; use a smaller size or more text, or do not require the ",
                      "exact size");
  }
  std::vector<std::string> pieces = special;
  for (const std::string& word : words) pieces.push_back(std::string(kSpaceMark) + word);
  return words_model(pieces);
}

}  // namespace ventris::text
