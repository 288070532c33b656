#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "documents/document_translator.h"
#include "serving/admission.h"
#include "serving/catalogue.h"
#include "serving/http_message.h"
#include "serving/sentence_queue.h"

namespace ventris::serving {

/// A request to translate, in any protocol.
struct Work {
  std::vector<Step> steps;  ///< at least one
  std::vector<std::string> texts;
  phrases::WishedPhrases phrases = {};  ///< of every text
  std::vector<std::string> context = {};  ///< the sentences before every text, for the first step
  std::shared_ptr<markup::MarkedDocument> document = {};  ///< the only text, if it has been read; the work takes it
  TextKind kind = {};       ///< its language is set from the steps
  int64_t candidates = 1;   ///< of each text; over 1 needs SearchKind::many
  std::string client = {};  ///< whose share it is
  int64_t characters = 0;   ///< of all texts, for the limits (TranslationRequest::load)
  double deadline = 0;      ///< core::seconds_now()
};

/// What became of it.
struct WorkResult {
  /// Of each text: its candidates, best first, at least one.
  std::vector<std::vector<documents::Answer>> answers = {};
  std::optional<RequestError> error = {};  ///< then there are no answers
  int64_t sentences = 0, tokens = 0;       ///< translated, and of the translations
};

/// Counts for the metrics.
struct ServiceCounts {
  std::atomic<int64_t> sentences = 0, target_tokens = 0, abandoned = 0, expired = 0;
};

/// Translates the work of all requests on its own threads.
class TranslationService {
 public:
  /// `threads`: at most as many as ServeSettings::threads of the models. (With more, two threads that visit each
  /// other's lanes could wait for each other's decoders.)
  TranslationService(int threads, const ServeLimits& limits);
  ~TranslationService();  ///< waits for the sentences that are being translated
  TranslationService(const TranslationService&) = delete;
  TranslationService& operator=(const TranslationService&) = delete;

  /// Gets the result, once, on any thread, perhaps before start() returns. Must not throw.
  using Done = std::function<void(WorkResult result)>;

  /// Begins work, and returns its number. Throws RequestError if it cannot be accepted; `done` is then not called.
  uint64_t start(Work work, Done done);

  /// Gives up work whose client has gone: its sentences leave the queue. `done` gets an error.
  void abandon(uint64_t number);

  /// Gives up all work whose deadline is before `now`.
  void expire(double now);

  /// Gives up all work, because the server ends; how many requests that were. start() throws RequestError (503) from
  /// then on.
  size_t give_up();

  size_t in_work() const;  ///< requests
  size_t waiting() const { return queue_.waiting(); }  ///< sentences
  int64_t characters() const { return admission_.characters(); }
  const ServiceCounts& counts() const { return counts_; }

 private:
  struct Job;
  class Stream;
  using JobPointer = std::shared_ptr<Job>;

  void work();
  void work_for(uint64_t lane, bool visits);
  bool enter(const JobPointer& job);
  void enqueue(const JobPointer& job);
  JobPointer find(uint64_t number) const;
  void store(const JobPointer& job, size_t sentence, translation::Translation translation);
  void finish_step(const JobPointer& job);
  void fail(const JobPointer& job, const RequestError& error);
  bool drop(const JobPointer& job);
  void close(const JobPointer& job, WorkResult result);

  Admission admission_;
  SentenceQueue queue_;
  ServiceCounts counts_;
  mutable std::mutex mutex_;
  std::unordered_map<uint64_t, JobPointer> jobs_;
  uint64_t next_number_ = 1;
  bool stopping_ = false;  // no work is accepted any more
  std::vector<std::jthread> threads_;  // the last member: they use all others
};

/// The error that a client gets for an exception: what is wrong with the request (400), memory (503), or a bug (500),
/// which is also logged.
RequestError error_of(const std::exception_ptr& problem) noexcept;

}  // namespace ventris::serving
