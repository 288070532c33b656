#include "documents/document_translator.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "core/error.h"
#include "documents/address_runs.h"
#include "documents/hidden_ranges.h"
#include "documents/pending_text.h"
#include "documents/tag_pairs.h"
#include "documents/unknown_symbols.h"
#include "formats/code_in_messages.h"
#include "formats/icu_forms.h"
#include "formats/letter_entities.h"
#include "formats/wiki_forms.h"
#include "markup/addresses.h"
#include "markup/characters.h"
#include "markup/shortcodes.h"
#include "markup/tex_formulas.h"
#include "text/valid_utf8.h"

namespace ventris::documents {
namespace {

using markup::Block;
using markup::BracketCodes;
using markup::MarkedDocument;
using translation::Request;
using translation::Translation;

/// A block and what it was cut into; its segments follow those of `before`.
MarkdownBlock markdown_block(const Block& block, const CutText& cut, const CutText& before) {
  MarkdownBlock result{block.before, block.range, before.segments.size(), before.segments.size() + cut.segments.size()};
  for (const Segment& segment : cut.segments) {
    result.gaps.push_back(segment.before);
    result.characters += markup::characters_of(segment.sentence.text);
  }
  result.gaps.push_back(cut.after);
  return result;
}

/// Gives each segment of a block its line in the document, and says how it is escaped.
void set_origin(const Block& block, std::vector<Segment>& segments) {
  size_t line = 0, done = 0;
  for (Segment& segment : segments) {
    const std::string_view before = std::string_view(block.text.text).substr(done, segment.begin - done);
    line += static_cast<size_t>(std::ranges::count(before, '\n'));
    done = segment.begin;
    segment.line = line < block.lines.size() ? block.lines[line] : block.line;
    segment.escaping = block.escaping;
  }
}

/// Escapes what a resource of Android begins with if no sentence does: "\@name" alone, or with a colon behind it.
void escape_first_gap(const Block& block, CutText& cut) {
  std::string& gap = cut.segments.empty() ? cut.after : cut.segments.front().before;
  gap = markup::escape_start(std::move(gap), block.before, Markup::kAndroid);
}

/// Whether the text has an entity of HTML or what looks like one: "&nbsp;", "&#8217;".
bool has_entity(std::string_view text) {
  constexpr size_t kShortest = 2, kLongest = 10;
  for (size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    const std::string_view name = text.substr(at + 1, kLongest);
    const size_t end = name.find(';');
    const auto is_part = [](char c) { return c == '#' || markup::is_letter(c) || markup::is_digit_byte(c); };
    if (end >= kShortest && end < name.size() && std::ranges::all_of(name.substr(0, end), is_part)) return true;
  }
  return false;
}

/// Whether the text of an XML document has tags or entities of HTML that escapes write, as descriptions in feeds have.
bool has_html_as_text(const MarkedText& text) {
  if (!text.marks.empty() || !text.objects.empty()) return false;
  const size_t sign = text.text.find('<');
  return (sign != std::string::npos && text.text.find('>', sign) != std::string::npos) || has_entity(text.text);
}

/// The ends of shortcodes in all texts.
BracketCodes codes_of(const MarkedDocument& document) {
  BracketCodes codes;
  for (const Block& block : document.blocks) codes.add(block.text.text);
  return codes;
}

/// For addresses in Markdown: their "://" has no backslash.
markup::Escape outside_schemes(const markup::Escape& escape) {
  return [&escape](std::string_view text) {
    constexpr std::string_view kSign = "://";
    const size_t sign = text.find(kSign);
    if (sign == std::string_view::npos) return escape(text);
    return escape(text.substr(0, sign)) + std::string(kSign) + escape(text.substr(sign + kSign.size()));
  };
}

/// A text without markup: each line is a block. `code`: no line ends in it.
MarkedDocument in_lines(const std::string& text, const std::vector<ByteRange>& code) {
  MarkedDocument document;
  size_t begin = 0;
  for (const size_t end : formats::line_ends_of(text, code)) {
    document.blocks.push_back({begin == 0 ? "" : "\n", {text.substr(begin, end - begin)}, 1});
    document.blocks.back().placeholders = formats::code_over_lines(text, code, {begin, end});
    begin = end + 1;
  }
  return document;
}

}  // namespace

DocumentTranslator::DocumentTranslator(const translation::Translator& translator, const DocumentOptions& options)
    : translator_(translator),
      options_(options),
      splitter_(options.language),
      recaser_(options.recase, translator.source_tokenizer(), options.language),
      placeholders_(options.kept().empty() ? "builtin" : options.kept()) {
  for (size_t number = 0; number < escapes_.size(); ++number) {
    const auto escaping = static_cast<markup::Escaping>(number);
    escapes_[number] = [markup = options.markup, escaping](std::string_view text) {
      return markup::escape(text, markup, escaping);
    };
  }
  if (options.places()) copied_words_ = copied_words(translator.source_tokenizer(), translator.target_tokenizer());
  if (options.guards) guards_.emplace(translator.source_tokenizer());
}
DocumentTranslator::~DocumentTranslator() = default;

MarkedDocument DocumentTranslator::read(const std::string& text) const {
  const bool plain = options_.markup == Markup::kNone && options_.split_sentences;
  const bool keeps_code = plain && !options_.placeholders.empty() && placeholders_.has_builtin();
  return plain ? in_lines(text, keeps_code ? formats::code_in(text) : std::vector<ByteRange>())
               : formats::read_document(text, options_.markup, options_.changes, options_.format);
}

DocumentTranslator::Pending DocumentTranslator::prepare(const Request& request, MarkedDocument document) const {
  Pending pending;
  pending.request = request;
  Cutting cutting;
  if (options_.splits()) {
    cutting.splitter = &splitter_;
    cutting.fits = [&](std::string_view sentence) { return translator_.fits(sentence); };
  }
  pending.writer = document.writer;
  pending.joined = options_.split_sentences || options_.places();
  cutting.columns = markup::has_messages(options_.markup) || markup::is_package(options_.markup) ||
                    (options_.markup == Markup::kNone && pending.joined);
  BracketCodes codes;
  const bool messages = markup::has_messages(options_.markup) && placeholders_.has_builtin();
  if (options_.markup == Markup::kHtml || messages) codes = codes_of(document);
  for (Block& block : document.blocks) {
    hide_placeholders(block, document.has_dollars, codes);
    pending.joined = pending.joined || !block.text.objects.empty();
    const auto forms = [&](const markup::Object& object) {
      const bool note = options_.markup == Markup::kXliff && object.raw.starts_with('<');  // <x equiv-text="{n, ...}"/>
      return !note && (formats::has_icu_forms(object.raw) || formats::has_wiki_forms(object.raw));
    };
    if (std::ranges::any_of(block.text.objects, forms)) pending.findings.push_back({Warning::kForms, block.line});
    cutting.escape = escape_of(block.escaping);
    CutText cut = cut_text(block.text, cutting);
    if (options_.markup == Markup::kAndroid) escape_first_gap(block, cut);
    if (options_.markup == Markup::kMarkdown || options_.markup == Markup::kAndroid || document.writer) {
      pending.blocks.push_back(markdown_block(block, cut, pending.cut));
    }
    set_origin(block, cut.segments);
    if (pending.cut.segments.empty()) pending.cut.segments.reserve(cut.segments.size());
    std::string& kept = pending.cut.after;
    kept += block.before;
    for (Segment& segment : cut.segments) {
      segment.before = std::exchange(kept, {}) + segment.before;
      pending.cut.segments.push_back(std::move(segment));
    }
    kept += cut.after;
  }
  pending.beside = std::move(document.beside);
  pending.after_blocks = document.after;
  pending.cut.after += document.after;
  pending.masked.reserve(pending.cut.segments.size());
  for (const Segment& segment : pending.cut.segments) pending.masked.push_back(mask(segment.sentence, copied_words_));
  pending.most_context = static_cast<size_t>(translator_.context());
  pending.before = sentences_before(request);
  // Prefixes and phrases of a request have letters of their own.
  if (request.prefix.empty() && request.phrases.empty()) pending.recased = recaser_.change(pending.masked);
  if (!pending.joined && !pending.recased.empty()) pending.request.text = pending.masked.front().text;
  find_source_warnings(pending);
  return pending;
}

/// The context of a request, sentence by sentence if sentences are translated alone.
std::vector<std::string> DocumentTranslator::sentences_before(const Request& request) const {
  if (translator_.context() == 0) return {};
  std::vector<std::string> sentences;
  for (const std::string& text : request.context) {
    const std::vector<ByteRange> whole{{0, text.size()}};
    for (const ByteRange& range : options_.splits() ? splitter_.split(text) : whole) {
      sentences.push_back(recaser_.context(text.substr(range.begin, range.end - range.begin)));
    }
  }
  return sentences;
}

/// The last sentences before that with this number, the oldest first.
std::vector<std::string> DocumentTranslator::context_of(const Pending& pending, size_t number) {
  std::vector<std::string> context;
  const size_t own = std::min({number, pending.most_context, pending.masked.size()});
  const size_t others = std::min(pending.most_context - own, pending.before.size());
  context.assign(pending.before.end() - static_cast<std::ptrdiff_t>(others), pending.before.end());
  for (size_t i = number - own; i < number; ++i) context.push_back(pending.masked[i].text);
  return context;
}

void DocumentTranslator::find_source_warnings(Pending& pending) const {
  if (guards_) pending.sources.reserve(pending.cut.segments.size());
  for (size_t i = 0; i < pending.cut.segments.size(); ++i) {
    const Segment& segment = pending.cut.segments[i];
    const auto warn = [&](Warning warning) { pending.findings.push_back({warning, segment.line}); };
    if (segment.part) warn(Warning::kLongSentence);
    if (!guards_) continue;
    const std::string& text = pending.masked[i].text;
    const auto is_sentence = [&](ByteRange range) {
      return !text::is_blank(std::string_view(text).substr(range.begin, range.end - range.begin));
    };
    if (!options_.splits() && std::ranges::count_if(splitter_.split(text), is_sentence) > 1) {
      warn(Warning::kSeveralSentences);
    }
    pending.sources.push_back(guards_->of_source(text));
    for (const Warning warning : pending.sources.back().warnings) warn(warning);
  }
}

void DocumentTranslator::hide_placeholders(Block& block, bool has_dollars, const BracketCodes& codes) const {
  std::vector<ByteRange> found;
  MarkedText& text = block.text;
  // In messages of other formats, this was done when they were read.
  const bool message = options_.markup == Markup::kAndroid || options_.markup == Markup::kXliff;
  const bool html = markup::is_xml(options_.markup) && has_html_as_text(text);
  const bool plain = text.marks.empty() && text.objects.empty() && block.placeholders.empty();
  if ((message || html) && plain) text.text = formats::with_letters(text.text, found);
  const bool tex =
      options_.markup == Markup::kHtml || options_.markup == Markup::kXml || options_.markup == Markup::kEpub;
  if (tex) found = markup::tex_formulas(text.text, {.dollars = has_dollars, .brackets = true});
  const markup::Escape& escape = escape_of(block.escaping);
  try {
    const bool inside = !markup::is_of_document(block.escaping);  // it can have shortcodes and names of emoji
    if (!options_.kept().empty() || inside || html) {
      found = placeholders_.find(text.text, found);
    } else if (options_.markup != Markup::kNone && options_.markup != Markup::kMarkdown) {  // which finds its own
      found = with_those_of_format(markup::find_addresses(text.text), found);
    }
    const bool shortcodes = options_.markup == Markup::kHtml || !codes.empty();
    if (shortcodes) found = with_those_of_format(found, markup::shortcodes_in(text.text, codes));
    found = with_those_of_format(std::move(found), block.placeholders);
  } catch (const SlowExpression& slow) {
    if (options_.markup == Markup::kNone) throw;
    fail<SlowExpression>("line ", block.line, ": ", slow.what());
  }
  // Tags that are text, as escapes in XML write them, stay around words as those of a document do.
  const bool has_tags = options_.markup != Markup::kMarkdown && text.marks.empty() && text.objects.empty();
  if (!has_tags || !mark_tags(text, found, escape)) found = joined(with_bracketed_words(text.text, found));
  found = with_directional_signs(text, with_own_signs(text, std::move(found)));
  text.hide(found, escape);
  text.hide(padding_of(text), escape);
  const bool markdown = options_.markup == Markup::kMarkdown && markup::is_of_document(block.escaping);
  text.hide(addresses_with_values(text), markdown ? outside_schemes(escape) : escape);
  text.hide(joined_by_signs(text), escape);
  text.hide(formulas_with_indices(text), escape);
  text.hide(values_with_units(text), escape);
  text.hide(codes_with_endings(text), escape);
  text.hide_pairs_of_objects(escape);
  text.hide_pairs_of_signs(escape);
  if (options_.markup != Markup::kNone || options_.split_sentences || options_.places()) {
    // In Markdown, a dash at the beginning is a text only behind a backslash.
    text.hide_leading_signs(
        [&](std::string_view signs) { return markup::escape_start(escape(signs), block.before, options_.markup); });
  }
  if (!options_.places()) return;
  text.hide(unknown_symbols(text.text, translator_.source_tokenizer(), translator_.target_tokenizer()), escape);
}

/// The request to the translator with this number, from 0. The last one has the bytes of the text.
Request DocumentTranslator::request_of(const Pending& pending, size_t number) {
  const bool last = number + 1 == pending.requests();
  const bool blank = pending.joined && pending.cut.segments.empty();
  const Request& whole = pending.request;
  return {blank            ? ""
          : pending.joined ? pending.masked[number].text
                           : whole.text,
          whole.prefix,
          last ? whole.bytes : 0,
          whole.phrases,
          whole.source_language,
          whole.target_language,
          context_of(pending, number),
          pending.as_written(number)};
}

DocumentTranslator::Text DocumentTranslator::begin(const Request& request, MarkedDocument document) const {
  Pending pending = prepare(request, std::move(document));
  Text text;
  for (size_t i = 0; i < pending.requests(); ++i) text.requests_.push_back(request_of(pending, i));
  text.pending_ = std::make_shared<const Pending>(std::move(pending));
  return text;
}

Answer DocumentTranslator::finish(const Text& text, std::vector<Translation> translations) const {
  Pending pending = *text.pending_;
  pending.translations = std::move(translations);
  return answer(pending);
}

/// Turns texts into requests, and translations into answers.
class DocumentTranslator::Run {
 public:
  Run(const DocumentTranslator& translator, const translation::Translator::Source& source, const Sink& sink)
      : translator_(translator), source_(source), sink_(sink) {}

  bool next(Request& request) {
    if (!has_more()) {
      Request text;
      if (!source_(text)) return false;
      waiting_.push_back(translator_.prepare(text, translator_.read(text.text)));
    }
    Pending& newest = waiting_.back();
    request = request_of(newest, newest.asked++);
    return true;
  }

  /// Whether a text is not asked for completely.
  bool has_more() const { return !waiting_.empty() && waiting_.back().asked < waiting_.back().requests(); }

  void take(const Translation& translation) {
    Pending& oldest = waiting_.front();
    if (oldest.translations.empty()) oldest.translations.reserve(oldest.requests());
    oldest.translations.push_back(translation);
    if (oldest.translations.size() < oldest.requests()) return;
    const auto is_blank = [](const MaskedText& masked) { return masked.words.empty() && text::is_blank(masked.text); };
    const bool empty = std::ranges::all_of(oldest.masked, is_blank);
    const Answer answer = translator_.answer(oldest);
    counts_.add(answer.translation, empty);
    waiting_.pop_front();
    sink_(answer);
  }

  const translation::TranslationCounts& counts() const { return counts_; }

 private:
  const DocumentTranslator& translator_;
  const translation::Translator::Source& source_;
  const Sink& sink_;
  std::deque<Pending> waiting_;
  translation::TranslationCounts counts_;
};

uint64_t DocumentTranslator::requests(const translation::Request& request) const {
  const bool one = !options_.split_sentences && options_.markup == Markup::kNone;
  return one ? 1 : prepare(request, read(request.text)).requests();
}

translation::TranslationCounts DocumentTranslator::run(const translation::Translator::Source& source,
                                                       const translation::Translator::Ready& ready, const Sink& sink,
                                                       const translation::Translator::Watch& watch,
                                                       uint64_t first) const {
  Run run(*this, source, sink);
  const translation::TranslationCounts of_sentences =
      translator_.run([&](Request& request) { return run.next(request); }, [&] { return run.has_more() || ready(); },
                      [&](const Translation& translation) { run.take(translation); }, watch, first);
  translation::TranslationCounts counts = run.counts();
  counts.workspace_tokens = of_sentences.workspace_tokens;
  return counts;
}

}  // namespace ventris::documents
