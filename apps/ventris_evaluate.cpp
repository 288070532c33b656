#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/report.h"
#include "metrics/unicode.h"
#include "support/run.h"
#include "text/byte_source.h"
#include "text/utf8.h"

namespace {

using namespace ventris;

using Lines = std::vector<std::string>;

struct Flags {
  Lines references;
  std::string input = "-";
  std::string output = "-";
  Lines metrics{"bleu"};
  bool sentence_level = false;
  bool force = false;
  metrics::BleuOptions bleu;
  metrics::ChrfOptions chrf;
  metrics::ReportOptions report;
};

std::string name_of(const std::string& path) { return path == "-" ? "standard input" : path; }

/// Calls each(line) for the lines of a file. They are split here, not by text::LineReader, so that every byte counts as
/// sacreBLEU counts it: a byte-order mark stays, no line is cut.
template <typename Each>
void for_each_line(const std::string& path, const Each& each) {
  const auto source = text::open_bytes(path);
  std::string rest;
  for (auto block = source->next_block(); !block.empty(); block = source->next_block()) {
    size_t start = 0;
    for (size_t end = block.find('\n'); end != std::string_view::npos; end = block.find('\n', start)) {
      each(rest.append(block, start, end - start));
      rest.clear();
      start = end + 1;
    }
    rest.append(block, start);
  }
  if (!rest.empty()) each(rest);
}

Lines read_lines(const std::string& path) {
  Lines lines;
  size_t invalid = 0, first_invalid = 0;
  for_each_line(path, [&](const std::string& line) {
    const bool valid = text::is_valid_utf8(line);
    lines.emplace_back(metrics::strip_right(valid ? line : text::replace_invalid_utf8(line)));
    if (!valid && invalid++ == 0) first_invalid = lines.size();
  });
  if (lines.empty()) fail<DataError>(name_of(path), ": is empty; expected one sentence a line");
  if (invalid > 0) {
    core::log_warning(
        fmt::format("{}: {} of {} lines are not valid UTF-8 (the first is line {}); bad bytes became U+FFFD",
                    name_of(path), invalid, lines.size(), first_invalid));
  }
  if (lines[0].starts_with("\xEF\xBB\xBF")) {
    core::log_warning(name_of(path) + ": starts with a byte-order mark, which counts as part of its first word");
  }
  return lines;
}

struct Segments {
  Lines hypotheses;
  std::vector<Lines> references;
};

Segments read_segments(const Flags& flags) {
  auto from_stdin = std::count(flags.references.begin(), flags.references.end(), "-");
  if (flags.input == "-") ++from_stdin;
  if (from_stdin > 1) {
    fail<ConfigError>("standard input can be only one of the inputs; name files for the others (hypotheses: --input)");
  }
  Segments segments;
  for (const std::string& path : flags.references) segments.references.push_back(read_lines(path));
  segments.hypotheses = read_lines(flags.input);
  for (size_t r = 0; r < segments.references.size(); ++r) {
    const size_t expected = segments.references[r].size(), found = segments.hypotheses.size();
    if (expected == found) continue;
    fail<DataError>(name_of(flags.input), ": has ", found, " lines, but ", name_of(flags.references[r]), " has ",
                    expected, "; expected one hypothesis for each reference line");
  }
  return segments;
}

void check(const Flags& flags) {
  if (flags.sentence_level && flags.metrics.size() > 1) {
    fail<ConfigError>("--sentence-level: one metric at a time; choose with --metrics bleu or --metrics chrf");
  }
  const auto smoothing = flags.bleu.smoothing;
  if (flags.bleu.smooth_value && smoothing != metrics::Smoothing::kFloor && smoothing != metrics::Smoothing::kAddK) {
    fail<ConfigError>("--smooth-value: only --smooth-method floor and add-k have a value");
  }
  if (flags.bleu.smooth_value && std::isnan(*flags.bleu.smooth_value)) {
    fail<ConfigError>("--smooth-value: expected a number from 0 on, found nan");
  }
}

std::string corpus_scores(const Flags& flags, const Segments& segments) {
  std::vector<metrics::Report> reports;
  const size_t references = segments.references.size();
  for (const std::string& metric : flags.metrics) {
    if (metric == "bleu") {
      const auto score = metrics::corpus_bleu(segments.hypotheses, segments.references, flags.bleu);
      reports.push_back(metrics::bleu_report(score, flags.bleu, references));
    } else {
      const auto score = metrics::corpus_chrf(segments.hypotheses, segments.references, flags.chrf);
      reports.push_back(metrics::chrf_report(score, flags.chrf, references));
    }
  }
  return metrics::format_reports(reports, flags.report);
}

std::string sentence_scores(Flags flags, const Segments& segments) {
  flags.report.format = metrics::ReportFormat::kText;
  flags.bleu.effective_order = true;
  const size_t references = segments.references.size();
  std::string result;
  const auto add = [&](const metrics::Report& report) {
    result += metrics::format_report(report, flags.report) + '\n';
  };
  if (flags.metrics[0] == "bleu") {
    for (const auto& counts : metrics::bleu_statistics(segments.hypotheses, segments.references, flags.bleu)) {
      add(metrics::bleu_report(metrics::bleu_score(counts, flags.bleu), flags.bleu, references));
    }
  } else {
    for (const auto& counts : metrics::chrf_statistics(segments.hypotheses, segments.references, flags.chrf)) {
      add(metrics::chrf_report(metrics::chrf_score(counts, flags.chrf), flags.chrf, references));
    }
  }
  return result;
}

void evaluate(Flags flags) {
  check(flags);
  core::OutputFile output(flags.output);  // a typing mistake should be told before the work
  std::sort(flags.metrics.begin(), flags.metrics.end());
  flags.metrics.erase(std::unique(flags.metrics.begin(), flags.metrics.end()), flags.metrics.end());
  const Segments segments = read_segments(flags);
  const bool bleu = flags.metrics[0] == "bleu";
  if (bleu && !flags.force && metrics::looks_tokenized(segments.hypotheses)) {
    core::log_warning("100 or more lines end in ' .': the hypotheses look tokenized, which may spoil the score; "
                      "detokenize them, or say --force if they are right");
  }
  output.write(flags.sentence_level ? sentence_scores(flags, segments) : corpus_scores(flags, segments));
  output.commit();
}

/// A flag with a fixed set of names, each standing for a value.
template <typename E>
void add_choice(CLI::App& app, const std::string& name, E& value, const Lines& names, const std::string& help,
                const std::string& group) {
  app.add_option_function<std::string>(
         name,
         [&value, names](const std::string& chosen) {
           value = static_cast<E>(std::find(names.begin(), names.end(), chosen) - names.begin());
         },
         help)
      ->check(CLI::IsMember(names))
      ->default_str(names.at(static_cast<size_t>(value)))
      ->group(group);
}

void add_metric_flags(CLI::App& app, Flags& flags) {
  const std::string bleu = "BLEU", chrf = "chrF";
  add_choice(app, "--tokenize", flags.bleu.tokenization, metrics::tokenization_names(), "How words are cut (-tok)",
             bleu);
  app.add_flag("--lowercase", flags.bleu.lowercase, "Upper and lower case are the same (-lc)")->group(bleu);
  add_choice(app, "-s,--smooth-method", flags.bleu.smoothing, metrics::smoothing_names(),
             "For n-gram orders without a match", bleu);
  app.add_option_function<double>(
         "--smooth-value", [&flags](double value) { flags.bleu.smooth_value = value; },
         "Of floor (0.1 if not given) and add-k (1) (-sv)")
      ->check(CLI::Range(0.0, 1e6))
      ->group(bleu);
  app.add_flag("--force", flags.force, "No warning about text that looks tokenized")->group(bleu);
  app.add_option("--chrf-char-order", flags.chrf.char_order, "Longest character n-grams (-cc)")
      ->check(CLI::Range(0, 100))
      ->group(chrf);
  app.add_option("--chrf-word-order", flags.chrf.word_order, "Longest word n-grams; 2 = chrF++ (-cw)")
      ->check(CLI::Range(0, 100))
      ->group(chrf);
  app.add_option("--chrf-beta", flags.chrf.beta, "Weight of recall")->check(CLI::Range(1, 100))->group(chrf);
  app.add_flag("--chrf-whitespace", flags.chrf.whitespace, "White space belongs to the character n-grams")->group(chrf);
  app.add_flag("--chrf-lowercase", flags.chrf.lowercase, "Upper and lower case are the same")->group(chrf);
  app.add_flag("--chrf-eps-smoothing", flags.chrf.eps_smoothing, "Average over all orders, as chrF++.py")->group(chrf);
}

std::function<void()> set_up(CLI::App& app) {
  const auto flags = std::make_shared<Flags>();
  app.add_option("references", flags->references, "Reference files, one sentence a line (.gz by suffix, - = stdin)")
      ->required()
      ->type_name("REF")
      ->default_str("");
  app.add_option("-i,--input", flags->input, "Hypotheses, one a line; - = stdin")->type_name("FILE");
  app.add_option("-o,--output", flags->output, "Where the scores go; - = stdout")->type_name("FILE");
  app.add_option("-m,--metrics", flags->metrics, "bleu, chrf or both")->check(CLI::IsMember(Lines{"bleu", "chrf"}));
  app.add_flag("--sentence-level", flags->sentence_level, "A line of text for each sentence (-sl)");
  add_metric_flags(app, *flags);
  const std::string printing = "Printing";
  add_choice(app, "-f,--format", flags->report.format, {"json", "text"}, "Of the scores of a whole text", printing);
  app.add_option("-w,--width", flags->report.width, "Digits after the point")
      ->check(CLI::Range(0, 17))
      ->group(printing);
  app.add_flag("-b,--score-only", flags->report.score_only, "Only the number")->group(printing);
  return [flags] { evaluate(*flags); };
}

/// sacreBLEU's flags of several letters after one dash, which the parser would take for a letter and its value.
std::vector<char*> with_long_flags(int argc, char** argv) {
  static std::map<std::string, std::string> long_flags{
      {"-tok", "--tokenize"},     {"-lc", "--lowercase"},        {"-sl", "--sentence-level"},
      {"-sv", "--smooth-value"}, {"-cc", "--chrf-char-order"}, {"-cw", "--chrf-word-order"}};
  std::vector<char*> result(argv, argv + argc);
  for (char*& argument : result) {
    if (std::string_view(argument) == "--") break;
    const auto found = long_flags.find(argument);
    if (found != long_flags.end()) argument = found->second.data();
  }
  result.push_back(nullptr);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const apps::Program program{"ventris-evaluate", "Scores translations against references: BLEU, chrF and chrF++.",
                              "ventris-evaluate test.de -i translated.de -m bleu chrf -f text\n"
                              "  ventris-evaluate test.de -b -w 2 < translated.de",
                              nullptr};
  return apps::run(argc, with_long_flags(argc, argv).data(), program, set_up);
}
