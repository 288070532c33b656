#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "serving/access_log.h"
#include "serving/api_keys.h"
#include "serving/catalogue.h"
#include "serving/error_shapes.h"
#include "serving/file_store.h"
#include "serving/http_message.h"
#include "serving/metrics.h"
#include "serving/request_rate.h"
#include "serving/translation_request.h"
#include "serving/translation_service.h"

namespace ventris::serving {

class Arguments;

/// What the server answers, without sockets. Several threads may use it.
class Api {
 public:
  /// Reads the keys, and opens the access log. Throws what ApiKeys and AccessLog throw.
  Api(const ServeSettings& settings, std::shared_ptr<const Catalogue> catalogue);

  /// Gets the answer, once, perhaps on another thread. Must not throw.
  using Reply = std::function<void(HttpResponse)>;

  /// Answers a request, also if there is no memory. The result is the number of its work, which abandon() takes; 0 if
  /// it has none.
  uint64_t handle(const HttpRequest& request, const Reply& reply);

  /// An error before a whole request is there (413, 503): it is counted and logged, too.
  HttpResponse refuse(const HttpRequest& request, const RequestError& error);

  /// The client has gone.
  void abandon(uint64_t work) { service_.abandon(work); }
  /// Gives up what is not ready in time.
  void expire(double now) { service_.expire(now); }

  /// From now on, other models answer; requests that have begun keep theirs. Also reads the keys again, and opens the
  /// access log again. Throws what reading the keys throws; then nothing has changed.
  void reload(std::shared_ptr<const Catalogue> catalogue);
  /// Opens the access log and the file of suggestions again, after they were moved away.
  void reopen_files();
  /// From now on, /health and new translations are refused with 503.
  void stop_accepting() { stopping_ = true; }
  /// Gives up all that is not answered yet (503); how many requests that were.
  size_t give_up() { return service_.give_up(); }
  bool stopping() const { return stopping_; }
  size_t in_work() const { return service_.in_work(); }

  /// What only the HTTP server knows, for the metrics.
  std::atomic<int64_t> connections = 0, slow_connections = 0;
  std::atomic<int64_t> body_bytes = 0;  ///< that have arrived, of requests without an answer

  /// Bytes of answers that clients have not read yet: of each until its HttpResponse::held is destroyed.
  int64_t unread_bytes() const { return *unread_; }

 private:
  struct Call;
  struct Endpoint;
  using CallPointer = std::shared_ptr<Call>;

  const Endpoint* endpoint_of(const std::string& path) const;
  CallPointer new_call(const HttpRequest& request, const Reply& reply) const;
  uint64_t answer(const HttpRequest& request, const CallPointer& call);
  void finish(const CallPointer& call, HttpResponse response);
  void complete(const CallPointer& call, HttpResponse& response);
  void bound_answer(const CallPointer& call, HttpResponse& response) const;
  void check_key(const HttpRequest& request, const std::string& argument, Call& call) const;
  std::vector<Step> route_of(TranslationRequest& request, const Catalogue& catalogue) const;
  std::shared_ptr<const Catalogue> catalogue() const;

  /// Writes the body of an answer.
  using Format = std::function<std::string(const WorkResult& result)>;
  uint64_t begin(const TranslationRequest& request, std::vector<Step> steps, const CallPointer& call, Format format);
  uint64_t translate_as_libre(const HttpRequest& request, const CallPointer& call);
  uint64_t translate_as_own(const HttpRequest& request, const CallPointer& call);
  uint64_t translate_as_deepl(const HttpRequest& request, const CallPointer& call);
  uint64_t translate_as_google(const HttpRequest& request, const CallPointer& call);
  uint64_t translate_file(const HttpRequest& request, const CallPointer& call);
  HttpResponse suggest(const HttpRequest& request, Call& call) const;
  HttpResponse detect(const HttpRequest& request, Call& call) const;
  HttpResponse detect_as_google(const HttpRequest& request, Call& call) const;
  HttpResponse languages_as_deepl(const HttpRequest& request, Call& call) const;
  HttpResponse languages_as_google(const HttpRequest& request, Call& call) const;
  HttpResponse usage(const HttpRequest& request, Call& call) const;
  HttpResponse download(const HttpRequest& request, Call& call) const;
  HttpResponse health() const;
  HttpResponse metrics_text(const HttpRequest& request, Call& call) const;
  HttpResponse page() const;
  HttpResponse specification() const;
  HttpResponse languages() const;
  HttpResponse frontend_settings() const;

  const ServeSettings settings_;
  const double started_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Catalogue> catalogue_;
  std::shared_ptr<const ApiKeys> keys_;
  int64_t reloads_ = 0;
  std::atomic<bool> stopping_ = false;
  Metrics metrics_;
  AccessLog log_;
  mutable AppendedFile suggestions_;
  mutable RequestRate rate_;
  const std::shared_ptr<std::atomic<int64_t>> unread_ = std::make_shared<std::atomic<int64_t>>(0);
  mutable FileStore files_;
  TranslationService service_;  // the last member: its threads use all others
};

}  // namespace ventris::serving
