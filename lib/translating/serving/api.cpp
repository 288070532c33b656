#include "serving/api.h"

#include <strings.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/process.h"
#include "serving/api_call.h"

namespace ventris::serving {
namespace {

/// The key in "Bearer KEY".
std::string key_of(const std::string& authorization) {
  for (const std::string_view scheme : {"Bearer ", "DeepL-Auth-Key "}) {
    const bool is_it = strncasecmp(authorization.c_str(), scheme.data(), scheme.size()) == 0;
    if (is_it) return authorization.substr(scheme.size());
  }
  return "";
}

const char* known_method(const std::string& method) {
  for (const char* known : {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE"}) {
    if (method == known) return known;
  }
  return "other";
}

}  // namespace

/// A path, how it is asked for, and what answers it. Translations answer later.
struct Api::Endpoint {
  const char* path = "";
  const char* methods = "";  ///< in capitals, separated by ", "
  HttpResponse (Api::*now)(const HttpRequest&, Call&) const = nullptr;
  uint64_t (Api::*later)(const HttpRequest&, const CallPointer&) = nullptr;
  HttpResponse (Api::*plain)() const = nullptr;
  ErrorShape error_shape = libre_error;
  bool ServeSettings::* flag = nullptr;  ///< it is there only with this setting
  bool is_prefix = false;               ///< longer paths, too
};

Api::Api(const ServeSettings& settings, std::shared_ptr<const Catalogue> catalogue)
    : settings_(settings),
      started_(core::seconds_now()),
      catalogue_(std::move(catalogue)),
      keys_(std::make_shared<const ApiKeys>(settings.api_keys.empty() ? ApiKeys() : ApiKeys(settings.api_keys))),
      log_(settings.access_log),
      suggestions_(settings.suggestions, "file of suggestions"),
      files_(settings.limits.files_mib << 20, static_cast<double>(settings.limits.file_seconds)),
      service_(static_cast<int>(settings.threads), settings.limits) {}

const Api::Endpoint* Api::endpoint_of(const std::string& path) const {
  static const Endpoint kEndpoints[] = {
      {.path = "/", .methods = "GET", .plain = &Api::page},
      {.path = "/spec", .methods = "GET", .plain = &Api::specification},
      {.path = "/health", .methods = "GET", .plain = &Api::health},
      {.path = "/languages", .methods = "GET", .plain = &Api::languages},
      {.path = "/frontend/settings", .methods = "GET", .plain = &Api::frontend_settings},
      {.path = "/metrics", .methods = "GET", .now = &Api::metrics_text},
      {.path = "/detect", .methods = "POST", .now = &Api::detect},
      {.path = "/suggest", .methods = "POST", .now = &Api::suggest},
      {.path = "/translate", .methods = "POST", .later = &Api::translate_as_libre},
      {.path = "/v1/translate", .methods = "POST", .later = &Api::translate_as_own},
      {.path = "/translate_file", .methods = "POST", .later = &Api::translate_file},
      {.path = "/download_file/", .methods = "GET", .now = &Api::download, .is_prefix = true},
      {.path = "/v2/translate",
       .methods = "POST",
       .later = &Api::translate_as_deepl,
       .error_shape = deepl_error,
       .flag = &ServeSettings::deepl},
      {.path = "/v2/languages",
       .methods = "GET, POST",
       .now = &Api::languages_as_deepl,
       .error_shape = deepl_error,
       .flag = &ServeSettings::deepl},
      {.path = "/v2/usage",
       .methods = "GET, POST",
       .now = &Api::usage,
       .error_shape = deepl_error,
       .flag = &ServeSettings::deepl},
      {.path = "/language/translate/v2",
       .methods = "GET, POST",
       .later = &Api::translate_as_google,
       .error_shape = google_error,
       .flag = &ServeSettings::google},
      {.path = "/language/translate/v2/languages",
       .methods = "GET, POST",
       .now = &Api::languages_as_google,
       .error_shape = google_error,
       .flag = &ServeSettings::google},
      {.path = "/language/translate/v2/detect",
       .methods = "GET, POST",
       .now = &Api::detect_as_google,
       .error_shape = google_error,
       .flag = &ServeSettings::google},
  };
  const auto* const found = std::ranges::find_if(kEndpoints, [&](const Endpoint& endpoint) {
    return path == endpoint.path || (endpoint.is_prefix && path.starts_with(endpoint.path));
  });
  const bool there = found != std::end(kEndpoints) && (found->flag == nullptr || settings_.*found->flag);
  return there ? found : nullptr;
}

/// Of the method and the path, only what is known is remembered: the rest may be a user's text.
Api::CallPointer Api::new_call(const HttpRequest& request, const Reply& reply) const {
  const Endpoint* const endpoint = endpoint_of(request.path);
  auto call = std::make_shared<Call>();
  call->started = core::seconds_now();
  call->reply = reply;
  call->client = client_of(request.address);
  call->record.address = request.address;
  call->record.method = known_method(request.method);
  call->record.path = endpoint == nullptr ? "other" : endpoint->path;
  if (endpoint != nullptr) call->error_shape = endpoint->error_shape;
  return call;
}

uint64_t Api::handle(const HttpRequest& request, const Reply& reply) {
  CallPointer call;
  try {
    call = new_call(request, reply);
    return answer(request, call);
  } catch (...) {
    if (call) {
      finish(call, response_to(std::current_exception(), call->error_shape));
    } else {
      reply(without_memory());
    }
    return 0;
  }
}

uint64_t Api::answer(const HttpRequest& request, const CallPointer& call) {
  const Endpoint* const endpoint = endpoint_of(request.path);
  if (endpoint == nullptr) throw RequestError(404, "Not found");
  const std::string methods = endpoint->methods, allowed = methods + ", OPTIONS";
  if (request.method == "OPTIONS") {
    finish(call, {204, "", "", {{"Allow", allowed}}});
    return 0;
  }
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  if ((", " + methods + ",").find(" " + method + ",") == std::string::npos) {
    HttpResponse response = error_response({405, "Method not allowed; use " + methods}, call->error_shape);
    response.headers.emplace_back("Allow", allowed);
    finish(call, std::move(response));
    return 0;
  }
  if (endpoint->later != nullptr) {
    if (stopping_) throw shutting_down();
    return (this->*endpoint->later)(request, call);
  }
  finish(call, endpoint->plain != nullptr ? (this->*endpoint->plain)() : (this->*endpoint->now)(request, *call));
  return 0;
}

HttpResponse Api::refuse(const HttpRequest& request, const RequestError& error) {
  HttpResponse refusal;
  const CallPointer call = new_call(request, [&](HttpResponse response) { refusal = std::move(response); });
  finish(call, error_response(error, call->error_shape));
  return refusal;
}

/// Counts the bytes of an answer until it was sent. An answer for which there is no room becomes an error.
void Api::bound_answer(const CallPointer& call, HttpResponse& response) const {
  constexpr int64_t kAlwaysSent = 4096;  // bytes: errors must have room, too
  const auto size_of = [&] { return static_cast<int64_t>(response.body.size()); };
  if (size_of() > kAlwaysSent && *unread_ + size_of() > settings_.limits.answers_mib << 20) {
    response = error_response({503, "Clients have not read too many answers yet; try again later", kRetrySeconds},
                              call->error_shape);
  }
  *unread_ += size_of();
  response.held = std::shared_ptr<const void>(static_cast<const void*>(this),
                                              [unread = unread_, bytes = size_of()](const void*) { *unread -= bytes; });
}

/// Adds what all answers have, and counts and logs the answer.
void Api::complete(const CallPointer& call, HttpResponse& response) {
  bound_answer(call, response);
  if (!settings_.allow_origin.empty()) {
    response.headers.emplace_back("Access-Control-Allow-Origin", settings_.allow_origin);
    response.headers.emplace_back("Access-Control-Allow-Headers", "Authorization, Content-Type");
    response.headers.emplace_back("Access-Control-Allow-Methods", "GET, POST");
    response.headers.emplace_back("Access-Control-Max-Age", "1728000");
  }
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  call->record.status = response.status;
  call->record.seconds = core::seconds_now() - call->started;
  metrics_.count(call->record.path, response.status, call->record.seconds, call->record.characters);
  log_.add(call->record);
}

void Api::finish(const CallPointer& call, HttpResponse response) {
  try {
    complete(call, response);
  } catch (...) {  // whoever waits for an answer gets one
    response = without_memory();
  }
  call->reply(std::move(response));
}

void Api::check_key(const HttpRequest& request, const std::string& argument, Call& call) const {
  std::shared_ptr<const ApiKeys> keys;
  {
    const std::lock_guard lock(mutex_);
    keys = keys_;
  }
  const int64_t usual = settings_.limits.requests_per_minute;
  const double now = core::seconds_now();
  if (!keys->required()) return rate_.count(call.client, usual, now);
  const std::string key = argument.empty() ? key_of(request.authorization) : argument;
  if (key.empty()) throw RequestError(400, "Please contact the server operator to get an API key");
  const auto known = keys->find(key);
  if (!known) {
    rate_.count(call.client, usual, now);  // so that keys cannot be guessed faster
    throw RequestError(403, "Invalid API key");
  }
  call.record.key = known->name;
  call.client = "key " + known->name;
  rate_.count(call.client, known->requests_per_minute.value_or(usual), now);
}

std::shared_ptr<const Catalogue> Api::catalogue() const {
  const std::lock_guard lock(mutex_);
  return catalogue_;
}

void Api::reopen_files() {
  log_.reopen();
  suggestions_.reopen();
}

void Api::reload(std::shared_ptr<const Catalogue> catalogue) {
  auto keys = std::make_shared<const ApiKeys>(settings_.api_keys.empty() ? ApiKeys() : ApiKeys(settings_.api_keys));
  const std::lock_guard lock(mutex_);
  catalogue_ = std::move(catalogue);
  keys_ = std::move(keys);
  ++reloads_;
}

}  // namespace ventris::serving
