#include "serving/translation_service.h"

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "core/process.h"
#include "core/resources.h"

namespace ventris::serving {
namespace {

/// The texts of the best answers, for the next step.
std::vector<std::string> best_texts(const std::vector<std::vector<documents::Answer>>& answers) {
  std::vector<std::string> texts;
  for (const auto& candidates : answers) texts.push_back(candidates.front().translation.text());
  return texts;
}

/// The translations of a text's sentences with only the candidate of this rank, or the last one that there is.
std::vector<translation::Translation> of_rank(const std::vector<translation::Translation>& sentences, size_t rank) {
  std::vector<translation::Translation> chosen;
  for (const translation::Translation& sentence : sentences) {
    const auto& candidates = sentence.candidates;
    chosen.push_back({{candidates[std::min(rank, candidates.size() - 1)]}, sentence.source_cut, sentence.seconds});
  }
  return chosen;
}

/// Made when the service is, because later there may be no memory for it.
const RequestError& out_of_memory() {
  static const RequestError error(503, "The server is out of memory; try again later", kRetrySeconds);
  return error;
}

RequestError described(const std::exception_ptr& problem) {
  try {
    std::rethrow_exception(problem);
  } catch (const RequestError& error) {
    return error;
  } catch (const DataError& error) {
    return {400, std::string("Invalid request: ") + error.what()};
  } catch (const ConfigError& error) {
    return {400, std::string("Invalid request: ") + error.what()};
  } catch (const std::exception& error) {
    if (core::resource_problem(error)) {
      core::log_error("a request was refused: out of memory");
      return out_of_memory();
    }
    core::log_error(std::string("a request failed: ") + error.what());
    return {500, "Internal error of the server; its log says more"};
  }
}

}  // namespace

RequestError error_of(const std::exception_ptr& problem) noexcept {
  try {
    return described(problem);
  } catch (...) {
    return out_of_memory();
  }
}

struct TranslationService::Job {
  struct Place {
    size_t text, sentence;
  };

  uint64_t number = 0;
  Work work;
  Done done;
  size_t step = 0;
  std::vector<documents::DocumentTranslator::Text> texts;            // of this step
  std::vector<std::vector<translation::Translation>> translations;   // of each text
  std::vector<Place> places;                                         // of each sentence
  std::atomic<size_t> left = 0;  // sentences of this step without a translation
  std::atomic<bool> closed = false;
  std::atomic<int64_t> sentences = 0, tokens = 0;

  const Step& now() const { return work.steps[step]; }

  /// What is done in this step: only the last one needs more than the best text.
  TextKind kind() const {
    TextKind kind = work.kind;
    kind.language = now().source_code;
    if (step + 1 < work.steps.size()) kind.search = {.links = kind.search.links};
    return kind;
  }
  size_t candidates() const { return step + 1 < work.steps.size() ? 1 : static_cast<size_t>(work.candidates); }
  const translation::Request& request(size_t sentence) const {
    return texts[places[sentence].text].requests()[places[sentence].sentence];
  }

  /// Finds the sentences of the texts.
  void begin_step() {
    const documents::DocumentTranslator& documents = now().model->documents(kind());
    texts.clear();
    places.clear();
    translations.assign(work.texts.size(), {});
    for (size_t i = 0; i < work.texts.size(); ++i) {
      const translation::Request request{
          .text = work.texts[i],
          .prefix = "",
          .phrases = step + 1 == work.steps.size() ? work.phrases : phrases::WishedPhrases(),
          .source_language = now().source,
          .target_language = now().target,
          .context = step == 0 ? work.context : std::vector<std::string>()};
      const auto read = std::exchange(work.document, {});  // only of the first step
      texts.push_back(read ? documents.begin(request, std::move(*read)) : documents.begin(request));
      translations[i].resize(texts[i].requests().size());
      for (size_t j = 0; j < translations[i].size(); ++j) places.push_back({i, j});
    }
    left = places.size();
  }

  std::vector<std::vector<documents::Answer>> answers() {
    const documents::DocumentTranslator& documents = now().model->documents(kind());
    std::vector<std::vector<documents::Answer>> all(texts.size());
    for (size_t i = 0; i < texts.size(); ++i) {
      std::set<std::string> known;
      for (size_t rank = 0; rank < candidates(); ++rank) {
        documents::Answer answer = documents.finish(texts[i], of_rank(translations[i], rank));
        if (known.insert(answer.translation.text()).second) all[i].push_back(std::move(answer));
      }
    }
    return all;
  }
};

/// What a thread does for a lane: sentences from the queue become requests to its translator.
class TranslationService::Stream : public translation::RequestStream {
 public:
  /// `visits`: it does only a few short sentences, while another search of this thread waits.
  Stream(TranslationService& service, uint64_t lane, bool visits = false) : service_(service), lane_(lane) {
    work_.only_short = visits;
  }

  const translation::Request* next() override {
    if (work_.only_short && work_.taken >= kMostOfVisit) return nullptr;
    if (!work_.only_short && work_.sentences > 0) visit_another_lane();
    while (!next_.job) {
      if (!fetch()) return nullptr;
    }
    const translation::Request* const request = &next_.job->request(next_.number);
    working_.emplace(request, next_);
    ++work_.taken;
    ++work_.sentences;
    work_.long_ones += std::exchange(next_, {}).is_long ? 1 : 0;
    return request;
  }
  void done(const translation::Request& request, translation::Translation translation) override {
    const Sentence sentence = take_out(request);
    service_.store(sentence.job, sentence.number, std::move(translation));
  }
  void failed(const translation::Request& request, std::exception_ptr problem) override {
    service_.fail(take_out(request).job, error_of(problem));
  }

  /// Fails all that it has taken and not done.
  void fail_all(const RequestError& error) {
    for (const auto& [request, sentence] : working_) service_.fail(sentence.job, error);
    working_.clear();
    if (next_.job) service_.fail(std::exchange(next_, {}).job, error);
  }

  /// The model of the first sentence, which next() then gives; null if there is none any more.
  std::shared_ptr<ServedModel> model() {
    while (!next_.job) {
      if (!fetch()) return nullptr;
    }
    search_ = next_.job->kind().search;
    return next_.job->now().model;
  }
  const SearchKind& search() const { return search_; }

 private:
  static constexpr size_t kMostOfVisit = 16;

  /// Does short sentences of another lane between two steps, so that they do not wait for the long ones of this lane;
  /// at most half of the time.
  void visit_another_lane() {
    const double now = core::seconds_now();
    if (now < next_visit_) return;
    const auto lane = service_.queue_.lane_to_visit(lane_);
    if (!lane) return;
    service_.work_for(*lane, /*visits=*/true);
    const double end = core::seconds_now();
    next_visit_ = end + (end - now);
  }

  struct Sentence {
    JobPointer job;
    size_t number = 0;
    bool is_long = false;
  };

  /// Takes the next sentence from the queue; false if there is none. It has no job if that was given up.
  bool fetch() {
    const auto sentence = service_.queue_.take(lane_, work_);
    if (sentence) next_ = {service_.find(sentence->job), sentence->number, sentence->is_long};
    return sentence.has_value();
  }
  Sentence take_out(const translation::Request& request) {
    Sentence sentence = std::move(working_.extract(&request).mapped());
    --work_.sentences;
    work_.long_ones -= sentence.is_long ? 1 : 0;
    return sentence;
  }

  TranslationService& service_;
  const uint64_t lane_;
  SearchKind search_;
  Sentence next_;
  std::map<const translation::Request*, Sentence> working_;
  Workload work_;
  double next_visit_ = 0;
};

TranslationService::TranslationService(int threads, const ServeLimits& limits)
    : admission_(limits.queue_characters, limits.client_characters) {
  out_of_memory();
  try {
    for (int i = 0; i < threads; ++i) threads_.push_back(core::start_thread<std::jthread>([this] { work(); }));
  } catch (...) {
    queue_.stop();
    throw;
  }
}

TranslationService::~TranslationService() {
  give_up();
  queue_.stop();
}

size_t TranslationService::give_up() {
  std::vector<JobPointer> left;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& [number, job] : jobs_) left.push_back(job);
  }
  for (const JobPointer& job : left) fail(job, shutting_down());
  return left.size();
}

void TranslationService::work() {
  while (const auto lane = queue_.wait_for_lane()) work_for(*lane, /*visits=*/false);
}

void TranslationService::work_for(uint64_t lane, bool visits) {
  Stream stream(*this, lane, visits);
  try {
    const std::shared_ptr<ServedModel> model = stream.model();  // it stays as long as the thread uses it
    if (model) model->lane(stream.search()).translator.serve(stream);
  } catch (...) {
    stream.fail_all(error_of(std::current_exception()));
  }
}

uint64_t TranslationService::start(Work work, Done done) {
  const auto job = std::make_shared<Job>();
  job->work = std::move(work);
  job->done = std::move(done);
  admission_.enter(job->work.client, job->work.characters);
  try {
    job->begin_step();
    if (!enter(job)) throw shutting_down();
    enqueue(job);
  } catch (...) {
    if (drop(job)) throw error_of(std::current_exception());
  }
  return job->number;
}

/// Gives the work its number; false if all work was given up meanwhile.
bool TranslationService::enter(const JobPointer& job) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return false;
  job->number = next_number_++;
  jobs_[job->number] = job;
  return true;
}

void TranslationService::enqueue(const JobPointer& job) {
  if (job->places.empty()) {
    finish_step(job);
  } else {
    const ServedLane& lane = job->now().model->lane(job->kind().search);
    std::vector<size_t> bytes(job->places.size());
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = job->request(i).text.size();
    queue_.add(job->number, lane.number, bytes);
    if (job->closed) queue_.remove(job->number);  // it was given up before it was added
  }
}

TranslationService::JobPointer TranslationService::find(uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(number);
  return found == jobs_.end() ? nullptr : found->second;
}

void TranslationService::store(const JobPointer& job, size_t sentence, translation::Translation translation) {
  counts_.sentences += 1;
  counts_.target_tokens += translation.candidates.front().tokens;
  job->sentences += 1;
  job->tokens += translation.candidates.front().tokens;
  const Job::Place place = job->places[sentence];
  job->translations[place.text][place.sentence] = std::move(translation);
  if (--job->left == 0 && !job->closed) finish_step(job);
}

void TranslationService::finish_step(const JobPointer& job) {
  try {
    auto answers = job->answers();
    if (job->step + 1 == job->work.steps.size()) {
      close(job, {std::move(answers), {}, job->sentences, job->tokens});
      return;
    }
    job->work.texts = best_texts(answers);
    ++job->step;
    job->begin_step();
    enqueue(job);
  } catch (...) {
    fail(job, error_of(std::current_exception()));
  }
}

void TranslationService::fail(const JobPointer& job, const RequestError& error) {
  queue_.remove(job->number);
  close(job, {{}, error, job->sentences, job->tokens});
}

/// Ends the work without telling anybody; false if it has ended before.
bool TranslationService::drop(const JobPointer& job) {
  if (job->closed.exchange(true)) return false;
  {
    const std::lock_guard lock(mutex_);
    jobs_.erase(job->number);
  }
  queue_.remove(job->number);
  admission_.leave(job->work.client, job->work.characters);
  return true;
}

void TranslationService::close(const JobPointer& job, WorkResult result) {
  if (drop(job)) job->done(std::move(result));
}

void TranslationService::abandon(uint64_t number) {
  const JobPointer job = find(number);
  if (!job) return;
  counts_.abandoned += 1;
  fail(job, {499, "The client has gone"});
}

void TranslationService::expire(double now) {
  std::vector<JobPointer> late;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, job] : jobs_) {
      if (job->work.deadline < now) late.push_back(job);
    }
  }
  for (const JobPointer& job : late) {
    counts_.expired += 1;
    fail(job, {503, "The translation was not ready in time; try again later, or send less text", kRetrySeconds});
  }
}

size_t TranslationService::in_work() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}

}  // namespace ventris::serving
