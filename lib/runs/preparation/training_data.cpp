#include "preparation/training_data.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/log.h"
#include "data/corpus.h"
#include "data/corpus_cache.h"
#include "preparation/modified_text.h"
#include "preparation/standard_input.h"
#include "preparation/training_links.h"
#include "text/word_ids.h"

namespace ventris::preparation {
namespace {

void report(const settings::DataConfig& config, const data::PairStore& pairs,
            const std::vector<data::CorpusCounts>& counts) {
  const auto shares = corpus_shares(config, pairs.summary());
  const auto corpora = config.training();
  if (counts.size() > 1) core::log_info(fmt::format("{} training corpora", counts.size()));
  for (size_t i = 0; i < counts.size(); ++i) {
    const std::string name = counts.size() == 1 ? "" : fmt::format(" {} ({})", i + 1, corpora[i].files.source);
    const std::string share = shares.empty() ? "" : fmt::format("; {:.1f} % of an epoch", 100 * shares[i]);
    core::log_info(fmt::format("training corpus{}: {}{}", name, data::describe(counts[i]), share));
    const std::string problem = data::encoding_problem(corpora[i].files, counts[i]);
    if (!problem.empty()) core::log_warning(problem);
  }
}

}  // namespace

std::shared_ptr<const data::PairContext> pair_context(const settings::RunConfig& config, const Tokenizers& tokenizers,
                                                      double single) {
  const data::ContextOptions& context = config.data.context;
  if (context.sentences == 0) return nullptr;
  data::PairContext::Rules rules;
  rules.sentences = context.sentences;
  rules.both = context.sides == data::ContextSides::kBoth;
  rules.single = single;
  rules.max_length = config.longest_side();
  rules.seed = config.training.seed;
  rules.source_separator = text::id_of_word(tokenizers.source, context.separator);
  rules.target_separator = text::id_of_word(tokenizers.target, context.separator);
  return std::make_shared<data::PairContext>(rules);
}

void check_has_corpus(const settings::DataConfig& config) {
  if (!config.training().empty()) return;
  fail<ConfigError>(
      "data.train: no training corpus is given; use --train SOURCE TARGET, --train-tsv FILE, --train-text FILE, "
      "--train-labels FILE or a settings file");
}

void check_files(const settings::DataConfig& config) {
  const auto corpora = config.training();
  if (config.cache.empty() || !data::cache_is_of(config.cache, corpora)) {
    for (const data::CorpusSpec& corpus : corpora) {
      if (!is_standard_input(corpus)) data::check_corpus(corpus);
    }
  }
  if (!config.valid.source.empty()) data::check_files(config.valid);
  for (const settings::FurtherCorpus& corpus : config.further_valid) data::check_files(corpus.files);
}

data::ReadOptions read_options(const settings::RunConfig& config) {
  data::ReadOptions options;
  options.filter = config.data.filter;
  options.threads = static_cast<int>(config.training.threads);
  options.links = link_reader_of(config);
  options.keep_text = config.tokenizer.sampling_alpha > 0 || !config.data.modifiers.empty() || options.links;
  options.documents = config.data.context.sentences > 0;
  options.labels = config.model->labels();
  return options;
}

std::unique_ptr<const data::PairStore> load_training_pairs(const settings::RunConfig& config,
                                                           const Tokenizers& tokenizers) {
  const auto corpora = config.data.training();
  std::vector<data::CorpusCounts> counts;
  std::unique_ptr<const data::PairStore> pairs;
  if (config.data.cache.empty()) {
    pairs = std::make_unique<data::ParallelCorpus>(
        data::load_corpora(corpora, tokenizers.source, tokenizers.target, read_options(config), counts));
  } else {
    pairs = data::open_cache(config.data.cache, corpora, tokenizers.source, tokenizers.target, read_options(config),
                             counts);
  }
  report(config.data, *pairs, counts);
  log_links(config.training.guided_alignment, pairs->summary());
  log_changes(config, *pairs, tokenizers);
  return pairs;
}

std::vector<double> corpus_shares(const settings::DataConfig& config, const data::StoreSummary& summary) {
  std::vector<uint64_t> sizes;
  std::vector<double> weights;
  for (const data::CorpusPart& part : summary.parts) sizes.push_back(part.pairs);
  for (const settings::CorpusConfig& corpus : config.corpora) {
    if (corpus.weight > 0) weights.push_back(corpus.weight);
  }
  if (sizes.size() < 2 || (weights.empty() && config.temperature == 1)) return {};
  return data::mixing_shares(sizes, weights, config.temperature);
}

data::BatchOptions batch_options(const settings::RunConfig& config, const data::PairStore& pairs) {
  const settings::TrainingConfig& training = config.training;
  data::BatchOptions options{training.batch_tokens, training.max_sentences, training.seed};
  options.length_cost = training.length_cost;
  options.shares = corpus_shares(config.data, pairs.summary());
  options.marks = settings::most_marks(config);
  return options;
}

data::StepOptions step_options(const settings::RunConfig& config, const data::PairStore& pairs,
                               const Tokenizers& tokenizers) {
  data::StepOptions options;
  const settings::TokenizerConfig& tokenizer = config.tokenizer;
  options.modifier = modifier_of(config, tokenizers, term_forms_of(config, pairs));
  options.context = pair_context(config, tokenizers, config.data.context.single);
  // On a CPU, the replicas need the cores, so only one thread draws segmentations and changes texts.
  options.threads = config.training.device == "cpu" ? 1 : static_cast<int>(config.training.threads);
  if (tokenizer.sampling_alpha == 0) return options;
  data::SamplingOptions sampling;
  sampling.alpha = tokenizer.sampling_alpha;
  sampling.source = tokenizer.sample != settings::SampledSides::kTarget;
  sampling.target = tokenizer.sample != settings::SampledSides::kSource && config.model->labels().empty();
  sampling.max_length = config.data.filter.max_length;
  sampling.seed = config.training.seed;
  options.sampler = std::make_shared<data::SubwordSampler>(tokenizers.source, tokenizers.target, sampling);
  return options;
}

}  // namespace ventris::preparation
