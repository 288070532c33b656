#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/log.h"
#include "core/progress.h"
#include "evaluation/alignment_error.h"
#include "evaluation/evaluation.h"
#include "evaluation/inputs.h"
#include "evaluation/test_sets.h"
#include "files/files.h"
#include "files/output_name.h"
#include "metrics/writing_system.h"
#include "support/choices.h"
#include "support/run.h"
#include "text/byte_source.h"

namespace {

using namespace ventris;

using Lines = std::vector<std::string>;

struct Flags {
  Lines references;
  Lines inputs{"-"};
  std::string output = "-";
  std::string gold_alignment;  // empty = translations are scored
  evaluation::AlignmentOptions alignment;
  evaluation::TestSetChoice test_set;  // without a name: `references` are given
  std::string echo;                    // the part of the test set to print; "" = none
  Lines metrics{"bleu"};
  std::string spm_model;
  bool force = false;
  bool confidence = false, paired_bs = false, paired_ar = false;
  size_t confidence_samples = 1000, paired_bs_samples = 1000, paired_ar_samples = 10'000;
  evaluation::EvaluationOptions options;
};

void choose_test(Flags& flags) {
  auto& options = flags.options;
  const auto choose = [&](bool wanted, evaluation::SignificanceTest test, size_t samples) {
    if (!wanted) return;
    options.test = test;
    options.resampling.samples = samples;
  };
  choose(flags.confidence, evaluation::SignificanceTest::kConfidence, flags.confidence_samples);
  choose(flags.paired_bs, evaluation::SignificanceTest::kPairedBootstrap, flags.paired_bs_samples);
  choose(flags.paired_ar, evaluation::SignificanceTest::kPairedRandomization, flags.paired_ar_samples);
}

/// Each metric once, in sacreBLEU's order: for a paired test as given by the user, otherwise alphabetical.
std::vector<evaluation::MetricKind> chosen_metrics(const Flags& flags) {
  const Lines& names = evaluation::metric_names();  // alphabetical
  std::vector<evaluation::MetricKind> chosen;
  for (const std::string& name : flags.metrics) {
    const auto kind = static_cast<evaluation::MetricKind>(std::ranges::find(names, name) - names.begin());
    if (std::ranges::find(chosen, kind) == chosen.end()) chosen.push_back(kind);
  }
  if (!flags.paired_bs && !flags.paired_ar) std::ranges::sort(chosen);
  return chosen;
}

bool has_bleu(const evaluation::EvaluationOptions& options) {
  return std::ranges::find(options.metrics, evaluation::MetricKind::kBleu) != options.metrics.end();
}

/// Sets the options that depend on several flags.
void complete(Flags& flags) {
  auto& options = flags.options;
  choose_test(flags);
  options.metrics = chosen_metrics(flags);
  if (!flags.spm_model.empty() && has_bleu(options)) {
    options.bleu.pieces = std::make_shared<const text::PieceEncoder>(text::PieceEncoder::from_file(flags.spm_model));
  }
  if (options.resampling.threads == 0) {
    options.resampling.threads = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  }
}

void warn_of_tokenized_text(const Flags& flags, const std::vector<evaluation::System>& systems) {
  if (flags.force || !has_bleu(flags.options)) return;
  for (const evaluation::System& system : systems) {
    if (!metrics::looks_tokenized(system.lines)) continue;
    core::log_warning(system.name +
                      ": 100 or more lines end in ' .', so the hypotheses look tokenized, which may distort the score; "
                      "detokenize them, or use --force if they are correct");
  }
}

/// Warns if BLEU compares whole sentences, because the tokenization finds no words in the references.
void warn_of_missing_words(const Flags& flags, const metrics::References& references) {
  if (flags.force || !has_bleu(flags.options)) return;
  constexpr size_t kEnough = 2000;  // lines
  std::vector<std::string> lines;
  for (const auto& column : references) {
    lines.insert(lines.end(), column.begin(),
                 column.begin() + static_cast<std::ptrdiff_t>(std::min(column.size(), kEnough)));
  }
  const metrics::Writing writing = metrics::writing_of(lines);
  const metrics::Tokenization tokenization = flags.options.bleu.tokenization;
  if (metrics::suits(tokenization, writing)) return;
  const auto& names = metrics::tokenization_names();
  core::log_warning("-tok " + names.at(static_cast<size_t>(tokenization)) + " finds hardly any words in " +
                    writing.script + " references, so this BLEU means little; use -tok " +
                    names.at(static_cast<size_t>(writing.suitable)) + ", or --force if it is what you want");
}

std::string alignment_scores(const Flags& flags) {
  if (!flags.references.empty()) {
    fail<ConfigError>("--aer: expected no references, because the gold alignment replaces them; got ",
                      flags.references[0]);
  }
  const auto& options = flags.options;
  if (options.sentence_level || flags.confidence || flags.paired_bs || flags.paired_ar) {
    fail<ConfigError>("--aer: does not support sentence-level scores or significance tests; leave those flags out");
  }
  if (flags.inputs.size() > 1) {
    fail<ConfigError>("--aer: expected one input, got ", flags.inputs.size());
  }
  return evaluation::evaluate_alignments(flags.inputs[0], flags.gold_alignment, flags.alignment, options.report);
}

/// The references are those of the test set.
evaluation::TestSet open_test_set(const Flags& flags) {
  if (!flags.references.empty()) {
    fail<ConfigError>("--test-set: has references of its own; leave out ", flags.references[0]);
  }
  evaluation::TestSet set = evaluation::find_test_set(flags.test_set);
  files::check_is_no_input(flags.output, set.references);
  files::check_is_no_input(flags.output, {set.source});
  return set;
}

/// The lines of a part of the test set.
std::string echoed(const Flags& flags) {
  const evaluation::TestSet set = open_test_set(flags);
  const std::string& path = flags.echo == "src" ? set.source : set.references.front();
  if (path.empty()) {
    fail<DataError>("--echo: the test set ", flags.test_set.name, " has no source of ", flags.test_set.languages,
                    " in ", flags.test_set.folder);
  }
  std::string lines;
  text::for_each_raw_line(path, [&](const std::string& line) { lines += line + "\n"; });
  return lines;
}

std::string translation_scores(Flags& flags) {
  if (!flags.test_set.name.empty()) flags.references = open_test_set(flags).references;
  if (flags.references.empty()) fail<ConfigError>("references: expected at least one file; see --help");
  complete(flags);
  evaluation::check(flags.options, flags.inputs.size());
  const evaluation::Corpus corpus = evaluation::read_corpus(flags.inputs, flags.references);
  warn_of_tokenized_text(flags, corpus.systems);
  warn_of_missing_words(flags, corpus.references);
  return evaluation::evaluate(corpus.systems, corpus.references, flags.options);
}

void evaluate(Flags& flags) {
  files::check_is_no_input(flags.output, flags.inputs);
  files::check_is_no_input(flags.output, flags.references);
  files::check_is_no_input(flags.output, {flags.gold_alignment, flags.spm_model});
  files::OutputFile output(flags.output, files::Packing::kBySuffix);  // a wrong path fails before the work
  const auto scores = [&flags] {
    const core::Progress progress("scoring");
    if (!flags.echo.empty()) return echoed(flags);
    return flags.gold_alignment.empty() ? translation_scores(flags) : alignment_scores(flags);
  };
  output.write(scores());
  output.commit();
}

/// Adds a flag whose values are `names`; the n-th name stands for the n-th value of E.
template <typename E>
void add_choice(CLI::App& app, const std::string& name, E& value, const Lines& names, const std::string& help,
                const std::string& group) {
  app.add_option_function<std::string>(
         name,
         [&value, names](const std::string& chosen) {
           value = static_cast<E>(std::find(names.begin(), names.end(), chosen) - names.begin());
         },
         help)
      ->check(apps::one_of(names).description("{" + CLI::detail::join(names, ",") + "}"))
      ->default_str(names.at(static_cast<size_t>(value)))
      ->group(group);
}

void add_bleu_flags(CLI::App& app, Flags& flags) {
  const std::string bleu = "BLEU";
  auto& options = flags.options.bleu;
  add_choice(app, "--tokenize", options.tokenization, metrics::tokenization_names(), "Tokenization (-tok)", bleu);
  app.add_option("--spm-model", flags.spm_model, "SentencePiece model for --tokenize spm")
      ->type_name("FILE")
      ->group(bleu);
  app.add_flag("--lowercase", options.lowercase, "Ignore case (-lc)")->group(bleu);
  add_choice(app, "-s,--smooth-method", options.smoothing, metrics::smoothing_names(),
             "Smoothing of n-gram orders without a match", bleu);
  app.add_option_function<double>(
         "--smooth-value", [&options](double value) { options.smooth_value = value; },
         "Value for the smoothing methods floor (default: 0.1) and add-k (default: 1) (-sv)")
      ->check(CLI::Range(0.0, 1e6))
      ->group(bleu);
  app.add_flag("--force", flags.force,
               "Do not warn if the hypotheses look tokenized, or if the tokenization does not suit the script")
      ->group(bleu);
}

void add_chrf_flags(CLI::App& app, metrics::ChrfOptions& options) {
  const std::string chrf = "chrF";
  app.add_option("--chrf-char-order", options.char_order, "Maximum order of character n-grams (-cc)")
      ->check(CLI::Range(0, 100))
      ->group(chrf);
  app.add_option("--chrf-word-order", options.word_order, "Maximum order of word n-grams; 2 = chrF++ (-cw)")
      ->check(CLI::Range(0, 100))
      ->group(chrf);
  app.add_option("--chrf-beta", options.beta, "Weight of recall")->check(CLI::Range(1, 100))->group(chrf);
  app.add_flag("--chrf-whitespace", options.whitespace, "Include white space in character n-grams")->group(chrf);
  app.add_flag("--chrf-lowercase", options.lowercase, "Ignore case")->group(chrf);
  app.add_flag("--chrf-eps-smoothing", options.eps_smoothing, "Average over all orders, as chrF++.py does")
      ->group(chrf);
}

void add_ter_flags(CLI::App& app, metrics::TerOptions& options) {
  const std::string ter = "TER";
  app.add_flag("--ter-case-sensitive", options.case_sensitive, "Do not ignore case")->group(ter);
  app.add_flag("--ter-normalized", options.normalized, "Unescape entities and split off punctuation")->group(ter);
  app.add_flag("--ter-no-punct", options.no_punctuation, "Ignore punctuation")->group(ter);
  app.add_flag("--ter-asian-support", options.asian_support,
               "With --ter-normalized, split CJK characters; with --ter-no-punct, ignore CJK punctuation")
      ->group(ter);
}

void add_test_flags(CLI::App& app, Flags& flags) {
  const std::string group = "Significance";
  const auto add_samples = [&](CLI::Option* test, const std::string& name, size_t& samples, const std::string& help) {
    app.add_option(name, samples, help)->check(CLI::Range(2, 1'000'000))->needs(test)->group(group);
  };
  auto* confidence =
      app.add_flag("--confidence", flags.confidence, "95 % confidence intervals by bootstrap resampling (-ci)")
          ->group(group);
  add_samples(confidence, "--confidence-n", flags.confidence_samples, "Number of resamples for --confidence (-cin)");
  auto* bootstrap =
      app.add_flag("--paired-bs", flags.paired_bs, "Compare each system with the first by bootstrap resampling (-pbs)")
          ->excludes(confidence)
          ->group(group);
  add_samples(bootstrap, "--paired-bs-n", flags.paired_bs_samples, "Number of resamples for --paired-bs (-pbsn)");
  auto* randomization = app.add_flag("--paired-ar", flags.paired_ar,
                                     "Compare each system with the first by approximate randomization (-par)")
                            ->excludes(confidence)
                            ->excludes(bootstrap)
                            ->group(group);
  add_samples(randomization, "--paired-ar-n", flags.paired_ar_samples, "Number of trials for --paired-ar (-parn)");
  app.add_option("--seed", flags.options.resampling.seed, "Random seed of the resampling")->group(group);
}

void add_printing_flags(CLI::App& app, evaluation::ReportOptions& options) {
  const std::string printing = "Output";
  add_choice(app, "-f,--format", options.format, {"json", "text"}, "Format of corpus-level scores", printing);
  app.add_option("-w,--width", options.width, "Digits after the decimal point")
      ->check(CLI::Range(0, 17))
      ->group(printing);
  app.add_flag("-b,--score-only", options.score_only, "Print only the score")->group(printing);
}

void add_test_set_flags(CLI::App& app, Flags& flags) {
  const std::string group = "Test sets";
  auto* name = app.add_option("-t,--test-set", flags.test_set.name,
                              "Take the references from this test set, with sacreBLEU's name: wmt22");
  name->type_name("NAME")->group(group);
  app.add_option("-l,--language-pair", flags.test_set.languages, "Its languages: en-de")
      ->type_name("PAIR")
      ->needs(name)
      ->group(group);
  app.add_option("--reference", flags.test_set.references, "Its references, if it has several: refA refB")
      ->type_name("NAME...")
      ->needs(name)
      ->group(group);
  app.add_option("--test-sets", flags.test_set.folder,
                 "Folder of the test sets, FOLDER/wmt22/wmt22.en-de.src and .ref; default: VENTRIS_TEST_SETS")
      ->type_name("FOLDER")
      ->envname("VENTRIS_TEST_SETS")
      ->group(group);
  app.add_option("--echo", flags.echo, "Print the source (src) or the first reference (ref) of the test set, and stop")
      ->check(apps::one_of({"src", "ref"}))
      ->needs(name)
      ->group(group);
}

void add_alignment_flags(CLI::App& app, evaluation::AlignmentOptions& options) {
  const std::string group = "Alignment error rate";
  auto* gold = app.get_option("--aer");
  app.add_option("--gold-base", options.gold_base, "Number of the first word in the file of --aer: 0 or 1")
      ->check(CLI::Range(0, 1))
      ->needs(gold)
      ->group(group);
  app.add_option("--alignment-base", options.base, "Number of the first word in the input: 0 or 1")
      ->check(CLI::Range(0, 1))
      ->needs(gold)
      ->group(group);
  app.add_flag("--swap-gold", options.swap_gold, "The file of --aer has target-source links")
      ->needs(gold)
      ->group(group);
}

std::function<void()> set_up(CLI::App& app) {
  const auto flags = std::make_shared<Flags>();
  auto& options = flags->options;
  options.resampling.threads = 0;
  app.add_option("references", flags->references, "Reference files, one sentence per line (plain or .gz; - = stdin)")
      ->type_name("REF")
      ->default_str("");
  app.add_option("-i,--input", flags->inputs, "Hypotheses of one or more systems, one per line; - = stdin")
      ->type_name("FILE");
  app.add_option("-o,--output", flags->output, "Output file, plain or .gz; - = stdout")->type_name("FILE");
  app.add_option("-m,--metrics", flags->metrics, "One or more of bleu, chrf, ter")
      ->check(apps::one_of(evaluation::metric_names()));
  app.add_option(
         "--aer", flags->gold_alignment,
         "Alignment error rate of the input (0-0 1-2) against this file. Sure links: 1-2. Possible: 1?2, 1p2 or p1-2")
      ->type_name("GOLD");
  add_test_set_flags(app, *flags);
  add_alignment_flags(app, flags->alignment);
  app.add_flag("--sentence-level", options.sentence_level, "Print one line of text per sentence (-sl)");
  app.add_option("--threads", options.resampling.threads, "Number of threads; 0 = one per processor")
      ->check(CLI::Range(0, 1024));
  add_bleu_flags(app, *flags);
  add_chrf_flags(app, options.chrf);
  add_ter_flags(app, options.ter);
  add_test_flags(app, *flags);
  add_printing_flags(app, options.report);
  return [flags] { evaluate(*flags); };
}

/// sacreBLEU's flags of one dash and several letters.
std::map<std::string, std::string> aliases() {
  return {{"-tok", "--tokenize"},     {"-lc", "--lowercase"},       {"-sl", "--sentence-level"},
          {"-sv", "--smooth-value"},  {"-cc", "--chrf-char-order"}, {"-cw", "--chrf-word-order"},
          {"-ci", "--confidence"},    {"-cin", "--confidence-n"},   {"-pbs", "--paired-bs"},
          {"-pbsn", "--paired-bs-n"}, {"-par", "--paired-ar"},      {"-parn", "--paired-ar-n"}};
}

}  // namespace

int main(int argc, char** argv) {
  apps::Program program{"ventris-evaluate",
                        "Compares translations with references: BLEU, chrF, chrF++ and TER, with confidence "
                        "intervals and significance tests.",
                        "ventris-evaluate test.de -i translated.de -m bleu chrf -f text\n"
                        "  ventris-evaluate test.de -b -w 2 < translated.de\n"
                        "  ventris-evaluate test.de -i baseline.de new.de --paired-bs -f text\n"
                        "  ventris-evaluate --aer gold.txt -i alignments.txt\n"
                        "  ventris-evaluate -t wmt22 -l en-de -i translated.de",
                        nullptr};
  program.aliases = aliases();
  return apps::run(argc, argv, program, set_up);
}
