#include "documents/cutter.h"
#include "documents/placeholders.h"
#include "documents/sentences.h"
#include "fuzz/targets.h"
#include "markup/marked_text.h"
#include "phrases/term_list.h"
#include "text/valid_utf8.h"

/// What is found in texts: sentences, placeholders, and terms.
namespace ventris::fuzz {
namespace {

using text::ByteRange;

void check_ranges(const std::vector<ByteRange>& ranges, size_t size) {
  size_t end = 0;
  for (const ByteRange& range : ranges) {
    require(end <= range.begin && range.begin < range.end && range.end <= size, "parts of a text are in order");
    end = range.end;
  }
}

void split_text(std::string_view input) {
  const auto [language, rest] = first_line_of(input);
  if (!text::is_valid_utf8(rest)) return;
  const documents::SentenceSplitter splitter((std::string(language)));
  check_ranges(splitter.split(rest), rest.size());
  const documents::Cutting cutting{&splitter, [](std::string_view part) { return part.size() < 40; }};
  const auto cut = documents::cut_text({std::string(rest)}, cutting);
  std::string together;
  for (const auto& segment : cut.segments) together += segment.before + segment.sentence.text;
  require(together + cut.after == rest, "the parts of a text are the whole text");
}

void find_placeholders(std::string_view input) {
  const auto [patterns, rest] = halves_of(input);
  if (!text::is_valid_utf8(rest)) return;
  const std::string text(rest);
  const std::string file = file_with(patterns, "patterns");
  for (const std::string& choice : {std::string("builtin,numbers"), "builtin," + file}) {
    const documents::Placeholders placeholders(choice);
    check_ranges(placeholders.find(text), text.size());
    static_cast<void>(placeholders.missing(text, text.substr(0, text.size() / 2)));
  }
}

void find_terms(std::string_view input) {
  const auto [list, text] = halves_of(input);
  if (!text::is_valid_utf8(text)) return;
  const phrases::TermList terms(file_with(list, "terms"));
  require(terms.translations(text).size() <= terms.size(), "each term counts once");
}

const Registration kSentences("sentences", split_text);
const Registration kPlaceholders("placeholders", find_placeholders);
const Registration kTerms("terms", find_terms);

}  // namespace
}  // namespace ventris::fuzz
