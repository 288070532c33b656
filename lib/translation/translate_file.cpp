#include "translation/translate_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/process.h"
#include "text/line_reader.h"

namespace ventris::translation {
namespace {

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
  const Translator::Sink sink = [&](const Translation& translation) {
    output.write(format_translation(translation, settings.format, number++));
    if (settings.output == "-") output.flush();
  };
  try {
    translator.run(source, [&] { return input.ready(); }, sink);
  } catch (const PrefixError& error) {
    fail<DataError>(prefixes->path(), ": ", error.what());
  }
  output.commit();
  report(input.counts(), translator.counts(), core::seconds_now() - started);
  return translator.counts();
}

}  // namespace ventris::translation
