#include "alignment/word_table.h"

#include <unicode/uchar.h>

#include "metrics/unicode.h"

namespace ventris::alignment {
namespace {

constexpr size_t kMostLetters = 64;

WordKind kind_of(const std::u32string& characters) {
  bool number = false;
  for (const char32_t character : characters) {
    const auto category = static_cast<uint32_t>(U_GET_GC_MASK(static_cast<UChar32>(character)));
    if ((category & U_GC_N_MASK) != 0) number = true;
    if (!number && (category & (U_GC_L_MASK | U_GC_M_MASK)) != 0) return WordKind::kWord;
  }
  return number ? WordKind::kNumber : WordKind::kSign;
}

}  // namespace

int32_t WordTable::add(std::string_view word, int64_t times) {
  int32_t number = 0;
  if (const auto found = numbers_.find(word); found != numbers_.end()) {
    number = found->second;
  } else if (const auto cased = cased_.find(word); cased != cased_.end()) {
    number = cased->second;
  } else {
    const std::string lower = metrics::to_lower(word);
    number = number_of(lower);
    if (lower != word) cased_.emplace(word, number);
  }
  Word& known = words_[static_cast<size_t>(number)];
  known.count += times;
  class_counts_[static_cast<size_t>(known.prefix)] += times;
  tokens_ += times;
  return number;
}

int32_t WordTable::number_of(const std::string& lower) {
  const auto [found, is_new] = numbers_.emplace(lower, static_cast<int32_t>(words_.size()));
  if (!is_new) return found->second;
  const std::u32string characters = metrics::decode(lower);
  Word word{.text = lower, .kind = kind_of(characters)};
  for (const char32_t character : characters.substr(0, kMostLetters)) {
    word.letters.push_back(static_cast<char16_t>(character));
  }
  const auto length = prefix_ == 0 ? std::u32string::npos : static_cast<size_t>(prefix_);
  const std::string prefix = metrics::encode(characters.substr(0, length));
  const auto [known, is_new_class] = class_numbers_.emplace(prefix, static_cast<int32_t>(class_counts_.size()));
  if (is_new_class) class_counts_.push_back(0);
  word.prefix = known->second;
  words_.push_back(std::move(word));
  return found->second;
}

}  // namespace ventris::alignment
