#include "documents/recasing.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/ascii.h"
#include "core/special_ids.h"
#include "markup/text_cursor.h"
#include "metrics/letter_case.h"
#include "metrics/unicode.h"

namespace ventris::documents {
namespace {

using markup::next_character;

constexpr int64_t kLeastLetters = 2;        // of a word whose change counts
constexpr int64_t kLeastLettersOfTitle = 4;  // of a word that has a capital in a title
constexpr int64_t kLeastTitleWords = 2;     // with a capital, behind the first word
constexpr int64_t kPiecesOfUnknown = 100;   // what an unknown character counts
constexpr UChar32 kSharpS = 0xDF;           // is often left as it is among capitals

/// A word between spaces, without the signs around it.
struct Token {
  std::string_view text;
  size_t begin = 0;         // in the whole text
  bool of_letters = true;   // with accents, apostrophes and hyphens
  bool small = false;       // has a small letter
  bool titled = false;      // begins with a capital, and has no other
  int64_t letters = 0, capitals = 0;
  bool ends_sentence = false;
};

bool is_apostrophe(UChar32 c) { return c == '\'' || c == 0x2019; }
bool is_letter(UChar32 c) { return c >= 0 && (u_isalpha(c) != 0 || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0); }
bool is_small(UChar32 c) { return c != kSharpS && u_isULowercase(c) != 0; }

/// Without quotation marks, brackets and stops around it.
std::string_view without_signs(std::string_view token) {
  constexpr std::string_view kBefore = "([\"'", kBehind = ".,;:!?)]\"'";
  token.remove_prefix(std::min(token.find_first_not_of(kBefore), token.size()));
  const size_t last = token.find_last_not_of(kBehind);
  return token.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

Token token_of(std::string_view word, std::string_view whole) {
  Token token;
  token.text = without_signs(word);
  token.begin = static_cast<size_t>(token.text.data() - whole.data());
  const char last = word.empty() ? ' ' : word[std::min(word.find_last_not_of(")]\"'"), word.size() - 1)];
  token.ends_sentence = last == '.' || last == '!' || last == '?';
  bool inner_capital = false, in_part = false;
  for (size_t at = 0; at < token.text.size();) {
    const UChar32 c = next_character(token.text, at);
    token.of_letters = token.of_letters && (is_letter(c) || is_apostrophe(c) || c == '-');
    token.small = token.small || is_small(c);
    const bool capital = u_isUUppercase(c) != 0;
    if (token.letters == 0 && is_letter(c)) token.titled = capital;
    inner_capital = inner_capital || (capital && in_part);
    token.capitals += capital || c == kSharpS ? 1 : 0;
    in_part = is_letter(c);
    token.letters += in_part ? 1 : 0;
  }
  token.titled = token.titled && !inner_capital;
  return token;
}

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (const std::string_view word : metrics::split_words(text)) tokens.push_back(token_of(word, text));
  return tokens;
}

/// Whether a word with small letters is no word of the language: an address, a placeholder, a name of a program.
bool is_code(const Token& token) {
  constexpr std::string_view kSigns = "@_{}%\\<>=&$|^~";
  if (!token.small || token.of_letters) return false;
  return token.text.find_first_of(kSigns) != std::string_view::npos ||
         token.text.find("://") != std::string_view::npos || token.text.starts_with("www.");
}

/// No word has a small letter, unless it is code, and most letters have a capital form.
bool is_in_capitals(const std::vector<Token>& tokens) {
  int64_t letters = 0, capitals = 0;
  for (const Token& token : tokens) {
    if (is_code(token)) continue;
    if (token.small) return false;
    letters += token.letters;
    capitals += token.capitals;
  }
  return 2 * capitals > letters;
}

bool is_title(const std::vector<Token>& tokens) {
  int64_t titled = 0;
  for (const Token& token : tokens) {
    if (!token.of_letters) continue;
    if (token.letters >= kLeastLettersOfTitle && !token.titled && token.small) return false;
    titled += token.titled && &token != &tokens.front() ? 1 : 0;
  }
  return titled >= kLeastTitleWords;
}

/// The character at the beginning, and the rest in small letters.
std::string with_capital(std::string_view word) {
  const size_t first = markup::after_character(word, 0);
  return std::string(word.substr(0, first)) + metrics::to_lower(word.substr(first));
}

}  // namespace

Recaser::Recaser(Recase which, text::Tokenizer tokenizer, const std::string& language)
    : which_(which), tokenizer_(std::move(tokenizer)) {
  const std::string base = core::in_lower_case(language).substr(0, language.find_first_of("-_"));
  if (base == "tr" || base == "az") which_ = Recase::kNone;
}

/// How many pieces a word has. A letter that stands alone, such as the English I, is compared by its score, too.
Recaser::Cost Recaser::cost_of(std::string_view word, bool alone) const {
  Cost cost;
  bool unknown = false;
  for (const int32_t id : tokenizer_.encode(word)) {
    if (id == core::SpecialIds().unk) unknown = true;
    ++cost.first;
    if (alone) cost.second -= static_cast<double>(tokenizer_.score(id));
  }
  if (unknown) cost.first += kPiecesOfUnknown * unknown_characters(word);
  return cost;
}

int64_t Recaser::unknown_characters(std::string_view word) const {
  const std::vector<int32_t> ids = tokenizer_.encode(word);
  const std::vector<text::ByteRange> places = tokenizer_.places(word);
  int64_t characters = 0;
  for (size_t i = 0; i < std::min(ids.size(), places.size()); ++i) {
    if (ids[i] != core::SpecialIds().unk) continue;
    characters += std::ssize(metrics::decode(word.substr(places[i].begin, places[i].end - places[i].begin)));
  }
  return characters;
}

/// The form that the tokenizer knows best; of several, the first of: small letters, a capital, as it is. A tokenizer
/// without capitals knows all alike.
std::string Recaser::best_form(std::string_view word, bool alone) const {
  const std::string small = metrics::to_lower(word);
  std::string best(word);
  if (tokenizer_.encode(small) == tokenizer_.encode(word)) return best;
  std::optional<Cost> least;
  for (const std::string& form : {small, with_capital(word), std::string(word)}) {
    const Cost cost = cost_of(form, alone);
    if (form.size() != word.size() || (least && *least <= cost)) continue;
    best = form;
    least = cost;
  }
  return best;
}

/// A text whose words are changed one after the other.
class Recaser::Sentence {
 public:
  Sentence(const Recaser& recaser, std::string_view text) : recaser_(recaser), text_(text) {}

  /// Changes each run of letters. (An apostrophe between letters is one of them.)
  void change(const Token& token, bool first) {
    const std::string_view word = token.text;
    const auto in_run = [](UChar32 c) { return is_letter(c) || is_apostrophe(c); };
    for (size_t at = 0; at < word.size();) {
      const size_t end = markup::end_of_run(word, at, in_run);
      const bool alone = end - at == word.size() && token.letters == 1;
      if (end > at) change(word.substr(at, end - at), token.begin + at, std::exchange(first, false), alone);
      at = end < word.size() ? markup::after_character(word, end) : end;
    }
  }
  bool changed() const { return changed_; }
  std::string text() const { return text_; }

 private:
  void change(std::string_view word, size_t begin, bool first, bool alone) {
    std::string best = recaser_.best_form(word, alone);
    if (best == word) return;
    if (const std::string capital = with_capital(word); first && capital.size() == word.size()) best = capital;
    text_.replace(begin, best.size(), best);
    changed_ = changed_ || (best != word && std::ssize(metrics::decode(word)) >= kLeastLetters);
  }

  const Recaser& recaser_;
  std::string text_;
  bool changed_ = false;
};

std::optional<RecasedText> Recaser::recased(std::string_view text, const std::vector<std::string>& words) const {
  if (which_ == Recase::kNone) return std::nullopt;
  std::vector<Token> tokens = tokens_of(text);
  const auto stays = [&](const Token& token) { return std::ranges::find(words, token.text) != words.end(); };
  std::erase_if(tokens, [&](const Token& token) { return token.text.empty() || stays(token); });
  RecasedText result{"", is_in_capitals(tokens), {}};
  if (!result.capitals && (which_ != Recase::kTitles || !is_title(tokens))) return std::nullopt;
  Sentence sentence(*this, text);
  bool first = true;
  for (const Token& token : tokens) {
    if (is_code(token)) {
      result.kept.emplace_back(token.text);
    } else {
      sentence.change(token, first);
    }
    first = token.ends_sentence;
  }
  if (!sentence.changed()) return std::nullopt;
  result.text = sentence.text();
  for (const std::string& word : words) {
    if (!word.empty()) result.kept.push_back(word);
  }
  return result;
}

std::string Recaser::context(std::string text) const {
  std::optional<RecasedText> recased = this->recased(text, {});
  return recased ? std::move(recased->text) : std::move(text);
}

std::vector<RecasedSentence> Recaser::change(std::vector<MaskedText>& sentences) const {
  std::vector<RecasedSentence> changed;
  for (size_t i = 0; i < sentences.size(); ++i) {
    std::optional<RecasedText> recased = this->recased(sentences[i].text, sentences[i].words);
    if (!recased) continue;
    std::swap(sentences[i].text, recased->text);
    changed.push_back({i, std::move(recased->text), recased->capitals, std::move(recased->kept)});
  }
  return changed;
}

std::string in_capitals(std::string_view text, const std::vector<std::string>& kept) {
  const std::set<std::string_view> words(kept.begin(), kept.end());
  std::string result;
  size_t done = 0;
  for (const std::string_view word : metrics::split_words(text)) {
    const std::string_view inner = without_signs(word);
    if (!words.contains(inner) && !words.contains(word)) continue;
    const auto begin = static_cast<size_t>(word.data() - text.data());
    result += metrics::upper_case(text.substr(done, begin - done));
    result += word;
    done = begin + word.size();
  }
  return result + metrics::upper_case(text.substr(done));
}

void restore_case(std::vector<RecasedSentence>& changed, std::vector<MaskedText>& sentences,
                  std::vector<translation::Translation>& translations) {
  for (RecasedSentence& one : changed) {
    sentences[one.number].text = std::move(one.original);
    if (!one.capitals) continue;
    for (translation::Candidate& candidate : translations[one.number].candidates) {
      candidate.text = in_capitals(candidate.text, one.kept);
    }
  }
}

}  // namespace ventris::documents
