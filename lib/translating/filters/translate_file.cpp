#include "filters/translate_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "core/ascii.h"
#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "core/process.h"
#include "files/output_name.h"
#include "filters/document_bytes.h"
#include "filters/file_progress.h"
#include "filters/open_translation.h"
#include "filters/resumable_output.h"
#include "filters/shard.h"
#include "filters/translation_report.h"
#include "formats/document_hint.h"
#include "formats/document_text.h"
#include "formats/format_table.h"
#include "text/line_reader.h"
#include "text/line_sequence.h"
#include "text/valid_utf8.h"
#include "translation/window_batches.h"

namespace ventris::filters {
namespace {

using core::plural;

void report(const translation::TranslationCounts& counts, const TranslationReport& report, double seconds) {
  for (const std::string& warning : report.warnings()) core::log_warning(warning);
  core::log_info(fmt::format("{} {} ({} empty) in {:.2f} s, {} sentences/s, {} target tokens/s", counts.lines,
                             plural(counts.lines, "line"), counts.empty, seconds,
                             core::rate_text(report.sentences(), seconds),
                             core::rate_text(counts.target_tokens, seconds)));
}

/// Whether the whole input is one text.
bool is_one_document(const TranslateSettings& settings) {
  return settings.document.markup != markup::Markup::kNone && settings.input_format == InputFormat::kText;
}

/// Whether it is, and is read and written byte for byte.
bool is_kept_document(const TranslateSettings& settings) {
  return is_one_document(settings) && markup::keeps_bytes(settings.document.markup);
}

/// `texts_before`: becomes the number of texts before those of the reader; `needs_mark`: that of a document, when it is
/// read (markup::DecodedDocument).
text::LineReader open_input(const TranslateSettings& settings, Losses& losses, int64_t& texts_before,
                            bool& needs_mark) {
  const text::LineReaderOptions options = reading_options(settings);
  if (!parse_shard(settings.shard).is_whole()) {
    ShardLines shard = open_shard(settings);
    texts_before = shard.texts_before;
    return std::move(shard.reader);
  }
  if (!is_one_document(settings) || is_kept_document(settings)) return text::LineReader(settings.input, options);
  const auto note = [&losses, &needs_mark](const markup::DecodedDocument& document) {
    needs_mark = document.needs_mark;
    if (document.replaced.count() > 0) {
      losses.add("bytes that the encoding does not have, which became U+FFFD", document.replaced);
    }
  };
  return {settings.input, document_bytes(settings.input, settings.document.markup, note), options};
}

/// The text with CR LF at the ends of its lines.
std::string with_carriage_returns(std::string_view text) {
  std::string lines;
  for (const char c : text) {
    if (c == '\n' && !lines.ends_with('\r')) lines += '\r';
    lines += c;
  }
  return lines;
}

/// Reads the lines of the input with their prefixes and phrases, and writes the results in the output format.
class Exchange {
 public:
  /// `languages`: whether JSON lines may have languages of their own.
  Exchange(const TranslateSettings& settings, bool languages)
      : settings_(settings),
        fields_{settings.constraints, languages, settings.translator.context > 0},
        input_(open_input(settings, report_.losses(), first_, needs_mark_)),
        output_(settings),
        number_(first_) {
    if (is_kept_document(settings)) bytes_ = document_bytes(settings.input, settings.document.markup, {});
    if (!settings.force_prefix.empty()) prefixes_.emplace(settings.force_prefix, reading_options(settings));
  }

  bool next(translation::Request& request) {
    const int64_t before = input_.counts().bytes;
    const bool more = is_document() ? next_document(request.text) : next_line(request.text);
    request.bytes = bytes_ ? static_cast<int64_t>(request.text.size()) : input_.counts().bytes - before;
    report_.losses().add_cut(input_);
    texts_ += more ? 1 : 0;
    if (prefixes_ && prefixes_->next(request.prefix) != more) fail_with_counts();
    if (prefixes_) report_.losses().add_cut(*prefixes_);
    if (more && has_context_of_lines()) take_context(request);
    if (more && !is_document()) output_.read(request.text, request.prefix);
    if (more && settings_.input_format == InputFormat::kJsonl) {
      const std::string where = input_.path() + ":" + std::to_string(input_.counts().lines);
      if (input_.counts().too_long > 0) fail<DataError>(where, ": over ", kLongestJson >> 20, " MiB; split the line");
      // A text in a line of text output cannot have line ends.
      const bool several = settings_.document.markup != markup::Markup::kNone || settings_.document.split_sentences;
      const bool kept = several && settings_.written.format == OutputFormat::kJsonl;
      const LineEnds ends = kept ? LineEnds::kKept : LineEnds::kSpaces;
      waiting_.push_back({JsonLine::parse(request.text, where, fields_, ends, longest_text(settings_)), request.bytes,
                          input_.counts().lines});
      waiting_bytes_ += request.bytes;
      const JsonLine& line = waiting_.back().line;
      request.text = line.text;
      request.phrases = line.phrases;
      request.source_language = line.source_language;
      request.target_language = line.target_language;
      request.context = line.context;
      if (line.cut) note_cut_text();
      if (line.replaced) note_replaced();
    }
    return more;
  }

  /// Skips the lines that an earlier run has finished; how many requests they were, each counted by `requests`, with
  /// those of the lines before the shard.
  uint64_t skip_finished(const std::function<uint64_t(const translation::Request&)>& requests) {
    auto skipped = static_cast<uint64_t>(first_);
    translation::Request request;
    for (; finished() < output_.finished(); ++number_) {
      if (!next(request)) {
        fail<DataError>(input_.path(), ": has ", finished(), " ", plural(finished(), kind_of_text()),
                        ", but an earlier run has written ", output_.finished(),
                        "; somebody changed what it left, remove that to start with line 1");
      }
      skipped += requests(request);
      output_.skip();
      waiting_.clear();
      waiting_bytes_ = 0;
    }
    return skipped;
  }

  /// What was skipped.
  text::FileSize before() const { return {output_.finished(), finished() > 0 ? input_.counts().bytes : 0}; }

  void answer(const documents::Answer& answer) {
    const int64_t number = number_++, lines_before = waiting_.empty() ? number : waiting_.front().line_number - 1;
    report_.add(answer, lines_before,
                is_document() ? TranslationReport::Lines::kOfText : TranslationReport::Lines::kTexts);
    if (bytes_ && settings_.written.format == OutputFormat::kText && !settings_.written.word_scores) {
      output_.write(answer.translation.text());
    } else if (is_document() && settings_.written.format == OutputFormat::kText) {
      std::string text = format_answer(answer, settings_.written, number);
      if (has_carriage_returns()) text = with_carriage_returns(text);
      if (needs_mark_ && !core::is_ascii(text)) text.insert(0, formats::kByteOrderMark);
      output_.write(text);
    } else if (waiting_.empty()) {
      output_.write(format_answer(answer, settings_.written, number));
    } else {
      const auto& [line, bytes, line_number] = waiting_.front();
      documents::Answer whole = answer;
      whole.translation.source_cut = whole.translation.source_cut || line.cut;
      output_.write(format_answer(whole, settings_.written, number, line));
      waiting_bytes_ -= bytes;
      waiting_.pop_front();
    }
  }

  /// Also returns false if enough lines are in memory, so that waiting lines are processed first.
  bool ready() {
    if (bytes_ && !document_left_) return true;
    return waiting_bytes_ < translation::kMostWindowBytes && input_.ready() && (!prefixes_ || prefixes_->ready());
  }
  void commit() { output_.commit(); }

  /// Where any other exception is handled, which goes on from here: keeps the written lines, and says where they are.
  [[noreturn]] void fail_with_lines() { output_.fail_with_lines(finished()); }

  /// Keeps the written lines after a signal, and returns the exception to throw.
  Interrupted stopped(int signal) { return output_.stopped(finished(), signal); }

  void warn() const {
    text::warn_about(input_);
    if (cut_ > 0) {
      core::log_warning(fmt::format("{}: {} of {} texts are over {} MiB (the first is in line {}) and were cut",
                                    input_.path(), cut_, texts_, longest_text(settings_) >> 20, first_cut_));
    }
    if (blank_.count() > 0) {
      core::log_warning(fmt::format("{}: {} blank {} {} skipped ({}); expected one JSON object per line", input_.path(),
                                    blank_.count(), plural(blank_.count(), "line"),
                                    blank_.count() == 1 ? "was" : "were", blank_.text()));
    }
    if (replaced_.count() > 0) {
      core::log_warning(fmt::format("{}: {} {} half a surrogate pair, such as \\ud800, which became U+FFFD ({})",
                                    input_.path(), replaced_.count(),
                                    replaced_.count() == 1 ? "line has" : "lines have", replaced_.text()));
    }
    if (prefixes_) text::warn_about(*prefixes_);
  }
  /// Where the text that was read last is.
  std::string place_of_text() const {
    return input_.path() + (is_document() ? "" : ":" + std::to_string(input_.counts().lines));
  }
  const std::string& prefix_path() const { return prefixes_->path(); }
  TranslationReport& report() { return report_; }

 private:
  struct Waiting {
    JsonLine line;
    int64_t bytes, line_number;  // in the file, from 1
  };

  /// What one line of output is of; blank JSON lines are no texts.
  const char* kind_of_text() const { return settings_.input_format == InputFormat::kJsonl ? "text" : "line"; }

  [[noreturn]] void fail_with_counts() const {
    const bool json = settings_.input_format == InputFormat::kJsonl;
    const int64_t prefixes = prefixes_->counts().lines;
    fail<DataError>("line counts differ: ", input_.path(), " has ", json ? texts_ : input_.counts().lines, " ",
                    plural(json ? texts_ : input_.counts().lines, kind_of_text()), " so far, ", prefixes_->path(), " ",
                    prefixes, " ", plural(prefixes, "line"), "; force_prefix needs one line for each ",
                    json ? "text" : "input line");
  }

  void note_cut_text() {
    if (cut_++ == 0) first_cut_ = input_.counts().lines;
    const std::string limit = std::to_string(longest_text(settings_) >> 20) + " MiB";
    report_.losses().add(input_.path() + ": a text over " + limit + ", cut", input_.counts().lines);
  }
  void note_replaced() {
    replaced_.add(input_.counts().lines);
    report_.losses().add(input_.path() + ": half a surrogate pair, which became U+FFFD", input_.counts().lines);
  }
  /// Whether the lines before a line are its context.
  bool has_context_of_lines() const {
    return settings_.translator.context > 0 && settings_.input_format == InputFormat::kText && !is_document();
  }
  /// Gives a line those before it in its document, which a blank line ends.
  void take_context(translation::Request& request) {
    request.context.assign(before_.begin(), before_.end());
    if (text::is_blank(request.text)) return before_.clear();
    before_.push_back(request.text);
    if (std::ssize(before_) > settings_.translator.context) before_.pop_front();
  }
  /// How many texts have their answers.
  int64_t finished() const { return number_ - first_; }
  bool is_document() const { return is_one_document(settings_); }
  /// Whether at least half of the lines of the input end with CR LF.
  bool has_carriage_returns() const {
    const text::LineCounts& counts = input_.counts();
    return counts.carriage_returns > 0 && 2 * counts.carriage_returns >= counts.lines - counts.before;
  }
  /// Says once if the first two lines are those of a document.
  void note_document(const std::string& line) {
    const int64_t number = input_.counts().lines;
    if (number > 2 || (number == 2 && !first_line_)) return;
    const std::string flag = number == 1 ? formats::flag_for(line, "") : formats::flag_for(*first_line_, line);
    first_line_.reset();
    if (flag.empty() && number == 1) first_line_ = line;
    if (flag.empty()) return;
    core::log_warning(input_.path() + " does not look like lines of text, but is read as such; give " + flag +
                      " so that everything but its texts stays");
  }
  /// A blank line among JSON lines has no text; it is skipped.
  bool next_line(std::string& text) {
    while (input_.next(text)) {
      if (settings_.input_format == InputFormat::kText && !settings_.markup_given) note_document(text);
      if (settings_.input_format != InputFormat::kJsonl || !text::is_blank(text)) return true;
      blank_.add(input_.counts().lines);
    }
    return false;
  }
  bool next_document(std::string& text) {
    text.clear();
    if (bytes_) {
      text = bytes_->next_block();
      return std::exchange(document_left_, false) && !text.empty();
    }
    std::string line;
    for (bool first = true; input_.next(line); first = false) {
      text += (first ? "" : "\n") + line;
      if (text.size() > markup::kLongestDocument) {
        fail<DataError>(input_.path(), ": over ", markup::kLongestDocument >> 20, " MiB; split the document");
      }
    }
    return std::exchange(document_left_, false) && !text.empty();
  }

  const TranslateSettings& settings_;
  JsonFields fields_;
  TranslationReport report_;
  bool needs_mark_ = false;  // of a document
  int64_t first_ = 0;  // the number of the first text, counted from 0; over 0 for a shard
  std::optional<std::string> first_line_;  // if the second one may show that it is a document
  text::LineReader input_;
  std::unique_ptr<text::ByteSource> bytes_;  // of a kept document, instead of the lines of input_
  std::optional<text::LineReader> prefixes_;
  ResumableOutput output_;
  std::deque<Waiting> waiting_;  // lines that were read but have no result yet
  int64_t waiting_bytes_ = 0;
  int64_t texts_ = 0;  // that were read
  std::deque<std::string> before_;  // the last lines of the document, if they are context
  bool document_left_ = true;  // the input is a document, and was not read yet
  int64_t number_ = 0;  // of the next answer
  core::FirstLines blank_, replaced_;  // JSON lines
  int64_t cut_ = 0, first_cut_ = 0;  // how many texts were cut, and the line of the first
};

/// Translates all lines that an earlier run has not finished. Errors in a text get the name of its file.
translation::TranslationCounts translate(const TranslateSettings& settings,
                                         const documents::DocumentTranslator& documents, Exchange& exchange) {
  try {
    const uint64_t first =
        exchange.skip_finished([&](const translation::Request& request) { return documents.requests(request); });
    const bool whole = parse_shard(settings.shard).is_whole();  // the length of a part is not known
    const auto progress = whole ? file_progress("translating", {settings.input}, settings.output) : nullptr;
    if (progress) progress->skip(exchange.before());
    translation::Translator::Watch watch;
    if (progress) watch = [&](const translation::DoneLine& line) { progress->done(line); };
    return documents.run([&](translation::Request& request) { return exchange.next(request); },
                         [&] { return exchange.ready(); },
                         [&](const documents::Answer& answer) { exchange.answer(answer); }, watch, first);
  } catch (const translation::PrefixError& error) {
    fail<DataError>(exchange.prefix_path(), ": ", error.what());
  } catch (const translation::LanguageError& error) {
    fail<DataError>(exchange.place_of_text(), ": ", error.what());
  } catch (const translation::UntoldLanguage& error) {
    if (settings.input_format != InputFormat::kJsonl) throw;
    fail<DataError>(exchange.place_of_text(), ": ", error.what(), "; give it here, or as a setting");
  } catch (const markup::MarkupError& error) {
    const std::string note = settings.markup_note();
    fail<DataError>(exchange.place_of_text(), ": ", error.what(), note.empty() ? "" : " (" + note + ")");
  } catch (const documents::SlowExpression& error) {
    fail<DataError>(exchange.place_of_text(), ": ", error.what());
  }
}

/// Beams in which the words of terms leave no room for the rest of a translation.
void warn_of_small_beam(const TranslateSettings& settings, bool required) {
  constexpr int32_t kLeast = 5;
  const int32_t beam = settings.translator.search.beam_size;
  if (!required || beam <= 1 || beam >= kLeast) return;  // 1 is refused
  core::log_warning(
      fmt::format("terms: with a beam of {}, translations that must have a term are often bad; give "
                  "--beam-size {} or more",
                  beam, kLeast));
}

/// A zip file whose output has the ending of another kind of file.
void warn_of_other_ending(const TranslateSettings& settings) {
  if (!is_one_document(settings) || !markup::is_package(settings.document.markup) || settings.output == "-") return;
  const formats::FileFormat* ending = formats::format_of_file(settings.output);
  const bool other =
      ending != nullptr ? ending->markup != settings.document.markup : !formats::unread_kind(settings.output).empty();
  if (!other) return;
  core::log_warning(settings.output + " will be a document in the format of the input, " + settings.input +
                    ", and not what its ending says");
}

}  // namespace

translation::TranslationCounts translate_file(const TranslateSettings& settings, const model::Package& package,
                                              const LoadScorers& load) {
  const double started = core::seconds_now();
  files::check_is_no_input(settings.output, {settings.input, settings.force_prefix, settings.terms});
  files::check_is_no_input(settings.output, documents::placeholder_files(settings.document.placeholders));
  Exchange exchange(settings, !package.config.tokenizer.languages.empty());
  translation::TranslatorOptions options = options_of(settings);  // reads the list of terms
  options.search.log_probs = options.finish.tokens = settings.written.writes_scores();
  const translation::Translator translator(package, load(), options);
  warn_of_small_beam(settings, translator.requires_terms());
  const documents::DocumentTranslator documents(translator, settings.document);
  translation::TranslationCounts counts;
  if (!is_one_document(settings)) text::announce_terminal(settings.input);
  if (!settings.named_markup.empty()) core::log_info(settings.markup_note());
  warn_of_other_ending(settings);
  try {
    counts = translate(settings, documents, exchange);
    exchange.commit();
  } catch (const Interrupted& stop) {
    throw exchange.stopped(stop.signal);
  } catch (...) {
    exchange.fail_with_lines();
  }
  exchange.warn();
  exchange.report().set_workspace_tokens(counts.workspace_tokens);
  report(counts, exchange.report(), core::seconds_now() - started);
  if (!settings.document.format.keys.empty() && exchange.report().sentences() == 0) {
    core::log_warning("translate_keys: nothing was translated, because no text has one of the keys " +
                      settings.document.format.keys);
  }
  if (settings.strict) exchange.report().losses().fail_if_any();
  return counts;
}

}  // namespace ventris::filters
