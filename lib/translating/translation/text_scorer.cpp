#include "translation/text_scorer.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "decoding/search.h"
#include "metrics/unicode.h"
#include "text/valid_utf8.h"
#include "translation/model_text.h"
#include "translation/ordered_windows.h"
#include "translation/translator_checks.h"

namespace ventris::translation {
namespace {

void count(const PairScore& score, ScoreCounts& counts) {
  counts.pairs += 1;
  counts.blank += score.blank;
  if (score.blank && counts.first_blank == 0) counts.first_blank = counts.pairs;
  counts.source_cut += score.source_cut;
  counts.target_cut += score.target_cut;
  if ((score.source_cut || score.target_cut) && counts.first_cut == 0) counts.first_cut = counts.pairs;
  counts.tokens += static_cast<int64_t>(score.token_log_probs.size());
  counts.words += score.words;
  counts.log_prob += score.log_prob;
}

}  // namespace

/// A pair from its request to its score.
struct TextScorer::Item {
  std::vector<int32_t> source, target;  // an empty source is not scored
  std::vector<int32_t> before;          // ids in front of the target, which are not scored
  ItemBytes bytes;
  PairScore score;
};

void check(const TextScorerOptions& options) {
  check_workers(options.workers);
  check_workspace(options.workspace);
  if (!(options.length_alpha >= 0 && options.length_alpha <= 10)) {
    fail<ConfigError>("normalize: must be from 0 to 10, got ", options.length_alpha);
  }
  check(options.batch, options.window_lines);
}

TextScorer::TextScorer(const model::Package& package, const decoding::ScorerFactory& scorers,
                       const TextScorerOptions& options)
    : source_tokenizer_(source_tokenizer(package)),
      target_tokenizer_(target_tokenizer(package, source_tokenizer_)),
      policy_(package.config.tokenizer),
      marks_(Languages(policy_, source_tokenizer_, target_tokenizer_)
                 .marks(options.source_language, options.target_language)),
      context_(learnt_context(options.context, package)),
      source_separator_(separator_of(source_tokenizer_, context_)),
      target_separator_(separator_of(target_tokenizer_, context_)),
      options_(options) {
  check(options);
  for (int i = 0; i < options.workers; ++i) scorers_->add(scorers.make_pair_scorer());
  const decoding::PairScorer& first = *scorers_->first();
  check_room(marks_.of_source(), static_cast<int64_t>(marks_.target.size()), first.max_length(), package.path);
  options_.batch.needs = first.memory();
  options_.batch.bytes = options.workspace * kMebibyte;
  max_length_ = longest_pair(options_.batch.needs, first.max_length(), options.workspace);
  cut_by_workspace_ = max_length_ < first.max_length();
}

TextScorer::Item TextScorer::encode(const TextPair& pair) const {
  Item item;
  item.bytes = {pair.bytes, static_cast<int64_t>(pair.source.size() + pair.target.size())};
  EncodedSource source = encode_source(pair.source, source_tokenizer_, policy_, max_length_, marks_);
  item.source = std::move(source.ids);
  item.score.source_cut = source.cut;
  item.score.blank = item.source.empty();
  item.score.unscored = item.score.blank && !text::is_blank(pair.target);
  if (item.score.blank) return item;
  item.target = target_tokenizer_.encode(pair.target);
  const int64_t longest = std::max<int64_t>(1, max_length_ - static_cast<int64_t>(marks_.target.size()));
  item.score.target_cut = static_cast<int64_t>(item.target.size()) >= longest;
  if (item.score.target_cut) item.target.resize(static_cast<size_t>(longest));
  // Of a cut target, only the words that are scored count. Otherwise the words of the text do, because decoding would
  // turn unknown words into <unk>.
  const std::string scored = item.score.target_cut ? target_tokenizer_.decode(item.target) : pair.target;
  item.score.words = static_cast<int64_t>(metrics::split_words(scored).size()) + (item.score.target_cut ? 0 : 1);
  item.before = marks_.target;
  if (context_.sentences > 0) add_context(pair, item);
  return item;
}

/// Puts the newest sentences before the pair that fit on both sides behind the marks of the languages.
void TextScorer::add_context(const TextPair& pair, Item& item) const {
  std::vector<int32_t> sources, targets;  // the newest sentences so far
  int64_t left = options_.context;
  for (auto before = pair.context.rbegin(); before != pair.context.rend() && left > 0; ++before, --left) {
    std::vector<int32_t> source = source_tokenizer_.encode(before->first), target;
    if (source.empty()) continue;
    source.push_back(source_separator_);
    if (context_.both) {
      target = target_tokenizer_.encode(before->second);
      target.push_back(target_separator_);
    }
    const auto written = std::ssize(item.before) + std::ssize(item.target) + std::ssize(targets) + std::ssize(target);
    if (std::ssize(item.source) + std::ssize(sources) + std::ssize(source) > max_length_ || written >= max_length_)
      break;
    sources.insert(sources.begin(), source.begin(), source.end());
    targets.insert(targets.begin(), target.begin(), target.end());
  }
  item.source.insert(item.source.begin() + std::ssize(marks_.before), sources.begin(), sources.end());
  item.before.insert(item.before.end(), targets.begin(), targets.end());
}

ScoreCounts TextScorer::run(const Source& source, const Ready& ready, const Sink& sink, const Watch& watch) const {
  ScoreCounts counts;
  if (cut_by_workspace_) counts.workspace_tokens = max_length_;
  OrderedWork<TextPair, Item> work;
  work.noun = "pair";
  work.source = source;
  work.ready = ready;
  work.encode = [&](const TextPair& pair) { return encode(pair); };
  work.size = [](const Item& item) -> BatchItem {
    const size_t longer = std::max(item.source.size(), item.before.size() + item.target.size() + 1);
    const auto length = static_cast<int64_t>(longer);
    return {item.source.empty() ? 0 : length, 1, length};
  };
  work.lane = [&](std::vector<Item>& items, WindowQueue& queue, int /*worker*/) {
    queue.each_batch([&](const std::vector<size_t>& batch) { score_batch(items, batch); });
  };
  work.hand_out = [&](const Item& item) {
    count(item.score, counts);
    sink(item.score);
  };
  if (watch) {
    work.watch = [&](const Item& item) {
      watch({item.bytes.told, item.score.blank ? 0 : 1, static_cast<int64_t>(item.score.token_log_probs.size())});
    };
  }
  run_in_order({options_.batch, options_.window_lines, 1, options_.workers, window_text(options_.workspace)}, work);
  return counts;
}

std::vector<PairScore> TextScorer::score(const std::vector<TextPair>& pairs) const {
  std::vector<PairScore> scores;
  size_t next = 0;
  const Source source = [&](TextPair& pair) {
    if (next == pairs.size()) return false;
    pair = pairs[next++];
    return true;
  };
  run(source, [] { return true; }, [&](const PairScore& score) { scores.push_back(score); });
  return scores;
}

void TextScorer::score_batch(std::vector<Item>& items, const std::vector<size_t>& batch) const {
  std::vector<decoding::Pair> pairs;
  std::deque<std::vector<int32_t>> targets;  // with what is in front of them
  for (const size_t i : batch) {
    std::vector<int32_t>& target = targets.emplace_back(items[i].before);
    target.insert(target.end(), items[i].target.begin(), items[i].target.end());
    pairs.push_back({items[i].source, target, !items[i].score.target_cut});
  }
  const auto scorer = scorers_->lend();
  auto answers = (*scorer)->answer(pairs, {});
  for (size_t i = 0; i < batch.size(); ++i) finish(items[batch[i]], answers[i].log_probs);
}

void TextScorer::finish(Item& item, const std::vector<float>& log_probs) const {
  PairScore& score = item.score;
  score.token_log_probs.assign(log_probs.begin() + std::ssize(item.before), log_probs.end());
  for (const float log_prob : score.token_log_probs) score.log_prob += static_cast<double>(log_prob);
  if (std::isnan(score.log_prob)) {
    fail<ModelError>("the model gave a score that is not a number; its weights are not usable");
  }
  const auto tokens = std::ssize(score.token_log_probs) + std::ssize(marks_.target);  // as in a search without context
  score.score = decoding::normalise(score.log_prob, tokens, options_.length_alpha);
  for (const int32_t id : item.target) score.pieces.push_back(target_tokenizer_.piece(id));
  if (!score.target_cut) score.pieces.push_back(target_tokenizer_.piece(policy_.ids.eos));
}

}  // namespace ventris::translation
