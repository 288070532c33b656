#include "serving/api.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "core/process.h"
#include "serving/arguments.h"
#include "serving/json_body.h"
#include "serving/libretranslate.h"
#include "serving/own_protocol.h"
#include "serving/web_page.h"

namespace ventris::serving {
namespace {

using nlohmann::ordered_json;

// The page has its style and its script inside, so that nothing else may be loaded.
constexpr const char* kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

HttpResponse json_response(const ordered_json& json, int status = 200) { return {status, to_body(json)}; }

/// The key in "Bearer KEY".
std::string key_of(const std::string& authorization) {
  constexpr std::string_view kScheme = "Bearer ";
  return authorization.starts_with(kScheme) ? authorization.substr(kScheme.size()) : "";
}

}  // namespace

/// A request until its answer.
struct Api::Call {
  AccessRecord record;
  double started = 0;
  Reply reply;
  std::string client;
};

/// A path, how it is asked for, and what answers it. Translations answer later.
struct Api::Endpoint {
  const char* path;
  const char* method;
  HttpResponse (Api::*now)(const HttpRequest&, Call&) const;
  uint64_t (Api::*later)(const HttpRequest&, const CallPointer&);
  HttpResponse (Api::*plain)() const;
};

Api::Api(const ServeSettings& settings, std::shared_ptr<const Catalogue> catalogue)
    : settings_(settings),
      started_(core::seconds_now()),
      catalogue_(std::move(catalogue)),
      keys_(std::make_shared<const ApiKeys>(settings.api_keys.empty() ? ApiKeys() : ApiKeys(settings.api_keys))),
      log_(settings.access_log),
      service_(static_cast<int>(settings.threads), settings.limits) {}

const Api::Endpoint* Api::endpoint_of(const std::string& path) {
  static const Endpoint kEndpoints[] = {
      {"/", "GET", nullptr, nullptr, &Api::page},
      {"/health", "GET", nullptr, nullptr, &Api::health},
      {"/languages", "GET", nullptr, nullptr, &Api::languages},
      {"/frontend/settings", "GET", nullptr, nullptr, &Api::frontend_settings},
      {"/metrics", "GET", &Api::metrics_text, nullptr, nullptr},
      {"/detect", "POST", &Api::detect, nullptr, nullptr},
      {"/translate", "POST", nullptr, &Api::translate_as_libre, nullptr},
      {"/v1/translate", "POST", nullptr, &Api::translate_as_own, nullptr},
  };
  const auto* const found = std::ranges::find(kEndpoints, path, &Endpoint::path);
  return found == std::end(kEndpoints) ? nullptr : found;
}

uint64_t Api::handle(const HttpRequest& request, const Reply& reply) {
  const auto call = std::make_shared<Call>();
  call->started = core::seconds_now();
  call->reply = reply;
  call->client = request.address;
  call->record.address = request.address;
  call->record.method = request.method;
  call->record.path = endpoint_of(request.path) == nullptr ? "other" : request.path;  // a path may be a user's text
  try {
    return answer(request, call);
  } catch (...) {
    finish(call, error_response(error_of(std::current_exception())));
    return 0;
  }
}

uint64_t Api::answer(const HttpRequest& request, const CallPointer& call) {
  const Endpoint* const endpoint = endpoint_of(request.path);
  if (endpoint == nullptr) throw RequestError(404, "Not found");
  if (request.method == "OPTIONS") {
    finish(call, {204, "", "", {{"Allow", std::string(endpoint->method) + ", OPTIONS"}}});
    return 0;
  }
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  if (method != endpoint->method) {
    HttpResponse response = error_response({405, std::string("Method not allowed; use ") + endpoint->method});
    response.headers.emplace_back("Allow", std::string(endpoint->method) + ", OPTIONS");
    finish(call, std::move(response));
    return 0;
  }
  if (endpoint->later != nullptr) {
    if (stopping_) throw RequestError(503, "The server is shutting down", kRetrySeconds);
    return (this->*endpoint->later)(request, call);
  }
  finish(call, endpoint->plain != nullptr ? (this->*endpoint->plain)() : (this->*endpoint->now)(request, *call));
  return 0;
}

HttpResponse Api::refuse(const HttpRequest& request, const RequestError& error) {
  HttpResponse refusal;
  const auto call = std::make_shared<Call>();
  call->started = core::seconds_now();
  call->reply = [&](HttpResponse response) { refusal = std::move(response); };
  call->record.address = request.address;
  call->record.method = request.method;
  call->record.path = endpoint_of(request.path) == nullptr ? "other" : request.path;
  finish(call, error_response(error));
  return refusal;
}

void Api::finish(const CallPointer& call, HttpResponse response) {
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
  call->reply(std::move(response));
}

HttpResponse Api::error_response(const RequestError& error) const {
  HttpResponse response = json_response({{"error", error.what()}}, error.status);
  if (error.retry_after) response.headers.emplace_back("Retry-After", std::to_string(*error.retry_after));
  return response;
}

void Api::check_key(const HttpRequest& request, const std::string& argument, Call& call) const {
  std::shared_ptr<const ApiKeys> keys;
  {
    const std::lock_guard lock(mutex_);
    keys = keys_;
  }
  if (!keys->required()) return;
  const std::string key = argument.empty() ? key_of(request.authorization) : argument;
  if (key.empty()) throw RequestError(400, "Please contact the server operator to get an API key");
  const auto name = keys->name_of(key);
  if (!name) throw RequestError(403, "Invalid API key");
  call.record.key = *name;
  call.client = "key " + *name;
}

std::shared_ptr<const Catalogue> Api::catalogue() const {
  const std::lock_guard lock(mutex_);
  return catalogue_;
}

std::vector<Step> Api::route_of(TranslationRequest& request, const Catalogue& catalogue) const {
  const LanguagePairs& pairs = catalogue.pairs();
  const auto served = [&](const std::string& asked) {
    const auto found = pairs.find(asked);
    if (!found) throw RequestError(400, asked + " is not supported");
    return *found;
  };
  request.target = served(request.target);
  const bool open = request.source == "auto";
  const std::vector<std::string> sources = open ? pairs.sources_of(request.target) : std::vector<std::string>();
  request.source = open && !sources.empty() ? only_source(sources)
                   : open                   ? only_source(pairs.sources())
                                            : served(request.source);
  std::vector<Step> steps = catalogue.route(request.source, request.target);
  if (steps.empty()) {
    throw RequestError(400, english_name(request.target) + " (" + request.target +
                                ") is not available as a target language from " + english_name(request.source) + " (" +
                                request.source + ")");
  }
  return steps;
}

uint64_t Api::begin(const TranslationRequest& request, std::vector<Step> steps, const CallPointer& call,
                    Format format) {
  ServedModel& last = *steps.back().model;
  if (last.writes_all_at_once() && !request.phrases.empty()) {
    throw RequestError(400,
                       "Invalid request: this model writes all tokens at once, so no phrase can be required or "
                       "forbidden");
  }
  if (request.alignment && steps.size() > 1) {
    throw RequestError(400, "Invalid request: there is no alignment of a pair that is translated through " +
                                steps.front().target_code);
  }
  AccessRecord& record = call->record;
  record.source = request.source;
  record.target = request.target;
  record.texts = static_cast<int64_t>(request.texts.size());
  Work work{std::move(steps), request.texts, request.phrases, request.kind};
  work.candidates = std::min(request.candidates, last.most_candidates());
  work.client = call->client;
  work.characters = request.characters();
  work.deadline = core::seconds_now() + static_cast<double>(settings_.limits.deadline);
  record.characters = work.characters;
  return service_.start(std::move(work), [this, call, format = std::move(format)](const WorkResult& result) {
    call->record.sentences = result.sentences;
    call->record.tokens = result.tokens;
    HttpResponse response;
    try {
      response = result.error ? error_response(*result.error) : HttpResponse{200, format(result)};
    } catch (...) {
      response = error_response(error_of(std::current_exception()));
    }
    finish(call, std::move(response));
  });
}

uint64_t Api::translate_as_libre(const HttpRequest& request, const CallPointer& call) {
  const Arguments arguments(request);
  check_key(request, arguments.text("api_key"), *call);
  TranslationRequest wanted = parse_libre_request(arguments, settings_.limits);
  const bool is_open = wanted.source == "auto", alternatives = arguments.number("alternatives", 0) > 0;
  std::vector<Step> steps = route_of(wanted, *catalogue());
  const auto detected = is_open ? std::optional(wanted.source) : std::nullopt;
  return begin(wanted, std::move(steps), call, [wanted, alternatives, detected](const WorkResult& result) {
    return to_body(libre_answer(wanted, result, alternatives, detected));
  });
}

uint64_t Api::translate_as_own(const HttpRequest& request, const CallPointer& call) {
  const Arguments arguments(request);
  check_key(request, arguments.text("api_key"), *call);
  TranslationRequest wanted = parse_own_request(arguments, settings_.limits);
  const std::vector<Step> steps = route_of(wanted, *catalogue());
  const bool terms = !settings_.terms.empty();
  return begin(wanted, steps, call, [wanted, steps, terms](const WorkResult& result) {
    return to_body(own_answer(wanted, result, steps, terms));
  });
}

HttpResponse Api::detect(const HttpRequest& request, Call& call) const {
  const Arguments arguments(request);
  check_key(request, arguments.text("api_key"), call);
  bool several = false;
  arguments.required_texts("q", several);
  return json_response(ordered_json::array({detected_json(only_source(catalogue()->pairs().sources()))}));
}

HttpResponse Api::health() const {
  if (stopping_) return json_response({{"status", "stopping"}}, 503);
  return json_response({{"status", "ok"}});
}

HttpResponse Api::languages() const { return json_response(libre_languages(catalogue()->pairs())); }

HttpResponse Api::frontend_settings() const {
  return json_response(libre_settings(catalogue()->pairs(), settings_.limits, !settings_.api_keys.empty()));
}

HttpResponse Api::page() const {
  return {200,
          web_page(),
          "text/html; charset=utf-8",
          {{"Content-Security-Policy", kPolicy}, {"Referrer-Policy", "no-referrer"}, {"Cache-Control", "no-cache"}}};
}

HttpResponse Api::metrics_text(const HttpRequest& request, Call& call) const {
  check_key(request, "", call);
  Gauges gauges;
  gauges.connections = connections;
  gauges.slow_connections = slow_connections;
  gauges.requests_in_work = static_cast<int64_t>(service_.in_work());
  gauges.waiting_sentences = static_cast<int64_t>(service_.waiting());
  gauges.characters_in_work = service_.characters();
  gauges.sentences = service_.counts().sentences;
  gauges.target_tokens = service_.counts().target_tokens;
  gauges.abandoned = service_.counts().abandoned;
  gauges.expired = service_.counts().expired;
  gauges.uptime = core::seconds_now() - started_;
  {
    const std::lock_guard lock(mutex_);
    gauges.models = static_cast<int64_t>(catalogue_->models());
    gauges.reloads = reloads_;
  }
  return {200, metrics_.text(gauges), "text/plain; version=0.0.4; charset=utf-8"};
}

void Api::reload(std::shared_ptr<const Catalogue> catalogue) {
  auto keys = std::make_shared<const ApiKeys>(settings_.api_keys.empty() ? ApiKeys() : ApiKeys(settings_.api_keys));
  log_.reopen();
  const std::lock_guard lock(mutex_);
  catalogue_ = std::move(catalogue);
  keys_ = std::move(keys);
  ++reloads_;
}

}  // namespace ventris::serving
