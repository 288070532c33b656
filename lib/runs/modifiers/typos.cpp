#include "modifiers/typos.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/utf8.h"

namespace ventris::modifiers {
namespace {

using Letters = std::vector<std::string_view>;  // grapheme clusters

/// A keyboard's letters, row by row.
using Layout = std::array<std::u32string_view, 3>;
constexpr std::array<Layout, 2> kLayouts{
    {{U"qwertyuiop", U"asdfghjkl", U"zxcvbnm"}, {U"qwertzuiopü", U"asdfghjklöä", U"yxcvbnm"}}};

std::unique_ptr<icu::BreakIterator> make_cluster_breaks() {
  UErrorCode error = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), error));
  if (U_FAILURE(error)) throw std::runtime_error(std::string("ICU: grapheme clusters: ") + u_errorName(error));
  return breaks;
}

Letters clusters_of(std::string_view text) {
  thread_local const std::unique_ptr<icu::BreakIterator> breaks = make_cluster_breaks();
  UErrorCode error = U_ZERO_ERROR;
  UText view = UTEXT_INITIALIZER;
  utext_openUTF8(&view, text.data(), static_cast<int64_t>(text.size()), &error);
  breaks->setText(&view, error);  // keeps a shallow copy
  if (U_FAILURE(error)) throw std::runtime_error(std::string("ICU: grapheme clusters: ") + u_errorName(error));
  Letters clusters;
  int32_t begin = breaks->first();
  for (int32_t end = breaks->next(); end != icu::BreakIterator::DONE; end = breaks->next()) {
    clusters.push_back(text.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
    begin = end;
  }
  utext_close(&view);
  return clusters;
}

char32_t first_of(std::string_view cluster) {
  return core::code_point(cluster.substr(0, core::utf8_unit_at(cluster, 0).length));
}

bool is_letter(std::string_view cluster) { return u_isalpha(static_cast<UChar32>(first_of(cluster))) != 0; }

/// Of the keys around that of `letter`, those with letters from a to z.
std::vector<char32_t> neighbours(const Layout& layout, char32_t letter) {
  std::vector<char32_t> found;
  const auto add = [&](size_t row, size_t column) {
    if (row < layout.size() && column < layout[row].size() && layout[row][column] <= U'z') {
      found.push_back(layout[row][column]);
    }
  };
  for (size_t row = 0; row < layout.size(); ++row) {
    const size_t column = layout[row].find(letter);
    if (column == std::u32string_view::npos) continue;
    add(row, column - 1);  // wraps around to a column that is not there
    add(row, column + 1);
    add(row - 1, column);  // the keys of a row are half a key to the right of those above
    add(row - 1, column + 1);
    add(row + 1, column - 1);
    add(row + 1, column);
  }
  return found;
}

/// The letter of a key beside that of `letter`; empty if it is on no keyboard.
std::string neighbouring_key(std::string_view letter, Draws& draws) {
  const char32_t code = first_of(letter);
  if (core::utf8_of(code).size() != letter.size()) return "";  // has marks
  const auto lower = static_cast<char32_t>(u_tolower(static_cast<UChar32>(code)));
  const auto keys = neighbours(kLayouts.at(draws.below(kLayouts.size())), lower);
  if (keys.empty()) return "";
  const char32_t key = keys[draws.below(keys.size())];
  return core::utf8_of(lower == code ? key : static_cast<char32_t>(u_toupper(static_cast<UChar32>(key))));
}

enum class Typo { kSwap, kDrop, kDouble, kNeighbour };

/// Appends a word of two letters or more with one error.
void append_with_typo(const Letters& word, Draws& draws, std::string& out) {
  constexpr size_t kTypos = 4;
  auto typo = static_cast<Typo>(draws.below(kTypos));
  const bool swap = typo == Typo::kSwap;
  const size_t place = draws.below(word.size() - (swap ? 1 : 0));
  std::string key;
  if (typo == Typo::kNeighbour) key = neighbouring_key(word[place], draws);
  const bool in_vain = swap ? word[place] == word[place + 1] : typo == Typo::kNeighbour && key.empty();
  if (in_vain) typo = Typo::kDouble;
  for (size_t i = 0; i < word.size(); ++i) {
    if (i != place) {
      out += word[i];
    } else if (typo == Typo::kSwap) {
      out.append(word[i + 1]).append(word[i]);
      ++i;
    } else if (typo == Typo::kDouble) {
      out.append(word[i]).append(word[i]);
    } else if (typo == Typo::kNeighbour) {
      out += key;
    }
  }
}

/// A sequence of letters, [begin, end) of the clusters.
struct Word {
  size_t begin, end;
  bool chosen;
};

std::vector<Word> words_of(const Letters& clusters) {
  std::vector<Word> words;
  for (size_t begin = 0; begin < clusters.size(); ++begin) {
    size_t end = begin;
    while (end < clusters.size() && is_letter(clusters[end])) ++end;
    if (end >= begin + 2) words.push_back({begin, end, false});
    begin = std::max(begin, end);
  }
  return words;
}

}  // namespace

std::string with_typos(std::string_view text, double words, Draws& draws) {
  const Letters clusters = clusters_of(text);
  std::vector<Word> all = words_of(clusters);
  if (all.empty()) return std::string(text);
  bool any = false;
  for (Word& word : all) {
    word.chosen = draws.uniform() < words;
    any = any || word.chosen;
  }
  if (!any) all[draws.below(all.size())].chosen = true;
  std::string out;
  size_t done = 0;  // clusters
  const auto copy_to = [&](size_t end) {
    for (; done < end; ++done) out += clusters[done];
  };
  for (const Word& word : all) {
    copy_to(word.begin);
    if (!word.chosen) continue;
    append_with_typo(Letters(clusters.begin() + static_cast<std::ptrdiff_t>(word.begin),
                             clusters.begin() + static_cast<std::ptrdiff_t>(word.end)),
                     draws, out);
    done = word.end;
  }
  copy_to(clusters.size());
  return out;
}

}  // namespace ventris::modifiers
