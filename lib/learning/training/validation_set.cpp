#include "training/validation_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "backend/module_attention.h"
#include "core/log.h"
#include "core/parallel.h"
#include "core/process.h"
#include "data/batch_plan.h"
#include "data/pair_lines.h"
#include "files/files.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/signature.h"
#include "metrics/writing_system.h"
#include "preparation/training_data.h"
#include "text/valid_utf8.h"
#include "training/bleu_tokenize.h"
#include "training/language_marks.h"

namespace ventris::training {
namespace {

constexpr size_t kSamples = 3;
constexpr size_t kMostTokensOfAFigure = 48;

/// The raw lines of a validation corpus.
struct RawLines {
  std::vector<std::string> sources, references;
  std::vector<size_t> preceding;  // lines of its document before each line
};

/// The first `most` lines (0 = all). `documents`: a line that is blank on both sides ends a document, and is left out.
RawLines read_lines(const data::CorpusFiles& files, int64_t most, bool documents) {
  data::PairLines lines(files);
  RawLines read;
  std::string source, target;
  size_t begin = 0;  // of the document
  while ((most == 0 || static_cast<int64_t>(read.sources.size()) < most) && lines.next(source, target)) {
    if (!lines.has_text()) continue;
    if (documents && text::is_blank(source) && text::is_blank(target)) {
      begin = read.sources.size();
      continue;
    }
    read.preceding.push_back(read.sources.size() - begin);
    read.sources.push_back(source);
    read.references.push_back(target);
  }
  return read;
}

/// Equal for equal lines with equal tokenization.
uint32_t checksum_of(const std::vector<std::string>& sources, const std::vector<std::string>& references,
                     const data::ParallelCorpus& corpus) {
  uint32_t sum = corpus.summary().checksum();
  for (const auto& lines : {std::cref(sources), std::cref(references)}) {
    for (const std::string& line : lines.get()) sum = files::crc32(line + "\n", sum);
  }
  return sum;
}

/// The attention of the first sample that fits a figure. Errors are only warnings, because a report must not end a run.
std::optional<model::SentenceAttention> attention_of(const nn::Model& trained, const model::Package& package,
                                                     const preparation::Tokenizers& tokenizers,
                                                     const std::vector<run::Sample>& samples) {
  const auto model = std::dynamic_pointer_cast<nn::Seq2SeqImpl>(trained);
  if (!model || model->attention_blocks().cross.empty()) return {};
  const auto fits = [](size_t tokens) { return tokens > 0 && tokens <= kMostTokensOfAFigure; };
  try {
    for (const run::Sample& sample : samples) {
      if (!fits(tokenizers.source.encode(sample.source).size())) continue;
      if (!fits(tokenizers.target.encode(sample.translation).size())) continue;
      return backend::sentence_attention(model, package, sample.source, sample.translation);
    }
  } catch (const std::exception& error) {
    core::log_warning(fmt::format("no attention in the report: {}", error.what()));
  }
  return {};
}

}  // namespace

ValidationSet::ValidationSet(const settings::RunConfig& config, const ValidationCorpus& files,
                             const preparation::Tokenizers& tokenizers)
    : config_(with_validation(config, files)),
      package_(preparation::package_of(config, tokenizers)),
      task_(make_task(config_, package_)),
      tokenizers_(tokenizers),
      name_(files.name) {
  const bool text = files.files.running_text, labelled = files.files.labelled;
  data::ReadOptions options;
  options.filter = {
      text ? config.data.filter.max_length : config.model->max_length() - 1 - settings::most_marks(config_), 1e9};
  options.threads = static_cast<int>(config.training.threads);
  options.labels = config.model->labels();
  context_ = preparation::pair_context(config, tokenizers, /*single=*/0);
  options.documents = context_ != nullptr;
  const std::vector<data::CorpusSpec> only{{files.files}};
  std::vector<data::CorpusCounts> of_each;
  corpus_ = data::load_corpora(only, tokenizers.source, tokenizers.target, options, of_each);
  const data::CorpusCounts& counts = of_each.front();
  if (!text) {
    RawLines read = read_lines(files.files, config.validation.max_sentences, options.documents);
    sources_ = std::move(read.sources);
    references_ = std::move(read.references);
    preceding_ = std::move(read.preceding);
  }
  identity_ = fmt::format("{} {}, crc32 {:08x}", counts.lines, text || labelled ? "lines" : "pairs",
                          checksum_of(sources_, references_, corpus_));
  if (config.model->translates()) choose_tokenization();
  if (text || counts.kept + counts.blank == counts.lines) return;
  core::log_warning(fmt::format("{}: {}: {}; {}", name_.empty() ? "data.valid" : "data.further_valid",
                                files.files.source, data::describe(counts),
                                labelled ? "lines that are left out do not count"
                                         : "pairs that are left out count for BLEU and chrF, but not for the loss"));
}

/// Whether settings tell the model the languages, not the text of the corpus.
bool ValidationSet::is_told_languages() const { return !config_.data.named_languages().empty(); }

/// Takes the tokenization of the run, and warns if it finds no words in the references.
void ValidationSet::choose_tokenization() {
  const metrics::Writing writing = metrics::writing_of(references_);
  bleu_.tokenization = tokenization_of(config_.validation.tokenize).value_or(writing.suitable);
  if (metrics::suits(bleu_.tokenization, writing)) return;
  const auto name = [](metrics::Tokenization one) {
    return metrics::tokenization_names().at(static_cast<size_t>(one));
  };
  core::log_warning(fmt::format(
      "validation.tokenize: {} finds hardly any words in {}, which is {}, so its BLEU means little; {} suits it",
      name(bleu_.tokenization), name_.empty() ? "the validation corpus" : name_, writing.script,
      name(writing.suitable)));
}

run::ValidationResult ValidationSet::run(const nn::Model& model,
                                         const std::shared_ptr<const decoding::ScorerFactory>& scorers) const {
  const double started = core::seconds_now();
  run::ValidationResult result;
  result.corpus = name_;
  measure_loss(model, result);
  if (scorers) translate(model, scorers, result);
  result.seconds = core::seconds_now() - started;
  return result;
}

/// Pairs of the corpus, with their context.
std::vector<data::SentencePair> ValidationSet::pairs_of(const std::vector<uint32_t>& numbers) const {
  std::vector<data::SentencePair> pairs = data::read_pairs(corpus_, numbers);
  for (size_t i = 0; context_ && i < pairs.size(); ++i) {
    context_->put(context_->of(corpus_, numbers[i], /*epoch=*/0, pairs[i]), /*tag_tokens=*/0, pairs[i]);
  }
  return pairs;
}

void ValidationSet::measure_loss(const nn::Model& model, run::ValidationResult& result) const {
  const settings::TrainingConfig& training = config_.training;
  const int64_t at_once = training.batch_memory.none() ? 1 : training.threads;  // each thread has a batch of its own
  data::BatchOptions options{std::max(training.batch_tokens / at_once, config_.model->max_length() + 1), 0, 1};
  options.window = corpus_.size();
  options.marks = settings::most_marks(config_);
  const auto batches = data::BatchPlan(corpus_, options, nullptr, 1, context_).epoch(0);
  PassOptions pass;
  pass.device = torch::Device(config_.training.device);
  std::vector<PassResult> parts(batches.size());
  std::vector<std::vector<Measure>> measures(batches.size());
  const int threads = pass.device.is_cpu() ? static_cast<int>(config_.training.threads) : 1;
  core::parallel_for(batches.size(), threads, [&](size_t i, int) {
    const torch::NoGradGuard no_grad;
    at::set_num_threads(1);
    const data::Batch batch = task_.batches->make(pairs_of(batches[i]), {corpus_, batches[i]});
    parts[i] = run_batch(*task_.objective, *model, batch, pass, /*learn=*/false, &measures[i]);
  });
  PassResult sum;
  for (const PassResult& part : parts) sum += part;  // a fixed order, so rounding does not depend on the threads
  result.loss = sum.loss / static_cast<double>(sum.target_tokens);
  result.nll = sum.nll / static_cast<double>(sum.target_tokens);
  result.perplexity = std::exp(result.nll);
  std::vector<Measure> all;
  for (const auto& part : measures) add_measures(part, all);
  for (const Measure& measure : all) result.measures.emplace_back(measure.name, measure.sum / measure.count);
}

std::vector<std::string> ValidationSet::translations(const translation::Translator& translator) const {
  std::vector<std::string> texts;
  size_t next = 0;
  const auto read = [&](translation::Request& request) {
    if (next == sources_.size()) return false;
    request = {};
    request.text = sources_[next];
    const size_t before = std::min(preceding_[next], static_cast<size_t>(translator.context()));
    const auto source = sources_.begin() + static_cast<std::ptrdiff_t>(next++);
    request.context.assign(source - static_cast<std::ptrdiff_t>(before), source);
    return true;
  };
  translator.run(
      read, [] { return true; },
      [&](const translation::Translation& translation) { texts.push_back(translation.text()); });
  return texts;
}

void ValidationSet::translate(const nn::Model& model, const std::shared_ptr<const decoding::ScorerFactory>& scorers,
                              run::ValidationResult& result) const {
  translation::TranslatorOptions options = translation::suggested_options(config_.decoding);
  if (config_.validation.beam_size > 0) {
    options.search.beam_size = static_cast<int32_t>(config_.validation.beam_size);
  }
  options.search.log_probs = false;
  options.source_language = config_.data.source_language;
  options.target_language = config_.data.target_language;
  options.marked_sources = !is_told_languages();  // the validation corpus has the tags in its text
  options.batch.sentences = config_.validation.batch_sentences;
  const torch::Device device(config_.training.device);
  options.workers = device.is_cpu() ? static_cast<int>(config_.training.threads) : 1;
  options.context = config_.data.context.sentences;
  const std::vector<std::string> hypotheses = translations({package_, scorers, options});
  result.measures.insert(result.measures.begin(),
                         {{"bleu", metrics::corpus_bleu(hypotheses, {references_}, bleu_).score},
                          {"chrf", metrics::corpus_chrf(hypotheses, {references_}, {}).score}});
  result.bleu_signature = metrics::bleu_signature(bleu_, 1);
  if (!name_.empty()) return;
  for (size_t i = 0; i < std::min(kSamples, sources_.size()); ++i)
    result.samples.push_back({sources_[i], references_[i], hypotheses[i]});
  if (config_.training.report && !is_told_languages())
    result.attention = attention_of(model, package_, tokenizers_, result.samples);
}

}  // namespace ventris::training
