#include <strings.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "core/process.h"
#include "serving/api_call.h"
#include "serving/arguments.h"
#include "serving/deepl.h"
#include "serving/embedded_files.h"
#include "serving/google.h"
#include "serving/libretranslate.h"
#include "serving/multipart.h"
#include "serving/own_protocol.h"

// What each path of Api answers.
namespace ventris::serving {
namespace {

using nlohmann::ordered_json;

// The page has its style and its script inside, so that nothing else may be loaded.
constexpr const char* kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

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

std::vector<Step> Api::route_of(TranslationRequest& request, const Catalogue& catalogue) const {
  const LanguagePairs& pairs = catalogue.pairs();
  request.target = served_language(pairs, request.target);
  if (is_auto(request.source)) {
    const std::vector<std::string> possible = pairs.sources_of(request.target);
    const std::vector<std::string> texts = request.readable.empty() ? request.texts : std::vector{request.readable};
    request.detected = detected_in(texts, possible.empty() ? pairs.sources() : possible,
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
  if (request.needs_context && steps.front().model->context() == 0) {
    throw RequestError(400,
                       "Invalid request: this model does not use the sentences before (context parameter), or the "
                       "server was started without --context");
  }
  Work work{std::move(steps), request.texts, request.phrases, request.context, request.document, request.kind};
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
    HttpResponse response = without_memory();
    try {
      response = result.error ? error_response(*result.error, call->error_shape) : HttpResponse{200, format(result)};
    } catch (...) {
      response = response_to(std::current_exception(), call->error_shape);
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

}  // namespace ventris::serving
