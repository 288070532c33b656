#include "serving/api.h"

#include <strings.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "core/process.h"
#include "serving/arguments.h"
#include "serving/deepl.h"
#include "serving/embedded_files.h"
#include "serving/google.h"
#include "serving/json_body.h"
#include "serving/libretranslate.h"
#include "serving/multipart.h"
#include "serving/own_protocol.h"

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
  for (const std::string_view scheme : {"Bearer ", "DeepL-Auth-Key "}) {
    const bool is_it = strncasecmp(authorization.c_str(), scheme.data(), scheme.size()) == 0;
    if (is_it) return authorization.substr(scheme.size());
  }
  return "";
}

HttpResponse error_response(const RequestError& error, ErrorShape shape) {
  HttpResponse response = json_response(shape(error), error.status);
  if (error.retry_after) response.headers.emplace_back("Retry-After", std::to_string(*error.retry_after));
  return response;
}

constexpr std::string_view kDownloads = "/download_file/";

/// Where the client finds a file: at the address to which it has sent its request.
std::string url_of(const HttpRequest& request, const std::string& file) {
  const auto is_sign = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view(".:-[]").find(static_cast<char>(c)) != std::string_view::npos;
  };
  const bool known = !request.host.empty() && std::ranges::all_of(request.host, is_sign);
  const std::string scheme = request.forwarded_proto == "https" ? "https://" : "http://";
  return (known ? scheme + request.host : "") + std::string(kDownloads) + file;
}

bool is_auto(const std::string& language) { return strcasecmp(language.c_str(), "auto") == 0; }

const char* known_method(const std::string& method) {
  for (const char* known : {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE"}) {
    if (method == known) return known;
  }
  return "other";
}

/// The code of a language that the server has.
std::string served_language(const LanguagePairs& pairs, const std::string& asked) {
  const auto found = pairs.find(asked);
  if (!found) throw RequestError(400, asked + " is not supported");
  return *found;
}

/// The language of all texts together.
detection::Detected detected_in(const std::vector<std::string>& texts, const std::vector<std::string>& languages,
                                bool html) {
  std::string all;
  for (const std::string& text : texts) all += text + "\n";
  return detection::LanguageDetector(languages).detect(all, html);
}

}  // namespace

/// A request until its answer.
struct Api::Call {
  AccessRecord record;
  double started = 0;
  Reply reply;
  std::string client;
  ErrorShape error_shape = libre_error;
};

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
Api::CallPointer Api::new_call(const HttpRequest& request) const {
  const Endpoint* const endpoint = endpoint_of(request.path);
  auto call = std::make_shared<Call>();
  call->started = core::seconds_now();
  call->client = client_of(request.address);
  call->record.address = request.address;
  call->record.method = known_method(request.method);
  call->record.path = endpoint == nullptr ? "other" : endpoint->path;
  if (endpoint != nullptr) call->error_shape = endpoint->error_shape;
  return call;
}

uint64_t Api::handle(const HttpRequest& request, const Reply& reply) {
  const CallPointer call = new_call(request);
  call->reply = reply;
  try {
    return answer(request, call);
  } catch (...) {
    finish(call, error_response(error_of(std::current_exception()), call->error_shape));
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
  const CallPointer call = new_call(request);
  call->reply = [&](HttpResponse response) { refusal = std::move(response); };
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

void Api::finish(const CallPointer& call, HttpResponse response) {
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

std::vector<Step> Api::route_of(TranslationRequest& request, const Catalogue& catalogue) const {
  const LanguagePairs& pairs = catalogue.pairs();
  request.target = served_language(pairs, request.target);
  if (is_auto(request.source)) {
    const std::vector<std::string> possible = pairs.sources_of(request.target);
    request.detected = detected_in(request.texts, possible.empty() ? pairs.sources() : possible,
                                   request.kind.markup == markup::Markup::kHtml || markup::is_xml(request.kind.markup));
  }
  request.source = request.detected ? request.detected->language : served_language(pairs, request.source);
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
  if (last.writes_all_at_once() && request.kind.search.links) {
    throw RequestError(400,
                       "Invalid request: this model gives no links between words, by which tags and placeholders are "
                       "placed; send plain text");
  }
  if (markup::has_both_sides(request.kind.markup) && steps.size() > 1) {
    throw RequestError(400,
                       "Invalid request: a file that has translations beside their sources cannot be translated "
                       "through " +
                           steps.front().target_code);
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
  work.kind.search.beam = last.beam_for(request.candidates);
  work.candidates = request.candidates;
  work.client = call->client;
  work.characters = request.load();
  work.deadline = core::seconds_now() + static_cast<double>(settings_.limits.deadline);
  return service_.start(std::move(work), [this, call, characters = request.characters(),
                                          format = std::move(format)](const WorkResult& result) {
    call->record.characters = characters;  // only of what was accepted
    call->record.sentences = result.sentences;
    call->record.tokens = result.tokens;
    HttpResponse response;
    try {
      response = result.error ? error_response(*result.error, call->error_shape) : HttpResponse{200, format(result)};
    } catch (...) {
      response = error_response(error_of(std::current_exception()), call->error_shape);
    }
    finish(call, std::move(response));
  });
}

uint64_t Api::translate_as_libre(const HttpRequest& request, const CallPointer& call) {
  const Arguments arguments(request);
  check_key(request, arguments.text("api_key"), *call);
  TranslationRequest wanted = parse_libre_request(arguments, settings_.limits);
  const bool alternatives = arguments.number("alternatives", 0) > 0;
  std::vector<Step> steps = route_of(wanted, *catalogue());
  return begin(wanted, std::move(steps), call, [wanted, alternatives](const WorkResult& result) {
    return to_body(libre_answer(wanted, result, alternatives));
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

uint64_t Api::translate_as_deepl(const HttpRequest& request, const CallPointer& call) {
  const Arguments arguments(request);
  check_key(request, arguments.text("auth_key"), *call);
  TranslationRequest wanted = parse_deepl_request(arguments, settings_.limits);
  std::vector<Step> steps = route_of(wanted, *catalogue());
  return begin(wanted, std::move(steps), call,
               [wanted](const WorkResult& result) { return to_body(deepl_answer(wanted, result)); });
}

uint64_t Api::translate_as_google(const HttpRequest& request, const CallPointer& call) {
  const Arguments arguments(request);
  check_key(request, arguments.text("key"), *call);
  TranslationRequest wanted = parse_google_request(arguments, settings_.limits);
  std::vector<Step> steps = route_of(wanted, *catalogue());
  return begin(wanted, std::move(steps), call,
               [wanted](const WorkResult& result) { return to_body(google_answer(wanted, result)); });
}

uint64_t Api::translate_file(const HttpRequest& request, const CallPointer& call) {
  if (settings_.limits.files_mib == 0) throw RequestError(403, "Files translation are disabled on this server.");
  std::vector<FormPart> parts = parse_multipart(request.body, request.content_type);
  const auto file = std::ranges::find(parts, "file", &FormPart::name);
  Fields fields = request.query;
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part != file) fields.emplace_back(part->name, part->content);
  }
  const std::string* const key = find_field(fields, "api_key");
  check_key(request, key == nullptr ? "" : *key, *call);
  if (file == parts.end() || file->file_name.empty()) {
    throw RequestError(400, "Invalid request: missing file parameter");
  }
  TranslationRequest wanted = parse_libre_file(fields, std::move(file->content), file->file_name, settings_.limits);
  std::vector<Step> steps = route_of(wanted, *catalogue());
  const std::string ending = ending_of(file->file_name), place = url_of(request, "");
  return begin(wanted, std::move(steps), call, [this, ending, place](const WorkResult& result) {
    const std::string& text = result.answers.front().front().translation.text();
    return to_body({{"translatedFileUrl", place + files_.add(text, ending, core::seconds_now())}});
  });
}

/// A file is never shown as a page of this server, because it has what users wrote. Its name is the end of the URL, or
/// what a link says (`download`).
HttpResponse Api::download(const HttpRequest& request, Call& /*call*/) const {
  const std::string name = request.path.substr(std::min(kDownloads.size(), request.path.size()));
  auto content = files_.find(name, core::seconds_now());
  if (!content) throw RequestError(404, "There is no such file, or not any more");
  return {200,
          std::move(*content),
          "application/octet-stream",
          {{"Content-Disposition", "attachment"}, {"Cache-Control", "no-store"}}};
}

HttpResponse Api::languages_as_deepl(const HttpRequest& request, Call& call) const {
  const Arguments arguments(request);
  check_key(request, arguments.text("auth_key"), call);
  return json_response(deepl_languages(catalogue()->pairs(), arguments.text("type", "source")));
}

HttpResponse Api::usage(const HttpRequest& request, Call& call) const {
  constexpr int64_t kNoLimit = 1'000'000'000'000;
  check_key(request, Arguments(request).text("auth_key"), call);
  return json_response({{"character_count", metrics_.characters()}, {"character_limit", kNoLimit}});
}

HttpResponse Api::languages_as_google(const HttpRequest& request, Call& call) const {
  const Arguments arguments(request);
  check_key(request, arguments.text("key"), call);
  return json_response(google_languages(catalogue()->pairs(), arguments.text("target")));
}

HttpResponse Api::detect_as_google(const HttpRequest& request, Call& call) const {
  const Arguments arguments(request);
  check_key(request, arguments.text("key"), call);
  bool several = false;
  const detection::LanguageDetector detector(catalogue()->pairs().languages());
  std::vector<detection::Detected> detected;
  for (const std::string& text : arguments.required_texts("q", several)) detected.push_back(detector.detect(text));
  return json_response(google_detections(detected));
}

HttpResponse Api::suggest(const HttpRequest& request, Call& call) const {
  const Arguments arguments(request);
  check_key(request, arguments.text("api_key"), call);
  if (!suggestions_.is_open()) throw RequestError(403, "Suggestions are disabled on this server.");
  Suggestion suggestion = parse_libre_suggestion(arguments, settings_.limits);
  const auto catalogue_now = catalogue();
  for (std::string* language : {&suggestion.source, &suggestion.target}) {
    if (!is_auto(*language)) *language = served_language(catalogue_now->pairs(), *language);
  }
  if (!suggestions_.add(to_json_line(suggestion, call.record.key, seconds_since_1970()))) {
    throw RequestError(500, "The suggestion could not be stored");
  }
  return json_response({{"success", true}});
}

HttpResponse Api::detect(const HttpRequest& request, Call& call) const {
  const Arguments arguments(request);
  check_key(request, arguments.text("api_key"), call);
  bool several = false;
  const std::vector<std::string> texts = arguments.required_texts("q", several);
  return json_response(
      ordered_json::array({detected_json(detected_in(texts, catalogue()->pairs().languages(), false))}));
}

HttpResponse Api::health() const {
  if (stopping_) return json_response({{"status", "stopping"}}, 503);
  return json_response({{"status", "ok"}});
}

HttpResponse Api::languages() const { return json_response(libre_languages(catalogue()->pairs())); }

HttpResponse Api::frontend_settings() const {
  return json_response(libre_settings(catalogue()->pairs(), settings_.limits,
                                      {.keys = !settings_.api_keys.empty(), .suggestions = suggestions_.is_open()}));
}

HttpResponse Api::page() const {
  return {200,
          web_page(),
          "text/html; charset=utf-8",
          {{"Content-Security-Policy", kPolicy}, {"Referrer-Policy", "no-referrer"}, {"Cache-Control", "no-cache"}}};
}

HttpResponse Api::specification() const { return {200, openapi()}; }

HttpResponse Api::metrics_text(const HttpRequest& request, Call& call) const {
  check_key(request, "", call);
  Gauges gauges;
  gauges.connections = connections;
  gauges.slow_connections = slow_connections;
  gauges.body_bytes = body_bytes;
  gauges.requests_in_work = static_cast<int64_t>(service_.in_work());
  gauges.waiting_sentences = static_cast<int64_t>(service_.waiting());
  gauges.characters_in_work = service_.characters();
  gauges.sentences = service_.counts().sentences;
  gauges.target_tokens = service_.counts().target_tokens;
  gauges.abandoned = service_.counts().abandoned;
  gauges.expired = service_.counts().expired;
  gauges.unread_bytes = *unread_;
  gauges.uptime = core::seconds_now() - started_;
  {
    const std::lock_guard lock(mutex_);
    gauges.models = static_cast<int64_t>(catalogue_->models());
    gauges.reloads = reloads_;
  }
  return {200, metrics_.text(gauges), "text/plain; version=0.0.4; charset=utf-8"};
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
