#include "translation/translator.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/parallel.h"
#include "core/process.h"
#include "text/utf8.h"

namespace ventris::translation {

/// A line on its way.
struct Translator::Line {
  decoding::Sentence sentence;  // no source: nothing to translate
  bool source_cut = false;
  bool done = false;
  Translation translation;
};

/// Lines that are sorted and searched together.
struct Translator::Window {
  std::vector<Line> lines;
  size_t next_out = 0;  // the first line not handed out yet
};

namespace {

constexpr int kMostWorkers = 1024;

text::Tokenizer checked_tokenizer(const std::string& bytes, const std::string& where, int64_t vocab) {
  text::Tokenizer tokenizer(bytes, where);
  if (tokenizer.size() != vocab) {
    fail<ModelError>(where, ": the tokenizer has ", tokenizer.size(), " pieces, the model's vocabulary ", vocab);
  }
  return tokenizer;
}

}  // namespace

void check(const TranslatorOptions& options) {
  decoding::check(options.search);
  if (options.workers < 1 || options.workers > kMostWorkers) {
    fail<ConfigError>("threads: must be from 1 to ", kMostWorkers, ", got ", options.workers);
  }
  if (options.batch_sentences < 1) fail<ConfigError>("mini_batch: must be at least 1, got ", options.batch_sentences);
  if (options.batch_tokens < 1) fail<ConfigError>("mini_batch_words: must be at least 1, got ", options.batch_tokens);
  if (options.window_lines < 1) fail<ConfigError>("maxi_batch: must be at least 1, got ", options.window_lines);
  if (options.max_source_length < 0 || options.max_source_length == 1) {
    fail<ConfigError>("max_source_length: must be 0 (what the model can take) or at least 2, got ",
                      options.max_source_length);
  }
}

Translator::Translator(const model::Package& package, std::shared_ptr<const decoding::ScorerFactory> scorers,
                       const TranslatorOptions& options)
    : source_tokenizer_(
          checked_tokenizer(package.source_spm, package.path + ": source.spm", package.config.transformer.src_vocab)),
      target_tokenizer_(
          checked_tokenizer(package.target_spm, package.path + ": target.spm", package.config.transformer.tgt_vocab)),
      policy_(package.config.tokenizer),
      options_(options) {
  check(options);
  for (int i = 0; i < options.workers; ++i) scorers_.push_back(scorers->make());
  max_target_length_ = scorers_.front()->info().max_length;
  max_source_length_ = max_target_length_;
  if (options.max_source_length > 0) max_source_length_ = std::min(max_source_length_, options.max_source_length);
}

Translator::Line Translator::encode(const Request& request) {
  Line line;
  line.sentence.number = next_number_++;
  if (!text::is_blank(request.text)) line.sentence.source = source_tokenizer_.encode(request.text);
  if (line.sentence.source.empty()) {
    line.translation.candidates.emplace_back();
    line.done = true;
    return line;
  }
  const auto most = static_cast<size_t>(max_source_length_ - (policy_.source_eos ? 1 : 0));
  line.source_cut = line.sentence.source.size() > most;
  if (line.source_cut) line.sentence.source.resize(most);
  if (policy_.source_eos) line.sentence.source.push_back(policy_.ids.eos);
  if (!request.prefix.empty()) encode_prefix(request, line.sentence);
  return line;
}

void Translator::encode_prefix(const Request& request, decoding::Sentence& sentence) const {
  sentence.prefix = target_tokenizer_.encode(request.prefix);
  const auto found = static_cast<int64_t>(sentence.prefix.size());
  if (found >= max_target_length_) {
    fail<PrefixError>("line ", sentence.number + 1, ": its prefix has ", found,
                      " tokens, and the model's longest translation has ", max_target_length_, " with eos; shorten it");
  }
}

void Translator::run(const Source& source, const Ready& ready, const Sink& sink) {
  Request request;
  bool more = true;
  while (more) {
    Window window;
    do {
      more = source(request);
      if (more) window.lines.push_back(encode(request));
    } while (more && static_cast<int64_t>(window.lines.size()) < options_.window_lines && ready());
    run_window(window, sink);
  }
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

/// Batches of lines of similar length; the batch with the earliest line first, so that output starts soon.
std::vector<std::vector<size_t>> Translator::make_batches(const Window& window) const {
  std::vector<size_t> order;
  for (size_t i = 0; i < window.lines.size(); ++i) {
    if (!window.lines[i].done) order.push_back(i);
  }
  const auto length = [&](size_t i) { return static_cast<int64_t>(window.lines[i].sentence.source.size()); };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return length(a) < length(b); });
  std::vector<std::vector<size_t>> batches;
  for (const size_t i : order) {  // lengths rise: the newest line is the longest of its batch
    const auto sentences = batches.empty() ? 0 : static_cast<int64_t>(batches.back().size());
    const bool fits =
        sentences > 0 && sentences < options_.batch_sentences && (sentences + 1) * length(i) <= options_.batch_tokens;
    if (!fits) batches.emplace_back();
    batches.back().push_back(i);
  }
  const auto earliest = [](const std::vector<size_t>& batch) { return *std::min_element(batch.begin(), batch.end()); };
  std::sort(batches.begin(), batches.end(), [&](const auto& a, const auto& b) { return earliest(a) < earliest(b); });
  return batches;
}

void Translator::run_window(Window& window, const Sink& sink) {
  std::mutex mutex;
  const auto hand_out = [&] {
    for (; window.next_out < window.lines.size() && window.lines[window.next_out].done; ++window.next_out) {
      const Line& line = window.lines[window.next_out];
      count(line.translation, line.sentence.source.empty());
      sink(line.translation);
    }
  };
  hand_out();
  const auto batches = make_batches(window);
  core::parallel_for(batches.size(), options_.workers, [&](size_t i, int worker) {
    if (core::stop_signal() != 0) return;
    search_batch(window, batches[i], *scorers_[static_cast<size_t>(worker)]);
    const std::lock_guard lock(mutex);
    for (const size_t line : batches[i]) window.lines[line].done = true;
    hand_out();
  });
  if (core::stop_signal() != 0 && window.next_out < window.lines.size()) {
    throw Interrupted(core::stop_signal(), "stopped by a signal after line " + std::to_string(counts_.lines));
  }
}

void Translator::search_batch(Window& window, const std::vector<size_t>& batch, decoding::StepScorer& scorer) const {
  std::vector<decoding::Sentence> sentences;
  for (const size_t line : batch) sentences.push_back(window.lines[line].sentence);
  auto results = decoding::search(scorer, sentences, options_.search);
  for (size_t i = 0; i < batch.size(); ++i) {
    Line& line = window.lines[batch[i]];
    line.translation = finish(std::move(results[i]), line.source_cut);
  }
}

Translation Translator::finish(std::vector<decoding::Hypothesis> hypotheses, bool source_cut) const {
  Translation translation;
  translation.source_cut = source_cut;
  for (const decoding::Hypothesis& hypothesis : hypotheses) {
    Candidate candidate;
    candidate.text = target_tokenizer_.decode(hypothesis.ids);
    text::remove_line_ends(candidate.text);
    candidate.log_prob = hypothesis.log_prob;
    candidate.score = hypothesis.score;
    candidate.tokens = static_cast<int64_t>(hypothesis.token_log_probs.size());
    candidate.truncated = hypothesis.truncated;
    translation.candidates.push_back(std::move(candidate));
  }
  return translation;
}

void Translator::count(const Translation& translation, bool empty) {
  counts_.lines += 1;
  counts_.empty += empty;
  counts_.source_cut += translation.source_cut;
  if (translation.source_cut && counts_.first_source_cut == 0) counts_.first_source_cut = counts_.lines;
  counts_.truncated += translation.candidates.front().truncated;
  counts_.target_tokens += translation.candidates.front().tokens;
}

}  // namespace ventris::translation
