#include "evaluate.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "evaluation/evaluation.h"
#include "evaluation/metric.h"
#include "interruptible.h"
#include "metrics/resampling.h"
#include "text.h"

namespace ventris::python {

namespace nb = nanobind;
using evaluation::EvaluationOptions;
using evaluation::MetricKind;

namespace {

/// What is asked of every metric.
struct Question {
  std::vector<std::string> hypotheses;
  metrics::References references;
  bool confidence = false;
  metrics::ResamplingOptions resampling;
};

struct Answer {
  evaluation::ReportedScore report;
  std::vector<double> counts;     ///< of the corpus
  std::vector<double> sentences;  ///< the score of each
};

int threads_of(int given) {
  constexpr int kMost = 1024;
  if (given < 0 || given > kMost) fail<ConfigError>("threads: expected a number from 0 to ", kMost, ", got ", given);
  if (given > 0) return given;
  return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
}

std::vector<double> sentence_scores(const evaluation::Metric& metric, const metrics::CountTable& table,
                                    size_t references) {
  std::vector<double> scores;
  for (size_t i = 0; i < table.segments(); ++i) {
    const auto row = std::span(table.values).subspan(i * table.width, table.width);
    scores.push_back(metric.report(row, references).score);
  }
  return scores;
}

/// `of_sentences`: the metric with its settings for a single sentence.
Answer score(const Question& question, const evaluation::Metric& metric, const evaluation::Metric& of_sentences) {
  const size_t references = question.references.size();
  const metrics::CountTable table = metric.count(question.hypotheses, question.references, question.resampling.threads);
  Answer answer{metric.report(table.sums(), references), table.sums(),
                sentence_scores(of_sentences, table, references)};
  if (question.confidence) {
    answer.report.confidence = metrics::bootstrap_confidence(table, metric.scorer(), question.resampling);
    answer.report.signature = evaluation::add_sampling(answer.report.signature, "bs", question.resampling);
  }
  return answer;
}

/// The arguments of ventris.evaluate.Score, and the counts.
nb::tuple to_tuple(const Answer& answer) {
  const evaluation::ReportedScore& report = answer.report;
  nb::object confidence = nb::none();
  if (report.confidence) confidence = nb::make_tuple(report.confidence->mean, report.confidence->interval);
  const evaluation::ReportOptions as_text{.format = evaluation::ReportFormat::kText};
  return nb::make_tuple(to_str(report.name), report.score, to_str(report.signature), to_str(report.verbose), confidence,
                        nb::cast(answer.sentences), to_str(evaluation::format_report(report, as_text)),
                        nb::cast(answer.counts));
}

/// Throws DataError unless there is one line in each list for each hypothesis.
void check_corpus(const std::vector<std::string>& hypotheses, const metrics::References& references) {
  if (hypotheses.empty()) fail<DataError>("hypotheses: expected at least one line, got none");
  if (references.empty()) fail<DataError>("references: expected at least one list of lines, got none");
  for (size_t i = 0; i < references.size(); ++i) {
    if (references[i].size() == hypotheses.size()) continue;
    fail<DataError>("references[", i, "]: expected one for each hypothesis (", hypotheses.size(), "), got ",
                    references[i].size());
  }
}

void check_samples(uint64_t samples) {
  constexpr uint64_t kMost = 1'000'000;
  if (samples < 2 || samples > kMost)
    fail<ConfigError>("samples: expected a number from 2 to ", kMost, ", got ", samples);
}

void check_number(const char* name, int value, int least) {
  constexpr int kMost = 100;
  if (value < least || value > kMost) {
    fail<ConfigError>(name, ": expected a number from ", least, " to ", kMost, ", got ", value);
  }
}

Question asked(const nb::list& hypotheses, const nb::list& references, std::optional<uint64_t> samples, uint64_t seed,
               int threads) {
  Question question;
  question.hypotheses = all_to_utf8(hypotheses);
  for (const nb::handle column : references) question.references.push_back(all_to_utf8(column));
  check_corpus(question.hypotheses, question.references);
  if (samples) check_samples(*samples);
  question.confidence = samples.has_value();
  question.resampling.samples = samples.value_or(question.resampling.samples);
  question.resampling.seed = seed;
  question.resampling.threads = threads_of(threads);
  return question;
}

/// The value with this name. Throws ConfigError for another one.
template <typename E>
E chosen(const std::string& option, const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    std::string all;
    for (const std::string& known : names) all += (all.empty() ? "" : ", ") + known;
    fail<ConfigError>(option, ": expected one of ", all, ", got '", name, "'");
  }
  return static_cast<E>(found - names.begin());
}

nb::tuple bleu(const nb::list& hypotheses, const nb::list& references, const std::string& tokenize,
               const nb::object& spm_model, bool lowercase, const std::string& smooth_method,
               std::optional<double> smooth_value, bool effective_order, std::optional<uint64_t> samples, uint64_t seed,
               int threads) {
  EvaluationOptions options;
  options.bleu.tokenization = chosen<metrics::Tokenization>("tokenize", tokenize, metrics::tokenization_names());
  options.bleu.smoothing = chosen<metrics::Smoothing>("smooth_method", smooth_method, metrics::smoothing_names());
  if (smooth_value && !(std::isfinite(*smooth_value) && *smooth_value >= 0)) {
    fail<ConfigError>("smooth_value: expected a number of at least 0, got ", *smooth_value);
  }
  options.bleu.smooth_value = smooth_value;
  options.bleu.lowercase = lowercase;
  options.bleu.effective_order = effective_order;
  if (!spm_model.is_none()) {
    options.bleu.pieces = std::make_shared<const text::PieceEncoder>(text::PieceEncoder::from_file(to_path(spm_model)));
  }
  evaluation::check(options);
  metrics::BleuOptions of_sentences = options.bleu;
  of_sentences.effective_order = true;
  const Question question = asked(hypotheses, references, samples, seed, threads);
  return to_tuple(interruptible(
      [&] { return score(question, *evaluation::make_metric(options.bleu), *evaluation::make_metric(of_sentences)); }));
}

nb::tuple chrf(const nb::list& hypotheses, const nb::list& references, const metrics::ChrfOptions& chrf,
               std::optional<uint64_t> samples, uint64_t seed, int threads) {
  EvaluationOptions options;
  options.metrics = {MetricKind::kChrf};
  options.chrf = chrf;
  check_number("char_order", chrf.char_order, 0);
  check_number("word_order", chrf.word_order, 0);
  check_number("beta", chrf.beta, 1);
  evaluation::check(options);
  const Question question = asked(hypotheses, references, samples, seed, threads);
  const auto metric = evaluation::make_metric(chrf);
  return to_tuple(interruptible([&] { return score(question, *metric, *metric); }));
}

nb::tuple ter(const nb::list& hypotheses, const nb::list& references, const metrics::TerOptions& ter,
              std::optional<uint64_t> samples, uint64_t seed, int threads) {
  const Question question = asked(hypotheses, references, samples, seed, threads);
  const auto metric = evaluation::make_metric(ter);
  return to_tuple(interruptible([&] { return score(question, *metric, *metric); }));
}

}  // namespace

void bind_evaluate(nb::module_& module) {
  nb::class_<metrics::ChrfOptions>(module, "ChrfOptions")
      .def(nb::init<>())
      .def_rw("char_order", &metrics::ChrfOptions::char_order)
      .def_rw("word_order", &metrics::ChrfOptions::word_order)
      .def_rw("beta", &metrics::ChrfOptions::beta)
      .def_rw("lowercase", &metrics::ChrfOptions::lowercase)
      .def_rw("whitespace", &metrics::ChrfOptions::whitespace)
      .def_rw("eps_smoothing", &metrics::ChrfOptions::eps_smoothing);
  nb::class_<metrics::TerOptions>(module, "TerOptions")
      .def(nb::init<>())
      .def_rw("normalized", &metrics::TerOptions::normalized)
      .def_rw("no_punct", &metrics::TerOptions::no_punctuation)
      .def_rw("asian_support", &metrics::TerOptions::asian_support)
      .def_rw("case_sensitive", &metrics::TerOptions::case_sensitive);
  module.def("bleu", &bleu, nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenize"),
             nb::arg("spm_model").none(), nb::arg("lowercase"), nb::arg("smooth_method"),
             nb::arg("smooth_value").none(), nb::arg("effective_order"), nb::arg("samples").none(), nb::arg("seed"),
             nb::arg("threads"));
  module.def("chrf", &chrf, nb::arg("hypotheses"), nb::arg("references"), nb::arg("options"), nb::arg("samples").none(),
             nb::arg("seed"), nb::arg("threads"));
  module.def("ter", &ter, nb::arg("hypotheses"), nb::arg("references"), nb::arg("options"), nb::arg("samples").none(),
             nb::arg("seed"), nb::arg("threads"));
}

}  // namespace ventris::python
