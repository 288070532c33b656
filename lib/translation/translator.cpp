#include "translation/translator.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/process.h"
#include "translation/batches.h"
#include "translation/model_text.h"

namespace ventris::translation {

/// A line on its way.
struct Translator::Line {
  decoding::Sentence sentence;  // no source: nothing to translate
  std::string text;             // only kept where attention is asked for
  std::vector<std::string> prefix_pieces;  // only where the prefix has an unknown token
  int64_t bytes = 0;                       // of the request
  Translation translation;
};

/// Lines that are sorted and searched together.
struct Translator::Window {
  std::vector<Line> lines;
  int64_t text_bytes = 0;
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

Translator::Translator(const model::Package& package, const std::shared_ptr<const decoding::ScorerFactory>& models,
                       const TranslatorOptions& options)
    : source_tokenizer_(source_tokenizer(package)),
      target_tokenizer_(target_tokenizer(package)),
      policy_(package.config.tokenizer),
      options_(options),
      finisher_(source_tokenizer_, target_tokenizer_, policy_, options.finish, options.search.n_best) {
  check(options);
  for (int i = 0; i < options.workers; ++i) {
    decoders_.push_back(decoding::make_decoder(*models));
    pair_scorers_.push_back(options.finish.asks_attention() ? models->make_pair_scorer() : nullptr);
  }
  if (options.finish.asks_attention()) finisher_.choose_attention(pair_scorers_.front()->attention_shape());
  const decoding::SearchOptions search = widened(options.search, options.finish);
  max_target_length_ = decoding::longest_sentence(search, decoders_.front()->max_length());
  max_source_length_ = max_target_length_;
  if (options.max_source_length > 0) max_source_length_ = std::min(max_source_length_, options.max_source_length);
}

Translator::Line Translator::encode(const Request& request) {
  Line line;
  line.sentence.number = next_number_++;
  line.bytes = request.bytes;
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
  std::vector<int32_t>& ids = line.sentence.prefix;
  ids = target_tokenizer_.encode(prefix);
  const auto found = static_cast<int64_t>(ids.size());
  if (found >= max_target_length_) {
    fail<PrefixError>("line ", line.sentence.number + 1, ": its prefix has ", found,
                      " tokens, and the longest translation has ", max_target_length_, " with eos; shorten it");
  }
  if (std::ranges::find(ids, policy_.ids.unk) != ids.end()) line.prefix_pieces = target_tokenizer_.pieces(prefix);
}

void Translator::run(const Source& source, const Ready& ready, const Sink& sink, const Watch& watch) {
  Request request;
  bool more = true;
  while (more) {
    Window window;
    do {
      more = source(request);
      if (!more) break;
      if (core::stop_signal() != 0) stop();
      window.lines.push_back(encode(request));
      window.text_bytes += static_cast<int64_t>(request.text.size() + request.prefix.size());
    } while (has_room(window) && ready());
    run_window(window, sink, watch);
  }
}

void Translator::stop() const {
  throw Interrupted(core::stop_signal(), "stopped by a signal after line " + std::to_string(counts_.lines));
}

bool Translator::has_room(const Window& window) const {
  const auto lines = static_cast<int64_t>(window.lines.size());
  return lines < options_.window_lines && window.text_bytes < kMostWindowBytes &&
         lines * options_.search.n_best < kMostWindowResults;
}

std::vector<Translation> Translator::translate(const std::vector<std::string>& lines) {
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

void Translator::run_window(Window& window, const Sink& sink, const Watch& watch) {
  const decoding::SearchOptions search = widened(options_.search, options_.finish);
  std::vector<BatchItem> items;
  for (const Line& line : window.lines) {
    items.push_back({static_cast<int64_t>(line.sentence.source.size()), decoding::most_rows(search),
                     decoding::greatest_length(line.sentence, search, max_target_length_)});
  }
  WindowWork work;
  work.batch = [&](const std::vector<size_t>& batch, int worker) { search_batch(window, batch, worker); };
  if (watch) work.done = [&](size_t i) { watch(window.lines[i].bytes); };
  work.hand_out = [&](size_t i) {
    const Line line = std::exchange(window.lines[i], {});  // its memory is wanted no more
    count(line.translation, line.sentence.source.empty());
    sink(line.translation);
  };
  const BatchLimits limits{options_.batch_sentences, options_.batch_tokens};
  if (translation::run_window(items, limits, options_.workers, work) < window.lines.size()) stop();
}

void Translator::search_batch(Window& window, const std::vector<size_t>& batch, int worker) const {
  const double started = core::seconds_now();
  const auto place = static_cast<size_t>(worker);
  std::vector<decoding::Sentence> sentences;
  for (const size_t i : batch) sentences.push_back(window.lines[i].sentence);
  auto results = decoders_[place]->decode(sentences, widened(options_.search, options_.finish));
  std::vector<FoundLine> found;
  for (size_t i = 0; i < batch.size(); ++i) {
    Line& line = window.lines[batch[i]];
    found.push_back(
        {std::move(line.text), std::move(sentences[i].source), std::move(results[i]), std::move(line.prefix_pieces)});
  }
  auto finished = finisher_.finish(std::move(found), pair_scorers_[place].get());
  for (size_t i = 0; i < batch.size(); ++i) {
    Translation& translation = window.lines[batch[i]].translation;
    translation.candidates = std::move(finished[i]);
    translation.seconds = core::seconds_now() - started;
  }
}

void Translator::count(const Translation& translation, bool empty) {
  counts_.lines += 1;
  counts_.empty += empty;
  counts_.source_cut += translation.source_cut;
  if (translation.source_cut && counts_.first_source_cut == 0) counts_.first_source_cut = counts_.lines;
  counts_.truncated += translation.candidates.front().truncated;
  counts_.repetitive += translation.candidates.front().repetitive;
  counts_.target_tokens += translation.candidates.front().tokens;
}

}  // namespace ventris::translation
