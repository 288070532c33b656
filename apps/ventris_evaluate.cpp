#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "metrics/evaluation.h"
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
  bool force = false;
  metrics::EvaluationOptions options;
};

std::string name_of(const std::string& path) { return path == "-" ? "standard input" : path; }

/// Every byte counts as sacreBLEU counts it: a byte-order mark stays, no line is cut.
Lines read_lines(const std::string& path) {
  Lines lines;
  size_t invalid = 0, first_invalid = 0;
  text::for_each_raw_line(path, [&](const std::string& line) {
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

void evaluate(const Flags& flags) {
  const auto& options = flags.options;
  metrics::check(options);
  core::OutputFile output(flags.output);  // a typing mistake should be told before the work
  const Segments segments = read_segments(flags);
  const bool bleu = options.metrics.front() == metrics::Metric::kBleu;
  if (bleu && !flags.force && metrics::looks_tokenized(segments.hypotheses)) {
    core::log_warning(
        "100 or more lines end in ' .': the hypotheses look tokenized, which may spoil the score; "
        "detokenize them, or say --force if they are right");
  }
  output.write(metrics::evaluate(segments.hypotheses, segments.references, options));
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

void add_metric_flags(CLI::App& app, bool& force, metrics::EvaluationOptions& options) {
  const std::string bleu = "BLEU", chrf = "chrF";
  add_choice(app, "--tokenize", options.bleu.tokenization, metrics::tokenization_names(), "How words are cut (-tok)",
             bleu);
  app.add_flag("--lowercase", options.bleu.lowercase, "Upper and lower case are the same (-lc)")->group(bleu);
  add_choice(app, "-s,--smooth-method", options.bleu.smoothing, metrics::smoothing_names(),
             "For n-gram orders without a match", bleu);
  app.add_option_function<double>(
         "--smooth-value", [&options](double value) { options.bleu.smooth_value = value; },
         "Of floor (0.1 if not given) and add-k (1) (-sv)")
      ->check(CLI::Range(0.0, 1e6))
      ->group(bleu);
  app.add_flag("--force", force, "No warning about text that looks tokenized")->group(bleu);
  app.add_option("--chrf-char-order", options.chrf.char_order, "Longest character n-grams (-cc)")
      ->check(CLI::Range(0, 100))
      ->group(chrf);
  app.add_option("--chrf-word-order", options.chrf.word_order, "Longest word n-grams; 2 = chrF++ (-cw)")
      ->check(CLI::Range(0, 100))
      ->group(chrf);
  app.add_option("--chrf-beta", options.chrf.beta, "Weight of recall")->check(CLI::Range(1, 100))->group(chrf);
  app.add_flag("--chrf-whitespace", options.chrf.whitespace, "White space belongs to the character n-grams")
      ->group(chrf);
  app.add_flag("--chrf-lowercase", options.chrf.lowercase, "Upper and lower case are the same")->group(chrf);
  app.add_flag("--chrf-eps-smoothing", options.chrf.eps_smoothing, "Average over all orders, as chrF++.py")
      ->group(chrf);
}

std::function<void()> set_up(CLI::App& app) {
  const auto flags = std::make_shared<Flags>();
  auto& options = flags->options;
  app.add_option("references", flags->references, "Reference files, one sentence a line (.gz by suffix, - = stdin)")
      ->required()
      ->type_name("REF")
      ->default_str("");
  app.add_option("-i,--input", flags->input, "Hypotheses, one a line; - = stdin")->type_name("FILE");
  app.add_option("-o,--output", flags->output, "Where the scores go; - = stdout")->type_name("FILE");
  app.add_option("-m,--metrics", flags->metrics, "bleu, chrf or both")->check(CLI::IsMember(Lines{"bleu", "chrf"}));
  app.add_flag("--sentence-level", options.sentence_level, "A line of text for each sentence (-sl)");
  add_metric_flags(app, flags->force, options);
  const std::string printing = "Printing";
  add_choice(app, "-f,--format", options.report.format, {"json", "text"}, "Of the scores of a whole text", printing);
  app.add_option("-w,--width", options.report.width, "Digits after the point")
      ->check(CLI::Range(0, 17))
      ->group(printing);
  app.add_flag("-b,--score-only", options.report.score_only, "Only the number")->group(printing);
  return [flags, &options] {
    const std::set<std::string> chosen(flags->metrics.begin(), flags->metrics.end());  // BLEU first, as sacreBLEU
    options.metrics.clear();
    if (chosen.contains("bleu")) options.metrics.push_back(metrics::Metric::kBleu);
    if (chosen.contains("chrf")) options.metrics.push_back(metrics::Metric::kChrf);
    evaluate(*flags);
  };
}

/// sacreBLEU's flags of several letters after one dash, which the parser would take for a letter and its value.
std::vector<char*> with_long_flags(int argc, char** argv) {
  static std::map<std::string, std::string> long_flags{{"-tok", "--tokenize"},       {"-lc", "--lowercase"},
                                                       {"-sl", "--sentence-level"},  {"-sv", "--smooth-value"},
                                                       {"-cc", "--chrf-char-order"}, {"-cw", "--chrf-word-order"}};
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
