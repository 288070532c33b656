#include <algorithm>
#include <span>
#include <utility>

#include "documents/argument_order.h"
#include "documents/joining.h"
#include "documents/line_layout.h"
#include "documents/pending_text.h"
#include "markup/markdown.h"

/// How a DocumentTranslator makes an answer of translations.
namespace ventris::documents {
namespace {

using translation::Translation;

/// Removes pairs of marks that are never empty. (What begins or ends in another sentence stays.)
void remove_emphasis(MaskedText& masked) {
  const std::vector<size_t> other = markup::partners(masked.marks);
  std::vector<markup::Mark> kept;
  std::vector<size_t> objects_before;
  for (size_t i = 0; i < masked.marks.size(); ++i) {
    if (masked.marks[i].never_empty && other[i] != markup::kNoPartner) continue;
    kept.push_back(masked.marks[i]);
    objects_before.push_back(masked.objects_before[i]);
  }
  masked.marks = std::move(kept);
  masked.objects_before = std::move(objects_before);
}

}  // namespace

Warnings warnings_of(const std::vector<Finding>& findings) {
  Warnings warnings;
  for (const Finding& finding : findings) warnings.insert(finding.warning);
  return warnings;
}

void WarningCounts::add(const std::vector<Finding>& findings, int64_t first_line) {
  for (const Finding& finding : findings) lines_[finding.warning].add(first_line + finding.line - 1);
}

std::vector<std::string> WarningCounts::sentences() const {
  std::vector<std::string> all;
  for (const auto& [warning, lines] : lines_) all.push_back(sentence_about(warning, lines));
  return all;
}

Answer DocumentTranslator::answer(Pending& pending) const {
  Answer answer;
  answer.findings = std::move(pending.findings);
  answer.segments = static_cast<int64_t>(pending.cut.segments.size());
  for (size_t i = 0; guards_ && i < pending.cut.segments.size(); ++i) {
    const translation::Candidate& best = pending.translations[i].candidates.front();
    const std::string& source = pending.masked[i].text;
    const GuardedPair pair{source, best.text, pending.sources[i].tokens, best.tokens, best.repetitive};
    for (const Warning warning : Guards::of_pair(pair))
      answer.findings.push_back({warning, pending.cut.segments[i].line});
  }
  find_changed_placeholders(pending, answer);
  find_losses(pending, answer);
  for (size_t i = 0; i < pending.cut.segments.size(); ++i) {
    for (auto& unmet : pending.translations[i].candidates.front().unmet) unmet.line = pending.cut.segments[i].line;
  }
  restore_case(pending.recased, pending.masked, pending.translations);
  if (options_.markup == Markup::kMarkdown) {
    answer_in_markdown(pending, answer);
    return answer;
  }
  if (pending.writer) {
    keep_order(pending, answer);
    markup::is_package(options_.markup) ? place_marks(pending) : place_lines(pending);
    answer_by_writer(pending, answer);
    return answer;
  }
  keep_order(pending, answer);
  for (size_t i = 0; i < pending.cut.segments.size(); ++i) {
    const MarkedText& sentence = pending.cut.segments[i].sentence;
    const bool marked = !sentence.objects.empty() || !sentence.marks.empty();
    if (marked || options_.markup != Markup::kNone) {
      pending.translations[i].candidates.front().text = place(pending, i, Care::kUsual).raw;
      pending.translations[i].candidates.front().links.clear();
    }
  }
  answer.translation =
      pending.joined ? join(pending.cut, pending.translations) : std::move(pending.translations.front());
  if (options_.changes.attributes || options_.markup == Markup::kXml) {
    std::string& text = answer.translation.candidates.front().text;
    text = markup::put_apart_texts(text);
  }
  return answer;
}

/// Puts the translations of the last blocks, which are no part of the text, into its translation.
std::string DocumentTranslator::with_beside_texts(Pending& pending, std::string written) const {
  size_t block = pending.blocks_in_text();
  for (const markup::BesideTexts& texts : pending.beside) {
    std::vector<std::string> translations;
    for (size_t end = block + texts.blocks; block < end; ++block) {
      for (size_t i = pending.blocks[block].begin; i < pending.blocks[block].end; ++i) place_line(pending, i);
      translations.push_back(text_of(pending, pending.blocks[block]));
    }
    written = texts.put(written, translations);
  }
  return written;
}

void DocumentTranslator::answer_in_markdown(Pending& pending, Answer& answer) const {
  const auto blocks = std::span(std::as_const(pending.blocks)).first(pending.blocks_in_text());
  MarkdownKeeper keeper(pending.request.text, blocks, pending.after_blocks,
                        [&](size_t segment, Care care) { return place(pending, segment, care); });
  const std::string text = with_beside_texts(pending, keeper.write());
  for (size_t i = 0; i < blocks.size(); ++i) {
    const MarkdownBlock& block = blocks[i];
    if (block.begin == block.end) continue;
    const int64_t line = pending.cut.segments[block.begin].line;
    if (keeper.care(i) == Care::kSource) answer.findings.push_back({Warning::kMarkup, line});
    if (keeper.lacks_link(i)) answer.findings.push_back({Warning::kLink, line});
  }
  for (Translation& translation : pending.translations) translation.candidates.front().links.clear();
  answer.translation = join(pending.cut, pending.translations);
  answer.translation.candidates.front().text = text;
}

/// Lets a translation have as many lines as its source, with marks and objects. What is not changed stays as it is
/// written.
void DocumentTranslator::place_line(Pending& pending, size_t segment) const {
  translation::Candidate& best = pending.translations[segment].candidates.front();
  const MaskedText& masked = pending.masked[segment];
  const MarkedText& sentence = pending.cut.segments[segment].sentence;
  const markup::Escape& escape = escape_of(pending.cut.segments[segment].escaping);
  if (best.text == masked.text) {
    best.text = sentence.raw({0, sentence.text.size()}, escape);
  } else {
    const AlignedText laid = lay_out_lines(masked.text, masked.line_ends, {best.text, best.links});
    best.text = put_back(sentence, masked, laid, escape).raw;
  }
  best.links.clear();
}

void DocumentTranslator::place_lines(Pending& pending) const {
  for (size_t i = 0; i < pending.cut.segments.size(); ++i) place_line(pending, i);
}

/// Puts marks and objects into translations. What is not changed stays as it is written.
void DocumentTranslator::place_marks(Pending& pending) const {
  for (size_t i = 0; i < pending.cut.segments.size(); ++i) {
    translation::Candidate& best = pending.translations[i].candidates.front();
    const MarkedText& sentence = pending.cut.segments[i].sentence;
    const bool same = best.text == pending.masked[i].text;
    best.text = same ? sentence.raw({0, sentence.text.size()}, escape_of(pending.cut.segments[i].escaping))
                     : place(pending, i, Care::kUsual).raw;
    best.links.clear();
  }
}

/// Gives conversions numbers where programs understand them, and reports others that have another order.
void DocumentTranslator::keep_order(Pending& pending, Answer& answer) const {
  if (options_.kept().empty() || options_.markup == Markup::kPo) return;  // a PO file says which ones it has
  const bool has_numbers = options_.markup == Markup::kAndroid || options_.markup == Markup::kStrings;
  for (size_t i = 0, block = 0; i < pending.cut.segments.size(); ++i) {
    while (block < pending.blocks.size() && pending.blocks[block].end <= i) ++block;
    const Segment& segment = pending.cut.segments[i];
    const translation::Candidate& best = pending.translations[i].candidates.front();
    if (!has_other_order(segment.sentence, pending.masked[i], {best.text, best.links})) continue;
    const bool numbered = has_numbers && number_message(pending, pending.blocks[block]);
    if (!numbered) answer.findings.push_back({Warning::kOrder, segment.line});
  }
}

/// Numbers the conversions of all sentences of a message. False: they cannot have numbers.
bool DocumentTranslator::number_message(Pending& pending, MarkdownBlock& block) {
  std::vector<MarkedText*> sentences;
  for (size_t i = block.begin; i < block.end; ++i) sentences.push_back(&pending.cut.segments[i].sentence);
  return number_conversions(sentences, block.gaps, pending.writer != nullptr);
}

/// A block whose translations have what was hidden in them.
std::string DocumentTranslator::text_of(const Pending& pending, const MarkdownBlock& block) {
  std::string text = block.gaps.front();
  for (size_t i = block.begin; i < block.end; ++i) {
    const std::string& next = pending.translations[i].candidates.front().text;
    text += i == block.begin ? "" : gap_between(text, block.gaps[i - block.begin], next);
    text += next;
  }
  if (block.end > block.begin) text += block.gaps.back();
  return text;
}

void DocumentTranslator::answer_by_writer(Pending& pending, Answer& answer) {
  std::vector<std::string> texts;
  for (const MarkdownBlock& block : pending.blocks) texts.push_back(text_of(pending, block));
  answer.translation = join(pending.cut, pending.translations);
  answer.translation.candidates.front().text = pending.writer->write(texts);
  for (const int64_t line : pending.writer->lines_left(texts)) answer.findings.push_back({Warning::kLeft, line});
}

void DocumentTranslator::find_losses(const Pending& pending, Answer& answer) {
  for (size_t i = 0; i < pending.translations.size(); ++i) {
    const Translation& translation = pending.translations[i];
    const int64_t line = pending.cut.segments.empty() ? 1 : pending.cut.segments[i].line;
    if (translation.source_cut) answer.losses.push_back({true, line});
    if (translation.candidates.front().truncated) answer.losses.push_back({false, line});
  }
}

/// Those that were hidden come back in any case. So this looks at what the model got and what it wrote: a word that it
/// got for one and wrote twice shows that it did not understand the sentence.
void DocumentTranslator::find_changed_placeholders(const Pending& pending, Answer& answer) const {
  if (!guards_ && options_.kept().empty()) return;
  for (size_t i = 0; i < pending.cut.segments.size(); ++i) {
    const std::string& target = pending.translations[i].candidates.front().text;
    const bool surplus = has_surplus_words(pending.masked[i], target);
    if (!surplus && placeholders_.missing(pending.masked[i].text, target).empty()) continue;
    answer.findings.push_back({Warning::kPlaceholders, pending.cut.segments[i].line});
  }
}

PlacedText DocumentTranslator::place(const Pending& pending, size_t segment, Care care) const {
  const translation::Candidate& best = pending.translations[segment].candidates.front();
  const Segment& original = pending.cut.segments[segment];
  const markup::Escape& escape = escape_of(original.escaping);
  if (!markup::is_of_document(original.escaping) && options_.markup != markup::Markup::kAndroid) {
    return put_back(original.sentence, pending.masked[segment], {best.text, best.links}, escape);
  }
  if (care == Care::kStrict) {
    MaskedText masked = pending.masked[segment];
    remove_emphasis(masked);
    return put_back(original.sentence, masked, {best.text, best.links}, markup::escape_markdown_strictly);
  }
  PlacedText placed = put_back(original.sentence, pending.masked[segment], {best.text, best.links}, escape);
  placed.raw = markup::escape_start(placed.raw, original.before, options_.markup);
  return placed;
}

}  // namespace ventris::documents
