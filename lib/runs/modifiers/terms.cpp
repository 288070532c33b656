#include "modifiers/terms.h"

#include <algorithm>
#include <optional>
#include <string>

#include "modifiers/single_links.h"
#include "text/term_marks.h"

namespace ventris::modifiers {
namespace {

using Words = std::vector<std::string_view>;

constexpr size_t kMostWords = 3;  // of a term
constexpr size_t kTries = 4;      // for each term that is drawn

/// Words, as numbers: [begin, end).
struct Span {
  int32_t begin = 0, end = 0;
  bool has(int32_t word) const { return word >= begin && word < end; }
};

struct Term {
  Span source, target;
  std::string translation;
};

/// What translates these words: the words that are linked to them, if these are neighbours of each other and linked to
/// no other word.
std::optional<Span> translation_of(Span source, const text::Links& links, const Words& target) {
  Span found{INT32_MAX, 0};
  for (const text::Link& link : links) {
    if (!source.has(link.source)) continue;
    found = {std::min(found.begin, link.target), std::max(found.end, link.target + 1)};
  }
  const bool fits = found.begin < found.end && found.end <= std::ssize(target) &&
                    found.end - found.begin <= static_cast<int32_t>(kMostWords);
  if (!fits) return std::nullopt;
  for (int32_t word = found.begin; word < found.end; ++word) {
    if (std::ranges::none_of(links, [&](const text::Link& link) { return link.target == word; })) return std::nullopt;
  }
  const bool others = std::ranges::any_of(
      links, [&](const text::Link& link) { return found.has(link.target) && !source.has(link.source); });
  return others ? std::nullopt : std::optional(found);
}

/// The text from the first to the last of these words.
std::string_view text_of(Span span, const Words& words) {
  const std::string_view first = words[static_cast<size_t>(span.begin)],
                         last = words[static_cast<size_t>(span.end - 1)];
  return {first.data(), static_cast<size_t>(last.data() + last.size() - first.data())};
}

/// A pair with its words.
struct DividedPair {
  const TextPair& pair;
  Words source, target;
  text::Links starts;  // where a term may begin and end: words with one link
};

/// A term that begins at one of the places. If it cannot have the length that is drawn, it has one word.
Term draw_term(const DividedPair& divided, Draws& draws, const TermForms* forms) {
  const text::Link& start = divided.starts[draws.below(divided.starts.size())];
  Span source{start.source, start.source + 1}, target{start.target, start.target + 1};
  const Span longer{start.source,
                    start.source + static_cast<int32_t>(std::max<size_t>(1, draws.below(kMostWords + 1)))};
  const bool ends_well = std::ranges::count(divided.starts, longer.end - 1, &text::Link::source) > 0;
  const auto translation = ends_well ? translation_of(longer, divided.pair.links, divided.target) : std::nullopt;
  if (translation) {
    source = longer;
    target = *translation;
  }
  const std::string_view written = text_of(target, divided.target);
  const bool inflects = forms != nullptr && source.end - source.begin == 1 && draws.below(2) == 1;
  return {source, target,
          std::string(inflects ? forms->draw(text_of(source, divided.source), written, draws) : written)};
}

/// Terms that do not overlap, in the order of the source.
std::vector<Term> draw_terms(const DividedPair& divided, size_t most, Draws& draws, const TermForms* forms) {
  const size_t count = 1 + draws.below(std::min(most, divided.starts.size()));
  std::vector<Term> terms;
  for (size_t tries = kTries * count; tries > 0 && terms.size() < count; --tries) {
    Term term = draw_term(divided, draws, forms);
    const bool overlaps = std::ranges::any_of(terms, [&](const Term& other) {
      return term.source.begin < other.source.end && other.source.begin < term.source.end;
    });
    if (!overlaps) terms.push_back(std::move(term));
  }
  std::ranges::sort(terms, {}, [](const Term& term) { return term.source.begin; });
  return terms;
}

/// A source with its terms, and where its old words and the translations are in it.
struct MarkedSource {
  struct Range {
    size_t begin = 0, end = 0;
  };
  std::string text;
  std::vector<Range> words, translations;

  MarkedSource(const DividedPair& divided, const std::vector<Term>& terms) {
    const std::string& old = divided.pair.source;
    size_t done = 0;
    auto term = terms.begin();
    for (size_t i = 0; i < divided.source.size(); ++i) {
      const auto begin = static_cast<size_t>(divided.source[i].data() - old.data());
      text.append(old, done, begin - done);
      words.push_back({text.size(), text.size() + divided.source[i].size()});
      text += divided.source[i];
      done = begin + divided.source[i].size();
      if (term == terms.end() || static_cast<size_t>(term->source.end) != i + 1) continue;
      text.append(text::kTermBegin).append(" ");
      translations.push_back({text.size(), text.size() + term->translation.size()});
      text.append(term->translation).append(text::kTermEnd);
      ++term;
    }
    text.append(old, done);
  }
};

/// Links the words of the new source: the old words as before, and the words of a translation to its target words.
text::Links new_links(const DividedPair& divided, const std::vector<Term>& terms, const MarkedSource& source,
                      metrics::Division division) {
  std::vector<MarkedSource::Range> words;
  for (const std::string_view word : metrics::divided(source.text, division)) {
    const auto begin = static_cast<size_t>(word.data() - source.text.data());
    words.push_back({begin, begin + word.size()});
  }
  text::Links links;
  const auto add = [&](const MarkedSource::Range& range, int32_t target) {
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i].begin < range.end && range.begin < words[i].end) links.push_back({static_cast<int32_t>(i), target});
    }
  };
  for (const text::Link& link : divided.pair.links) {
    if (link.source < std::ssize(source.words)) add(source.words[static_cast<size_t>(link.source)], link.target);
  }
  for (size_t i = 0; i < terms.size(); ++i) {
    for (int32_t word = terms[i].target.begin; word < terms[i].target.end; ++word) add(source.translations[i], word);
  }
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

}  // namespace

TextPair with_terms(const TextPair& pair, size_t most, Draws& draws, metrics::Division division,
                    const TermForms* forms) {
  for (const std::string_view mark : {text::kTermBegin, text::kTermEnd}) {
    if (pair.source.find(mark) != std::string::npos || pair.target.find(mark) != std::string::npos) return pair;
  }
  DividedPair divided{pair, metrics::divided(pair.source, division), metrics::divided(pair.target, division), {}};
  divided.starts = single_links(pair.links, divided.source, divided.target);
  if (divided.starts.empty()) return pair;
  const std::vector<Term> terms = draw_terms(divided, most, draws, forms);
  MarkedSource source(divided, terms);
  text::Links links = new_links(divided, terms, source, division);
  return {std::move(source.text), pair.target, std::move(links)};
}

}  // namespace ventris::modifiers
