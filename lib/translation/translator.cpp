#include "translation/translator.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/process.h"
#include "translation/batches.h"
#include "translation/model_text.h"
#include "translation/ordered_windows.h"

namespace ventris::translation {
namespace {

void count(const Translation& translation, bool empty, TranslationCounts& counts) {
  counts.lines += 1;
  counts.empty += empty;
  counts.source_cut += translation.source_cut;
  if (translation.source_cut && counts.first_source_cut == 0) counts.first_source_cut = counts.lines;
  counts.truncated += translation.candidates.front().truncated;
  counts.repetitive += translation.candidates.front().repetitive;
  counts.target_tokens += translation.candidates.front().tokens;
}

}  // namespace

/// A line from its request to its translation.
struct Translator::Line {
  decoding::Sentence sentence;  // an empty source is not translated
  std::string text;             // empty unless attention is needed
  std::vector<std::string> prefix_pieces;  // empty unless the prefix has an unknown token
  ItemBytes bytes;
  Translation translation;
};

void check(const TranslatorOptions& options) {
  decoding::check(options.search);
  check_workers(options.workers);
  check({options.batch_sentences, options.batch_tokens}, options.window_lines);
  if (options.max_source_length < 0 || options.max_source_length == 1) {
    fail<ConfigError>("max_source_length: must be 0 (what the model can take) or at least 2, got ",
                      options.max_source_length);
  }
  check(options.finish, options.search);
}

TranslatorOptions suggested_options(const model::DecodingDefaults& defaults) {
  TranslatorOptions options;
  options.search.beam_size = static_cast<int32_t>(defaults.beam_size);
  options.search.length_alpha = defaults.length_alpha;
  options.search.max_length_factor = defaults.max_length_factor;
  options.search.iterations = static_cast<int32_t>(defaults.iterations);
  options.search.length_candidates = static_cast<int32_t>(defaults.length_candidates);
  return options;
}

Translator::Translator(const model::Package& package, const std::shared_ptr<const decoding::ScorerFactory>& models,
                       const TranslatorOptions& options)
    : source_tokenizer_(source_tokenizer(package)),
      target_tokenizer_(target_tokenizer(package, source_tokenizer_)),
      policy_(package.config.tokenizer),
      options_(options),
      finisher_(source_tokenizer_, target_tokenizer_, policy_, options.finish, options.search.n_best) {
  check(options);
  for (int i = 0; i < options.workers; ++i) {
    workers_->add({models->make_decoder(), options.finish.asks_attention() ? models->make_pair_scorer() : nullptr});
  }
  const Worker& first = workers_->first();
  writing_ = first.decoder->writing();
  decoding::check(options.search, writing_);
  if (first.pair_scorer) finisher_.choose_attention(first.pair_scorer->attention_shape());
  const decoding::SearchOptions search = widened(options.search, options.finish);
  max_target_length_ = decoding::longest_sentence(search, first.decoder->max_length());
  max_source_length_ = max_target_length_;
  if (options.max_source_length > 0) max_source_length_ = std::min(max_source_length_, options.max_source_length);
}

Translator::Line Translator::encode(const Request& request, uint64_t number) const {
  Line line;
  line.sentence.number = number;
  line.bytes = {request.bytes, static_cast<int64_t>(request.text.size() + request.prefix.size())};
  EncodedSource source = encode_source(request.text, source_tokenizer_, policy_, max_source_length_);
  line.sentence.source = std::move(source.ids);
  line.translation.source_cut = source.cut;
  if (line.sentence.source.empty()) {
    line.translation.candidates.emplace_back();
    return line;
  }
  if (options_.finish.asks_attention()) line.text = request.text;
  if (!request.prefix.empty()) encode_prefix(request.prefix, line);
  return line;
}

void Translator::encode_prefix(const std::string& prefix, Line& line) const {
  if (writing_.all_at_once) {
    fail<ConfigError>(
        "force_prefix: this model writes all tokens at once, so none can be given; leave it out, or use a model that "
        "writes token by token");
  }
  std::vector<int32_t>& ids = line.sentence.prefix;
  ids = target_tokenizer_.encode(prefix);
  const auto found = static_cast<int64_t>(ids.size());
  if (found >= max_target_length_) {
    fail<PrefixError>("line ", line.sentence.number + 1, ": its prefix has ", found,
                      " tokens, and the longest translation has ", max_target_length_, " with eos; shorten it");
  }
  if (std::ranges::find(ids, policy_.ids.unk) != ids.end()) line.prefix_pieces = target_tokenizer_.pieces(prefix);
}

TranslationCounts Translator::run(const Source& source, const Ready& ready, const Sink& sink, const Watch& watch,
                                  uint64_t first) const {
  const decoding::SearchOptions search = widened(options_.search, options_.finish);
  TranslationCounts counts;
  uint64_t next_number = first;  // for the draws of sampling
  OrderedWork<Request, Line> work;
  work.noun = "line";
  work.source = source;
  work.ready = ready;
  work.encode = [&](const Request& request) { return encode(request, next_number++); };
  work.size = [&](const Line& line) -> BatchItem {
    return {static_cast<int64_t>(line.sentence.source.size()), decoding::most_rows(search),
            decoding::greatest_length(line.sentence, search, max_target_length_)};
  };
  work.search = [&](std::vector<Line>& lines, const std::vector<size_t>& batch) { search_batch(lines, batch); };
  work.hand_out = [&](const Line& line) {
    count(line.translation, line.sentence.source.empty(), counts);
    sink(line.translation);
  };
  work.watch = watch;
  run_in_order({{options_.batch_sentences, options_.batch_tokens},
                options_.window_lines,
                options_.search.n_best,
                options_.workers},
               work);
  return counts;
}

std::vector<Translation> Translator::translate(const std::vector<std::string>& lines) const {
  std::vector<Translation> all;
  size_t next = 0;
  const Source source = [&](Request& request) {
    if (next == lines.size()) return false;
    request.text = lines[next++];
    return true;
  };
  run(source, [] { return true; }, [&](const Translation& translation) { all.push_back(translation); });
  return all;
}

void Translator::search_batch(std::vector<Line>& lines, const std::vector<size_t>& batch) const {
  const auto worker = workers_->lend();
  const double started = core::seconds_now();
  std::vector<decoding::Sentence> sentences;
  for (const size_t i : batch) sentences.push_back(lines[i].sentence);
  auto results = worker->decoder->decode(sentences, widened(options_.search, options_.finish));
  std::vector<FoundLine> found;
  for (size_t i = 0; i < batch.size(); ++i) {
    Line& line = lines[batch[i]];
    found.push_back(
        {std::move(line.text), std::move(sentences[i].source), std::move(results[i]), std::move(line.prefix_pieces)});
  }
  auto finished = finisher_.finish(std::move(found), worker->pair_scorer.get());
  for (size_t i = 0; i < batch.size(); ++i) {
    Translation& translation = lines[batch[i]].translation;
    translation.candidates = std::move(finished[i]);
    translation.seconds = core::seconds_now() - started;
  }
}

}  // namespace ventris::translation
