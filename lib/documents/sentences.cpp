#include "documents/sentences.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include <array>
#include <optional>
#include <stdexcept>

#include "text/utf8.h"

namespace ventris::documents {

struct SentenceSplitter::Rules {
  std::unique_ptr<icu::BreakIterator> breaks;
};

namespace {

struct CloseText {
  void operator()(UText* text) const { utext_close(text); }
};

bool is_space(UChar32 character) { return u_isUWhiteSpace(character) != 0; }

/// Punctuation after which a sentence may be cut.
bool ends_clause(UChar32 character) {
  constexpr std::u32string_view kMarks = U",;:)\u2013\u2014\u2026\u061B\u060C\u3001\uFF0C\uFF1B\uFF1A.!?\u3002";
  return kMarks.find(static_cast<char32_t>(character)) != std::u32string_view::npos;
}

bool is_wide(UChar32 character) {
  const int width = u_getIntPropertyValue(character, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH;
}

/// What a place inside a text is good for, best last.
enum class Place { kCharacter, kWord, kClause };

/// Keeps the place of each kind that is next to the middle.
class Places {
 public:
  explicit Places(ByteRange range) : middle_((range.begin + range.end) / 2) {}

  void offer(Place kind, size_t at) {
    std::optional<size_t>& best = best_[static_cast<size_t>(kind)];
    if (!best || distance(at) < distance(*best)) best = at;
  }
  std::optional<size_t> best() const {
    for (size_t kind = 3; kind-- > 0;) {
      if (best_[kind]) return best_[kind];
    }
    return {};
  }

 private:
  size_t distance(size_t at) const { return at < middle_ ? middle_ - at : at - middle_; }

  size_t middle_;
  std::array<std::optional<size_t>, 3> best_;
};

/// Where to divide the text of a range; nothing if it is one character.
std::optional<size_t> place_to_cut(std::string_view text, ByteRange range) {
  Places places(range);
  const auto end = static_cast<int32_t>(range.end);
  UChar32 before = 0, character = 0;
  for (auto at = static_cast<int32_t>(range.begin); at < end; before = character) {
    const auto here = static_cast<size_t>(at);
    U8_NEXT(text.data(), at, end, character);
    if (here == range.begin) continue;
    const bool at_word = is_space(character) || is_wide(before);
    if (ends_clause(before) && at_word) {
      places.offer(Place::kClause, here);
    } else if (is_space(character)) {
      places.offer(Place::kWord, here);
    } else if (u_getIntPropertyValue(character, UCHAR_GRAPHEME_CLUSTER_BREAK) != U_GCB_EXTEND) {
      places.offer(Place::kCharacter, here);
    }
  }
  return places.best();
}

void cut(std::string_view text, ByteRange range, const std::function<bool(std::string_view)>& fits,
         std::vector<ByteRange>& parts) {
  range = trimmed(text, range);
  const auto place = fits(text.substr(range.begin, range.end - range.begin)) ? std::nullopt : place_to_cut(text, range);
  if (!place) {
    if (range.end > range.begin) parts.push_back(range);
    return;
  }
  cut(text, {range.begin, *place}, fits, parts);
  cut(text, {*place, range.end}, fits, parts);
}

}  // namespace

SentenceSplitter::SentenceSplitter(const std::string& language) : abbreviations_(language) {
  UErrorCode error = U_ZERO_ERROR;
  auto rules = std::make_unique<Rules>();
  rules->breaks.reset(icu::BreakIterator::createSentenceInstance(icu::Locale(language.c_str()), error));
  if (U_FAILURE(error) != 0) throw std::runtime_error(std::string("ICU's sentence rules: ") + u_errorName(error));
  rules_ = std::move(rules);
}
SentenceSplitter::~SentenceSplitter() = default;
SentenceSplitter::SentenceSplitter(SentenceSplitter&&) noexcept = default;
SentenceSplitter& SentenceSplitter::operator=(SentenceSplitter&&) noexcept = default;

std::vector<ByteRange> SentenceSplitter::split(std::string_view document) const {
  std::string text(document);
  text::remove_line_ends(text);  // a sentence may go on after a line end
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UText, CloseText> utf8(
      utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &error));
  const std::unique_ptr<icu::BreakIterator> breaks(rules_->breaks->clone());  // one thread at a time may use it
  breaks->setText(utf8.get(), error);
  if (U_FAILURE(error) != 0) throw std::runtime_error(std::string("ICU's sentence rules: ") + u_errorName(error));
  std::vector<ByteRange> sentences;
  size_t begin = 0;
  for (int32_t at = breaks->next(); at != icu::BreakIterator::DONE; at = breaks->next()) {
    const ByteRange found = trimmed(text, {begin, static_cast<size_t>(at)});
    const bool goes_on = abbreviations_.ends(std::string_view(text).substr(found.begin, found.end - found.begin));
    if (goes_on && static_cast<size_t>(at) < text.size()) continue;
    if (found.end > found.begin) sentences.push_back(found);
    begin = static_cast<size_t>(at);
  }
  return sentences;
}

ByteRange trimmed(std::string_view text, ByteRange range) {
  UChar32 character = 0;
  const auto end = static_cast<int32_t>(range.end);
  for (auto at = static_cast<int32_t>(range.begin); at < end;) {
    U8_NEXT(text.data(), at, end, character);
    if (!is_space(character)) break;
    range.begin = static_cast<size_t>(at);
  }
  const auto begin = static_cast<int32_t>(range.begin);
  for (auto at = end; at > begin;) {
    U8_PREV(text.data(), begin, at, character);
    if (!is_space(character)) break;
    range.end = static_cast<size_t>(at);
  }
  return range;
}

std::vector<ByteRange> cut_at_clauses(std::string_view text, ByteRange sentence,
                                      const std::function<bool(std::string_view part)>& fits) {
  std::vector<ByteRange> parts;
  cut(text, sentence, fits, parts);
  return parts;
}

}  // namespace ventris::documents
