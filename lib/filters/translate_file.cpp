#include "filters/translate_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "core/process.h"
#include "filters/file_progress.h"
#include "filters/resumable_output.h"
#include "text/line_reader.h"
#include "text/line_sequence.h"
#include "translation/batches.h"

namespace ventris::filters {
namespace {

constexpr size_t kLongestDocument = 64 << 20;  // bytes
constexpr int64_t kMostNamed = 20;  // phrases that are not as wished; more are only counted
constexpr size_t kLongestJson = 64 << 20;  // bytes of a line; a cut line would not be JSON

using core::plural;

void report_cut(const translation::TranslationCounts& counts) {
  const int64_t cut = counts.source_cut;
  if (cut == 0) return;
  std::string warning = fmt::format("{} {} had more tokens than allowed and {} cut (first: line {})", cut,
                                    plural(cut, "line"), cut == 1 ? "was" : "were", counts.first_source_cut);
  if (counts.workspace_tokens > 0) {
    warning +=
        fmt::format("; the workspace has room for {} tokens, a larger --workspace for more", counts.workspace_tokens);
  }
  core::log_warning(warning);
}

void report(const translation::TranslationCounts& counts, const documents::WarningCounts& warnings, int64_t sentences,
            double seconds) {
  report_cut(counts);
  if (counts.truncated > 0) {
    core::log_warning(fmt::format("{} {} reached the maximum length and {} cut (first: line {})", counts.truncated,
                                  plural(counts.truncated, "translation"), counts.truncated == 1 ? "was" : "were",
                                  counts.first_truncated));
  }
  for (const std::string& warning : warnings.sentences()) core::log_warning(warning);
  core::log_info(fmt::format("{} {} ({} empty) in {:.2f} s, {} sentences/s, {} target tokens/s", counts.lines,
                             plural(counts.lines, "line"), counts.empty, seconds, core::rate_text(sentences, seconds),
                             core::rate_text(counts.target_tokens, seconds)));
}

/// Reads the lines of the input with their prefixes and phrases, and writes the results in the output format.
class Exchange {
 public:
  explicit Exchange(const TranslateSettings& settings)
      : settings_(settings), input_(settings.input, reading(settings)), output_(settings) {
    if (!settings.force_prefix.empty()) prefixes_.emplace(settings.force_prefix, reading(settings));
  }

  bool next(translation::Request& request) {
    const int64_t before = input_.counts().bytes;
    const bool more = is_document() ? next_document(request.text) : input_.next(request.text);
    request.bytes = input_.counts().bytes - before;
    if (prefixes_ && prefixes_->next(request.prefix) != more) {
      fail<DataError>("line counts differ: ", input_.path(), " has ", input_.counts().lines, " lines so far, ",
                      prefixes_->path(), " ", prefixes_->counts().lines,
                      "; --force-prefix needs one line for each input line");
    }
    if (more && settings_.input_format == InputFormat::kJsonl) {
      const std::string where = input_.path() + ":" + std::to_string(input_.counts().lines);
      if (input_.counts().too_long > 0) fail<DataError>(where, ": over ", kLongestJson >> 20, " MiB; split the line");
      const auto fields = settings_.constraints ? JsonFields::kTextPhrases : JsonFields::kText;
      // A document in a line of text output cannot have line ends.
      const bool kept =
          settings_.document.markup != markup::Markup::kNone && settings_.written.format == OutputFormat::kJsonl;
      const LineEnds ends = kept ? LineEnds::kKept : LineEnds::kSpaces;
      waiting_.push_back({JsonLine::parse(request.text, where, fields, ends), request.bytes});
      waiting_bytes_ += request.bytes;
      const JsonLine& line = waiting_.back().line;
      request.text = line.text;
      request.phrases = line.phrases;
      if (line.cut && cut_++ == 0) first_cut_ = input_.counts().lines;
    }
    return more;
  }

  /// Skips the lines that an earlier run has finished; how many requests they were, each counted by `requests`.
  uint64_t skip_finished(const std::function<uint64_t(const translation::Request&)>& requests) {
    uint64_t skipped = 0;
    translation::Request request;
    for (; number_ < output_.finished(); ++number_) {
      if (!next(request)) {
        fail<DataError>(input_.path(), ": has ", number_, " lines, but an earlier run has written ", output_.finished(),
                        "; somebody changed what it left, remove that to start with line 1");
      }
      skipped += requests(request);
      waiting_.clear();
      waiting_bytes_ = 0;
    }
    return skipped;
  }

  /// What was skipped.
  text::FileSize before() const { return {output_.finished(), number_ > 0 ? input_.counts().bytes : 0}; }

  void answer(const documents::Answer& answer) {
    const int64_t number = number_++;
    warnings_.add(answer.findings, number + 1);
    sentences_ += answer.segments;
    note_unmet(answer.translation.candidates.front().unmet, number);
    if (waiting_.empty()) {
      output_.write(format_answer(answer, settings_.written, number));
    } else {
      const auto& [line, bytes] = waiting_.front();
      documents::Answer whole = answer;
      whole.translation.source_cut = whole.translation.source_cut || line.cut;
      output_.write(format_answer(whole, settings_.written, number, line));
      waiting_bytes_ -= bytes;
      waiting_.pop_front();
    }
  }

  /// Also returns false if enough lines are in memory, so that waiting lines are processed first.
  bool ready() {
    return waiting_bytes_ < translation::kMostWindowBytes && input_.ready() && (!prefixes_ || prefixes_->ready());
  }
  void commit() { output_.commit(); }

  /// Keeps the written lines after an error of writing, and returns the exception to throw.
  WriteError failed(const WriteError& error) { return output_.failed(error); }

  /// Keeps the written lines after a signal, and returns the exception to throw.
  Interrupted stopped(int signal) { return output_.stopped(number_, signal); }

  void warn() const {
    text::warn_about(input_);
    if (cut_ > 0) {
      core::log_warning(fmt::format("{}: {} of {} texts are over 1 MiB (the first is in line {}) and were cut",
                                    input_.path(), cut_, input_.counts().lines, first_cut_));
    }
    if (prefixes_) text::warn_about(*prefixes_);
    for (const std::string& unmet : unmet_) core::log_warning(unmet);
    const auto named = static_cast<int64_t>(unmet_.size());
    if (unmet_count_ > named) {
      core::log_warning(fmt::format("{} more {} as wished; --format jsonl names all under \"unmet\"",
                                    unmet_count_ - named,
                                    unmet_count_ - named == 1 ? "phrase is not" : "phrases are not"));
    }
  }
  /// Where the text that was read last is.
  std::string place_of_text() const {
    return input_.path() + (is_document() ? "" : ":" + std::to_string(input_.counts().lines));
  }
  const std::string& prefix_path() const { return prefixes_->path(); }
  const documents::WarningCounts& warnings() const { return warnings_; }
  int64_t sentences() const { return sentences_; }  ///< that were translated

 private:
  struct Waiting {
    JsonLine line;
    int64_t bytes;
  };

  /// `number`: of the text's first line, from 0.
  void note_unmet(const std::vector<phrases::Unmet>& all, int64_t number) {
    for (const phrases::Unmet& unmet : all) {
      if (unmet_count_++ >= kMostNamed) continue;
      unmet_.push_back(fmt::format("line {}: {}", number + unmet.line, phrases::sentence_about(unmet)));
    }
  }

  /// Whether the whole input is one text.
  bool is_document() const {
    return settings_.document.markup != markup::Markup::kNone && settings_.input_format == InputFormat::kText;
  }
  bool next_document(std::string& text) {
    text.clear();
    std::string line;
    for (bool first = true; input_.next(line); first = false) {
      text += (first ? "" : "\n") + line;
      if (text.size() > kLongestDocument) {
        fail<DataError>(input_.path(), ": over ", kLongestDocument >> 20, " MiB; split the document");
      }
    }
    return std::exchange(document_left_, false) && !text.empty();
  }

  static text::LineReaderOptions reading(const TranslateSettings& settings) {
    text::LineReaderOptions options;
    options.strict = settings.strict;
    if (settings.input_format == InputFormat::kJsonl) {
      options.max_bytes = kLongestJson;
    } else if (settings.document.markup != markup::Markup::kNone) {
      options.max_bytes = 2 * kLongestDocument;  // next_document() refuses it before a line is cut
    }
    return options;
  }

  const TranslateSettings& settings_;
  text::LineReader input_;
  std::optional<text::LineReader> prefixes_;
  ResumableOutput output_;
  std::deque<Waiting> waiting_;  // lines that were read but have no result yet
  int64_t waiting_bytes_ = 0;
  documents::WarningCounts warnings_;
  std::vector<std::string> unmet_;  // sentences about the first kMostNamed
  int64_t unmet_count_ = 0;
  bool document_left_ = true;  // the input is a document, and was not read yet
  int64_t number_ = 0, sentences_ = 0;
  int64_t cut_ = 0, first_cut_ = 0;  // how many texts were cut, and the line of the first
};

}  // namespace

translation::TranslationCounts translate_file(const TranslateSettings& settings, const model::Package& package,
                                              const LoadScorers& load) {
  const double started = core::seconds_now();
  Exchange exchange(settings);
  translation::TranslatorOptions options = settings.translator;
  options.phrases = settings.constraints;
  if (!settings.terms.empty()) options.terms = std::make_shared<const phrases::TermList>(settings.terms);
  const translation::Translator translator(package, load(), documents::translator_options(settings.document, options));
  const documents::DocumentTranslator documents(translator, settings.document);
  translation::TranslationCounts counts;
  try {
    const uint64_t first =
        exchange.skip_finished([&](const translation::Request& request) { return documents.requests(request); });
    const auto progress = file_progress("translating", {settings.input}, settings.output);
    if (progress) progress->skip(exchange.before());
    translation::Translator::Watch watch;
    if (progress) watch = [&](const translation::DoneLine& line) { progress->done(line); };
    counts = documents.run([&](translation::Request& request) { return exchange.next(request); },
                           [&] { return exchange.ready(); },
                           [&](const documents::Answer& answer) { exchange.answer(answer); }, watch, first);
    exchange.commit();
  } catch (const translation::PrefixError& error) {
    fail<DataError>(exchange.prefix_path(), ": ", error.what());
  } catch (const markup::MarkupError& error) {
    fail<DataError>(exchange.place_of_text(), ": ", error.what());
  } catch (const WriteError& error) {
    throw exchange.failed(error);
  } catch (const Interrupted& stop) {
    throw exchange.stopped(stop.signal);
  }
  exchange.warn();
  for (int64_t* line : {&counts.first_source_cut, &counts.first_truncated}) {
    if (*line > 0) *line += exchange.before().lines;
  }
  report(counts, exchange.warnings(), exchange.sentences(), core::seconds_now() - started);
  return counts;
}

}  // namespace ventris::filters
