#include "translation/translate_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/process.h"
#include "core/progress.h"
#include "text/line_reader.h"

namespace ventris::translation {
namespace {

/// Whether a progress line would stand in nobody's way: neither typing nor results are on the terminal, nor is the
/// input slow to come.
bool is_batch_job(const TranslateSettings& settings) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(settings.input, ignored) &&
         (settings.output != "-" || !core::stdout_is_terminal());
}

std::unique_ptr<core::Progress> make_progress(const TranslateSettings& settings) {
  if (!core::shows_progress() || !is_batch_job(settings)) return nullptr;
  const auto lines = static_cast<double>(text::count_lines(settings.input));
  return std::make_unique<core::Progress>("translating", "lines", lines);
}

void report(const text::LineCounts& input, const TranslationCounts& counts, double seconds) {
  if (input.invalid_utf8 > 0) {
    core::log_warning(fmt::format("{} lines had invalid UTF-8, which was replaced (first: line {})", input.invalid_utf8,
                                  input.first_invalid_utf8));
  }
  if (input.too_long > 0) {
    core::log_warning(
        fmt::format("{} lines were over 1 MiB and were cut (first: line {})", input.too_long, input.first_too_long));
  }
  if (counts.source_cut > 0) {
    core::log_warning(fmt::format("{} lines had more tokens than allowed and were cut (first: line {})",
                                  counts.source_cut, counts.first_source_cut));
  }
  if (counts.truncated > 0) {
    core::log_warning(fmt::format("{} translations reached the greatest length and were cut", counts.truncated));
  }
  core::log_info(fmt::format("{} lines ({} empty) in {:.2f} s, {:.0f} target tokens/s", counts.lines, counts.empty,
                             seconds, static_cast<double>(counts.target_tokens) / std::max(seconds, 1e-9)));
}

}  // namespace

TranslationCounts translate_file(const TranslateSettings& settings, const model::Package& package,
                                 const LoadScorers& load) {
  const double started = core::seconds_now();
  text::LineReaderOptions reading;
  reading.strict = settings.strict;
  text::LineReader input(settings.input, reading);
  std::optional<text::LineReader> prefixes;
  if (!settings.force_prefix.empty()) prefixes.emplace(settings.force_prefix, reading);
  core::OutputFile output(settings.output);
  Translator translator(package, load(), settings.translator);

  const auto differ = [&] {
    fail<DataError>("line counts differ: ", input.path(), " has ", input.counts().lines, " lines so far, ",
                    prefixes->path(), " ", prefixes->counts().lines,
                    "; --force-prefix needs one line for each input line");
  };
  const Translator::Source source = [&](Request& request) {
    const bool more = input.next(request.text);
    if (prefixes && prefixes->next(request.prefix) != more) differ();
    return more;
  };
  int64_t number = 0;
  auto progress = make_progress(settings);
  const Translator::Sink sink = [&](const Translation& translation) {
    output.write(format_translation(translation, settings.format, number++));
    if (settings.output == "-") output.flush();
    if (progress) progress->add();
  };
  try {
    translator.run(source, [&] { return input.ready(); }, sink);
  } catch (const PrefixError& error) {
    fail<DataError>(prefixes->path(), ": ", error.what());
  }
  output.commit();
  progress.reset();
  report(input.counts(), translator.counts(), core::seconds_now() - started);
  return translator.counts();
}

}  // namespace ventris::translation
