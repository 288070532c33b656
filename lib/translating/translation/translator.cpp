#include "translation/translator.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/process.h"
#include "translation/ordered_windows.h"
#include "translation/translator_checks.h"
#include "translation/window_batches.h"

namespace ventris::translation {
namespace {

constexpr int64_t kBytesOfToken = 64;  // of a result: its piece and its log-probability

/// The memory of a translation.
int64_t bytes_of(const Translation& translation) {
  size_t bytes = 0;
  for (const Candidate& candidate : translation.candidates) {
    bytes += sizeof(Candidate) + candidate.text.size() + sizeof(float) * candidate.token_log_probs.size() +
             sizeof(Link) * candidate.links.size();
    for (const phrases::Unmet& unmet : candidate.unmet) bytes += sizeof(phrases::Unmet) + unmet.phrase.size();
    for (const std::string& piece : candidate.pieces) bytes += sizeof(std::string) + piece.size();
  }
  return static_cast<int64_t>(bytes);
}

}  // namespace

void TranslationCounts::add(const Translation& translation, bool is_empty) {
  const Candidate& best = translation.candidates.front();
  lines += 1;
  empty += is_empty;
  source_cut += translation.source_cut;
  if (translation.source_cut && first_source_cut == 0) first_source_cut = lines;
  truncated += best.truncated;
  if (best.truncated && first_truncated == 0) first_truncated = lines;
  repetitive += best.repetitive;
  target_tokens += best.tokens;
}

/// A line from its request to its translation.
struct Translator::Line {
  decoding::Sentence sentence;  // an empty source is not translated
  std::string text;             // empty unless attention is needed
  std::vector<std::string> prefix_pieces;  // empty unless the prefix has an unknown token
  SourceMarks marks;
  int32_t separator = kNoSeparator;  // of the target, if it has the translations of the context
  phrases::Wishes wishes;
  phrases::SuggestedTerms suggested;  // without its text; nothing is added if the line would be too long with it
  ItemBytes bytes;
  Translation translation;

  /// What the finisher gets, once.
  FoundLine found(std::vector<decoding::Hypothesis> hypotheses) {
    const auto begin = sentence.prefix.begin(), given = begin + static_cast<std::ptrdiff_t>(sentence.given);
    const auto forced = static_cast<size_t>(sentence.prefix.end() - given);
    return {std::move(text),          sentence.source, std::move(hypotheses),
            std::move(prefix_pieces), marks,           {begin, given},
            suggested.added,          separator,       forced};
  }

  void find_unmet() {
    for (Candidate& candidate : translation.candidates) {
      candidate.unmet = wishes.unmet(candidate.text);
      if (suggested.translations.empty()) continue;
      const auto why = suggested.added.empty() ? phrases::Obstacle::kNotGiven : phrases::Obstacle::kUnused;
      for (std::string& wanted : phrases::without_form_in(candidate.text, suggested.translations)) {
        candidate.unmet.push_back({std::move(wanted), why});
      }
    }
  }
};

/// What a worker does in a window: it searches lines from the queue, and turns what is found into translations.
class Translator::Lane : public decoding::SentenceStream {
 public:
  Lane(const Translator& translator, std::vector<Line>& lines, WindowQueue& queue, Worker& worker)
      : translator_(translator), lines_(lines), queue_(queue), worker_(worker) {}

  void run() {
    worker_.decoder->translate(*this, translator_.search_, translator_.limits_);
    finish();
  }

  const decoding::Sentence* take(const std::function<bool(const decoding::Sentence&)>& accept) override {
    const bool idle = searched_.empty();
    if (idle) finish();
    const auto item = queue_.take_item(idle, [&](size_t i) { return accept(lines_[i].sentence); });
    if (!item) return nullptr;
    const decoding::Sentence& sentence = lines_[*item].sentence;
    searched_[&sentence] = {*item, core::seconds_now()};
    return &sentence;
  }

  void done(const decoding::Sentence& sentence, std::vector<decoding::Hypothesis> results) override {
    const auto [item, started] = searched_.extract(&sentence).mapped();
    Line& line = lines_[item];
    line.translation.seconds = core::seconds_now() - started;
    for (const decoding::Hypothesis& hypothesis : results) found_tokens_ += hypothesis.ids.size();
    found_.push_back(line.found(std::move(results)));
    items_.push_back(item);
    // Attention is computed for many lines together. Nothing else is gained by waiting.
    const bool full = items_.size() >= kMostTogether || found_tokens_ >= kMostTokensTogether;
    if (worker_.pair_scorer == nullptr || full) finish();
  }

 private:
  struct Searched {
    size_t item;
    double started;
  };
  static constexpr size_t kMostTogether = 64, kMostTokensTogether = 1 << 14;

  /// Turns what was found into translations, and passes them on.
  void finish() {
    if (items_.empty()) return;
    auto finished = translator_.finisher_.finish(std::move(found_), worker_.pair_scorer.get());
    int64_t bytes = 0;
    for (size_t i = 0; i < items_.size(); ++i) {
      Translation& translation = lines_[items_[i]].translation;
      translation.candidates = std::move(finished[i]);
      lines_[items_[i]].find_unmet();
      bytes += bytes_of(translation);
    }
    const std::vector<size_t> items = std::exchange(items_, {});
    found_.clear();
    found_tokens_ = 0;
    queue_.finish(items, bytes);
  }

  const Translator& translator_;
  std::vector<Line>& lines_;
  WindowQueue& queue_;
  Worker& worker_;
  std::map<const decoding::Sentence*, Searched> searched_;  // in the decoder
  std::vector<FoundLine> found_;  // searched, but not translations yet
  std::vector<size_t> items_;     // their lines
  size_t found_tokens_ = 0;
};

/// What a thread does in serve(): it searches requests as they come, and passes on each translation after the step of
/// the search that has finished it.
class Translator::Service : public decoding::SentenceStream {
 public:
  Service(const Translator& translator, RequestStream& stream, Worker& worker)
      : translator_(translator), stream_(stream), worker_(worker) {}

  void run() {
    do {
      try {
        worker_.decoder->translate(*this, translator_.search_, translator_.limits_);
        finish();
      } catch (...) {
        fail_all(std::current_exception());
      }
      fetch();
    } while (waiting_ != nullptr);
  }

  const decoding::Sentence* take(const std::function<bool(const decoding::Sentence&)>& accept) override {
    finish();
    fetch();
    if (waiting_ == nullptr || !accept(waiting_->line.sentence)) return nullptr;
    waiting_->started = core::seconds_now();
    const decoding::Sentence* const sentence = &waiting_->line.sentence;
    searched_[sentence] = std::move(waiting_);
    return sentence;
  }

  void done(const decoding::Sentence& sentence, std::vector<decoding::Hypothesis> results) override {
    found_.push_back(std::move(searched_.extract(&sentence).mapped()));
    found_.back()->results = std::move(results);
  }

 private:
  struct Entry {
    const Request* request = nullptr;
    Line line;
    double started = 0;
    std::vector<decoding::Hypothesis> results = {};
  };

  /// Makes the next request that the model is asked for the one that waits; those without a token are done at once.
  void fetch() {
    while (waiting_ == nullptr) {
      const Request* const request = stream_.next();
      if (request == nullptr) return;
      try {
        auto entry = std::make_unique<Entry>(Entry{request, translator_.encode(*request, 0)});
        if (entry->line.sentence.source.empty()) {
          stream_.done(*request, std::move(entry->line.translation));
        } else {
          waiting_ = std::move(entry);
        }
      } catch (...) {
        stream_.failed(*request, std::current_exception());
      }
    }
  }

  /// Turns what was found into translations, and passes them on.
  void finish() {
    if (found_.empty()) return;
    std::vector<FoundLine> lines;
    for (const auto& entry : found_) lines.push_back(entry->line.found(std::move(entry->results)));
    auto finished = translator_.finisher_.finish(std::move(lines), worker_.pair_scorer.get());
    const auto found = std::exchange(found_, {});
    for (size_t i = 0; i < found.size(); ++i) {
      Line& line = found[i]->line;
      line.translation.candidates = std::move(finished[i]);
      line.translation.seconds = core::seconds_now() - found[i]->started;
      line.find_unmet();
      stream_.done(*found[i]->request, std::move(line.translation));
    }
  }

  void fail_all(const std::exception_ptr& problem) {
    for (const auto& [sentence, entry] : std::exchange(searched_, {})) stream_.failed(*entry->request, problem);
    for (const auto& entry : std::exchange(found_, {})) stream_.failed(*entry->request, problem);
  }

  const Translator& translator_;
  RequestStream& stream_;
  Worker& worker_;
  std::unique_ptr<Entry> waiting_;  // the search had no room for it yet
  std::map<const decoding::Sentence*, std::unique_ptr<Entry>> searched_;  // in the decoder
  std::vector<std::unique_ptr<Entry>> found_;                            // searched, but not translations yet
};

Translator::Translator(const model::Package& package, const std::shared_ptr<const decoding::ScorerFactory>& models,
                       const TranslatorOptions& options)
    : source_tokenizer_(translation::source_tokenizer(package)),
      target_tokenizer_(translation::target_tokenizer(package, source_tokenizer_)),
      policy_(package.config.tokenizer),
      languages_(options.marked_sources ? Languages() : Languages(policy_, source_tokenizer_, target_tokenizer_)),
      options_(options),
      models_(models),
      context_(checked_context(options, package)),
      source_separator_(separator_of(source_tokenizer_, context_)),
      target_separator_(written_separator(target_tokenizer_, package.config.context)),
      finisher_(source_tokenizer_, target_tokenizer_, policy_, options.finish, options.search.n_best) {
  check(options);
  suggests_terms_ = suggests_terms(options, source_tokenizer_, package.path);
  for (int i = 0; i < options.workers; ++i) workers_->add(make_worker());
  const Worker& first = workers_->first();
  writing_ = first.decoder->writing();
  decoding::check(options.search, writing_);
  check_languages(package.path);
  if (requires_terms() || options.phrases) {
    check_wishes(requires_terms(), options, writing_);
    phrase_maker_.emplace(target_tokenizer_);
  }
  if (first.pair_scorer) {
    finisher_.choose_attention(first.pair_scorer->attention_shape(), package.config.guided_attention);
  }
  fit_workspace(first);
}

Translator::Worker Translator::make_worker() const {
  return {models_->make_decoder(), options_.finish.asks_attention() ? models_->make_pair_scorer() : nullptr};
}

void Translator::fit_workspace(const Worker& first) {
  WorkspaceNeeds needs{first.decoder->memory(), {}, first.pair_scorer != nullptr, first.decoder->max_length()};
  if (needs.asks_pairs) needs.pairs = first.pair_scorer->memory();
  search_ = within_workspace(widened(options_.search, options_.finish), needs, options_.workspace);
  const int64_t bytes = needs.bytes(options_.workspace);
  limits_ = {.sentences = options_.batch.sentences, .tokens = options_.batch.tokens, .bytes = bytes};
  finisher_.limit_pairs(needs.pairs, bytes);
  max_target_length_ = decoding::longest_sentence(search_, needs.model_max);
  max_source_length_ = max_target_length_;
  if (options_.max_source_length > 0) max_source_length_ = std::min(max_source_length_, options_.max_source_length);
  const int64_t marks = languages_.most_of_source();
  if (marks > 0 && marks + 2 > max_source_length_) {
    fail<ConfigError>("max_source_length, workspace: a source with its languages needs ", marks + 2,
                      " tokens or more, and these settings allow ", max_source_length_, "; raise them");
  }
  cut_by_workspace_ = search_.longest > 0 && max_source_length_ == search_.longest;
}

void Translator::check_languages(const std::string& path) const {
  languages_.check(options_.source_language, options_.target_language);
  check_room(languages_.most_of_source(), languages_.most_of_target(), workers_->first().decoder->max_length(), path);
  if (!writing_.all_at_once || !languages_.start_translations()) return;
  fail<ModelError>(path, ": tokenizer.languages: target_prefix: this model writes all tokens at once, so none can be ",
                   "given; use to_prefix");
}

LanguageMarks Translator::marks_of(const Request& request) const {
  const auto own = [](const std::string& language, const std::string& usual) {
    return language.empty() ? usual : language;
  };
  if (request.source_language.empty() && request.target_language.empty()) {
    return languages_.marks(options_.source_language, options_.target_language);
  }
  try {
    return languages_.marks(own(request.source_language, options_.source_language),
                            own(request.target_language, options_.target_language));
  } catch (const ConfigError& error) {
    throw LanguageError(error.what());
  }
}

Translator::Line Translator::encode(const Request& request, uint64_t number) const {
  Line line;
  const LanguageMarks marks = marks_of(request);
  line.sentence.number = number;
  size_t bytes = request.text.size() + request.prefix.size();
  for (const std::string& before : request.context) bytes += before.size();
  line.bytes = {request.bytes, static_cast<int64_t>(bytes)};
  EncodedSource source = encode_with_terms(request, marks, line);
  line.sentence.source = std::move(source.ids);
  line.marks = {marks.before.size(), marks.after.size()};
  line.translation.source_cut = source.cut;
  encode_context(request, line);
  if (request.prefix.empty()) line.separator = target_separator_;
  line.sentence.given = marks.target.size();
  line.sentence.prefix = marks.target;
  if (!line.sentence.source.empty() && !request.prefix.empty()) encode_prefix(request.prefix, line);
  encode_wishes(request, line);
  if (line.sentence.source.empty()) {
    line.translation.candidates.emplace_back();
    line.find_unmet();
  } else if (options_.finish.asks_attention() && line.text.empty()) {
    line.text = request.text;
  }
  return line;
}

/// Also keeps what is suggested. A line that would be too long with its terms gets none.
EncodedSource Translator::encode_with_terms(const Request& request, const LanguageMarks& marks, Line& line) const {
  const auto encoded = [&](const std::string& text) {
    return encode_source(text, source_tokenizer_, policy_, max_source_length_, marks);
  };
  if (!suggests_terms_) return encoded(request.text);
  phrases::SuggestedTerms suggested = options_.terms->suggested(request.text);
  line.suggested.translations = std::move(suggested.translations);
  if (suggested.added.empty()) return encoded(request.text);
  EncodedSource source = encoded(suggested.text);
  if (source.cut) return encoded(request.text);
  line.suggested.added = std::move(suggested.added);
  if (options_.finish.asks_attention()) line.text = std::move(suggested.text);
  return source;
}

/// Puts the newest sentences of the context that fit behind the marks of the languages.
void Translator::encode_context(const Request& request, Line& line) const {
  std::vector<int32_t>& source = line.sentence.source;
  if (context_.sentences == 0 || source.empty()) return;
  if (context_.both && !request.prefix.empty()) {
    fail<ConfigError>("force_prefix: cannot be combined with context for this model, which also writes the ",
                      "translations of the sentences before; leave out one of them");
  }
  std::vector<int32_t> before;  // the newest sentences so far
  int64_t left = options_.context;
  for (auto text = request.context.rbegin(); text != request.context.rend() && left > 0; ++text, --left) {
    std::vector<int32_t> ids = source_tokenizer_.encode(*text);
    if (ids.empty()) continue;
    ids.push_back(source_separator_);
    if (std::ssize(source) + std::ssize(before) + std::ssize(ids) > max_source_length_) break;
    before.insert(before.begin(), ids.begin(), ids.end());
  }
  source.insert(source.begin() + static_cast<std::ptrdiff_t>(line.marks.before), before.begin(), before.end());
  line.marks.before += before.size();
}

void Translator::encode_prefix(const std::string& prefix, Line& line) const {
  if (writing_.all_at_once) {
    fail<ConfigError>(
        "force_prefix: this model writes all tokens at once, so none can be given; leave it out, or use a model that "
        "writes token by token");
  }
  const std::vector<int32_t> ids = target_tokenizer_.encode(prefix);
  std::vector<int32_t>& all = line.sentence.prefix;
  all.insert(all.end(), ids.begin(), ids.end());
  const auto found = static_cast<int64_t>(all.size());
  if (found >= max_target_length_) {
    fail<PrefixError>("line ", line.sentence.number + 1, ": its prefix has ", found,
                      " tokens, and the longest translation has ", max_target_length_, " with eos; shorten it");
  }
  if (std::ranges::find(ids, policy_.ids.unk) != ids.end()) line.prefix_pieces = target_tokenizer_.pieces(prefix);
}

void Translator::encode_wishes(const Request& request, Line& line) const {
  if (!phrase_maker_) return;
  phrases::WishedPhrases phrases = request.phrases;
  if (requires_terms()) {
    const std::string& text = request.as_written.empty() ? request.text : request.as_written;
    std::ranges::move(options_.terms->translations(text), std::back_inserter(phrases.one_of));
  }
  if (phrases.empty()) return;
  if (phrases.requires_any()) phrases::check_requiring(options_.search);
  const int64_t longest = decoding::greatest_length(line.sentence, search_, max_target_length_);
  line.wishes =
      phrases::Wishes(phrases, *phrase_maker_, longest - 1 - static_cast<int64_t>(line.sentence.prefix.size()));
  line.sentence.constraints = line.wishes.constraints();
}

TranslationCounts Translator::run(const Source& source, const Ready& ready, const Sink& sink, const Watch& watch,
                                  uint64_t first) const {
  TranslationCounts counts;
  if (cut_by_workspace_) counts.workspace_tokens = max_source_length_;
  uint64_t next_number = first;  // for the draws of sampling
  OrderedWork<Request, Line> work;
  work.noun = "line";
  work.source = source;
  work.ready = ready;
  work.encode = [&](const Request& request) { return encode(request, next_number++); };
  work.size = [&](const Line& line) -> BatchItem {
    const int64_t target = decoding::greatest_length(line.sentence, search_, max_target_length_);
    return {static_cast<int64_t>(line.sentence.source.size()), decoding::most_rows(search_), target,
            options_.search.n_best * target * kBytesOfToken};
  };
  work.lane = [&](std::vector<Line>& lines, WindowQueue& queue, int worker) { run_lane(lines, queue, worker); };
  work.hand_out = [&](const Line& line) {
    counts.add(line.translation, line.sentence.source.empty());
    sink(line.translation);
  };
  if (watch) {
    work.watch = [&](const Line& line) {
      watch({line.bytes.told, line.sentence.source.empty() ? 0 : 1, line.translation.candidates.front().tokens});
    };
  }
  run_in_order({options_.batch, options_.window_lines, options_.search.n_best, options_.workers,
                window_text(options_.workspace), options_.workspace * kMebibyte},
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

void Translator::serve(RequestStream& stream) const {
  const auto worker = workers_->lend();
  Service(*this, stream, *worker).run();
}

bool Translator::fits(std::string_view text) const {
  const auto most = static_cast<size_t>(max_source_length_) + 1;
  const auto tokens = static_cast<int64_t>(source_tokenizer_.encode(text, most).size());
  return tokens + (policy_.source_eos ? 1 : 0) + languages_.most_of_source() <= max_source_length_;
}

void Translator::run_lane(std::vector<Line>& lines, WindowQueue& queue, int worker) const {
  // A sink that translates is called by a thread that has a worker already. A thread beyond the first does not wait:
  // the others take its share.
  const bool nested = worker == 0 && workers_->held_here();
  const auto lent = worker == 0 && !nested ? workers_->lend() : workers_->lend_if_free();
  std::optional<Worker> own;
  if (nested && !lent) own = make_worker();
  Worker* with = own ? &*own : lent.get();
  if (with != nullptr) Lane(*this, lines, queue, *with).run();
}

}  // namespace ventris::translation
