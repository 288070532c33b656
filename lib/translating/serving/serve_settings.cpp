#include "serving/serve_settings.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/error.h"
#include "core/fields.h"
#include "core/json_reader.h"
#include "decoding/search.h"
#include "filters/computing_fields.h"
#include "filters/model_choice.h"
#include "filters/open_translation.h"
#include "filters/recase_field.h"
#include "filters/term_fields.h"
#include "serving/http_message.h"
#include "serving/translation_request.h"
#include "translation/model_text.h"
#include "translation/translator.h"

namespace ventris::serving {
namespace {

constexpr int64_t kMostSeconds = 86'400;
constexpr int64_t kMostCharacters = 1'000'000'000;

template <typename V>
void model_fields(V& visit, ServeSettings& settings) {
  visit({"model",
         "Models with their languages, each as `SOURCE-TARGET=MODEL`, or `SOURCE:TARGET=MODEL` for codes with hyphens. "
         "A multilingual model is given once for each of its pairs, and is loaded once."},
        settings.models);
  visit({"language_name",
         "What multilingual models call the languages, each as `CODE=NAME`. A language that is not here is called by "
         "its code."},
        settings.language_names);
  visit({"pivots",
         "Translate through one other language where no model has the pair. `/languages` lists such pairs, too."},
        settings.pivots);
  filters::term_fields(visit, settings.terms, settings.term_use);
  filters::recase_field(visit, settings.recase);
  filters::computing_fields(visit, settings);
  visit({"threads", "Threads that translate. All models share them."}, settings.threads,
        {.least = 1, .most = translation::kMostWorkers});
  visit({"mini_batch", "Maximum number of sentences that a thread translates at the same time."}, settings.mini_batch,
        {.least = 1});
  visit({"mini_batch_words", "Maximum number of source tokens of these sentences, with padding if the model needs it."},
        settings.mini_batch_words, {.least = 1});
  visit({"workspace", "MiB of memory for what each thread translates at the same time. 0: that of ventris-translate."},
        settings.workspace, {.least = 0, .most = translation::kMostWorkspace});
  visit({"beam_size", "Hypotheses that the search keeps for a sentence. 0: the value of each model."},
        settings.beam_size, {.least = 0, .most = decoding::kLargestBeam});
  visit({"context",
         "Most sentences before a sentence that a model gets if it has learnt to use them (`data.context`). 0: none."},
        settings.context, {.least = 0, .most = model::kMostContext});
}

template <typename V>
void network_fields(V& visit, ServeSettings& settings) {
  visit({"address", "Address to listen on. `0.0.0.0` or `::`: all addresses of the machine."}, settings.address);
  visit({"port", "Port to listen on. 0: one that is free; the program prints it."}, settings.port,
        {.least = 0, .most = 65535});
  visit({"api_keys",
         "File of keys: a name and the SHA-256 of a key on each line. If it is given, translating needs a key. Empty: "
         "everybody may translate."},
        settings.api_keys);
  visit(
      {"access_log", "File to which a JSON object is appended for each request. It has no text of users. Empty: none."},
      settings.access_log);
  visit({"suggestions",
         "File to which better translations are appended that users suggest (`/suggest`), as JSON objects. Empty: none "
         "are accepted."},
        settings.suggestions);
  visit({"allow_origin",
         "Web pages from which browsers may use the server: `*` for all, or an origin such as `https://example.org`. "
         "Empty: only the server's own page."},
        settings.allow_origin);
  visit({"forwarded_for",
         "Behind a reverse proxy: the client is the last address in the header X-Forwarded-For, which anybody but a "
         "proxy could forge."},
        settings.forwarded_for);
  visit({"deepl", "Also speak the protocol of DeepL: `/v2/translate`, `/v2/languages`, `/v2/usage`."}, settings.deepl);
  visit({"google", "Also speak the protocol of Google's Cloud Translation, version 2: `/language/translate/v2`."},
        settings.google);
}

template <typename V>
void limit_fields(V& visit, ServeLimits& limits) {
  visit({"max_body", "Largest body of a request in KiB; beyond it, the answer is 413."}, limits.body_kib,
        {.least = 1, .most = 65'536});
  visit({"max_bodies",
         "MiB of memory for bodies that are being received, of all clients together; beyond it, the answer is 503."},
        limits.bodies_mib, {.least = 1, .most = 65'536});
  visit({"max_answers",
         "MiB of memory for answers until clients have read them, of all clients together; beyond it, the answer is "
         "503."},
        limits.answers_mib, {.least = 1, .most = 65'536});
  visit({"requests_per_minute",
         "Most requests of one client in a minute, which is a key or, without keys, an address; beyond it, the answer "
         "is 429. The file of keys can have other numbers. 0: no limit."},
        limits.requests_per_minute, {.least = 0, .most = kMostRequestsPerMinute});
  visit({"max_texts", "Most texts in a request; beyond it, the answer is 400."}, limits.texts,
        {.least = 1, .most = 10'000});
  visit({"max_characters", "Most characters in a request, over all its texts; beyond it, the answer is 400."},
        limits.characters, {.least = 1, .most = kMostCharacters});
  visit({"max_alternatives", "Most alternatives for a text; beyond it, the answer is 400."}, limits.alternatives,
        {.least = 0, .most = 255});
  visit({"queue_characters",
         "Most characters of all requests that wait or are being translated, where a text counts as 32 characters at "
         "least; beyond it, the answer is 503."},
        limits.queue_characters, {.least = 1, .most = kMostCharacters});
  visit({"client_characters",
         "The same for one client, which is a key or, without keys, an address; beyond it, the answer is 429."},
        limits.client_characters, {.least = 1, .most = kMostCharacters});
  visit({"connections", "Most connections at the same time; more wait in the system's queue."}, limits.connections,
        {.least = 1, .most = 100'000});
  visit({"address_connections", "The same for one address; more are closed at once. 0: no limit."},
        limits.address_connections, {.least = 0, .most = 100'000});
  visit(
      {"receive_seconds",
       "Seconds for a whole request to arrive, from the beginning of the connection or from its last answer. Then the "
       "connection is closed."},
      limits.receive_seconds, {.least = 1, .most = kMostSeconds});
  visit({"send_seconds", "Seconds in which a client must have read an answer. Then the connection is closed."},
        limits.send_seconds, {.least = 1, .most = kMostSeconds});
  visit({"deadline", "Seconds from a whole request to its answer; after them, the answer is 503."}, limits.deadline,
        {.least = 1, .most = kMostSeconds});
  visit({"max_files",
         "MiB of memory for translated files until they are fetched; the oldest ones give way. 0: files are not "
         "translated."},
        limits.files_mib, {.least = 0, .most = 65'536});
  visit({"file_seconds", "Seconds for which a translated file can be fetched."}, limits.file_seconds,
        {.least = 1, .most = kMostSeconds});
  visit(
      {"drain_seconds", "After a stop signal, seconds in which the requests that have arrived may still be answered."},
      limits.drain_seconds, {.least = 0, .most = kMostSeconds});
}

template <typename V>
void fields(V& visit, ServeSettings& settings) {
  model_fields(visit, settings);
  network_fields(visit, settings);
  limit_fields(visit, settings.limits);
}

void check_limits(const ServeLimits& limits) {
  if (limits.client_characters < limits.characters) {
    fail<ConfigError>("client_characters: must be at least max_characters (", limits.characters, "), got ",
                      limits.client_characters, "; otherwise the largest request would never be accepted");
  }
  if (limits.client_characters < kLeastOfText * limits.texts) {
    fail<ConfigError>("client_characters: must be at least ", kLeastOfText, " times max_texts (",
                      kLeastOfText * limits.texts, "), got ", limits.client_characters,
                      ", because each text counts as ", kLeastOfText, " characters at least");
  }
  if (limits.queue_characters < limits.client_characters) {
    fail<ConfigError>("queue_characters: must be at least client_characters (", limits.client_characters, "), got ",
                      limits.queue_characters);
  }
  if (limits.bodies_mib * 1024 < limits.body_kib) {
    fail<ConfigError>("max_bodies: must be at least max_body (", limits.body_kib, " KiB), got ", limits.bodies_mib,
                      " MiB");
  }
}

/// Throws ConfigError unless browsers can send this origin: a scheme and a host, perhaps with a port.
void check_origin(const std::string& origin) {
  if (origin.empty() || origin == "*" || origin == "null") return;
  const size_t scheme = origin.find("://");
  const std::string host = scheme == std::string::npos ? "" : origin.substr(scheme + 3);
  const auto is_sign = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view(".:-[]").find(static_cast<char>(c)) != std::string_view::npos;
  };
  const bool known = origin.starts_with("http://") || origin.starts_with("https://");
  if (known && !host.empty() && std::ranges::all_of(host, is_sign)) return;
  fail<ConfigError>(
      "allow_origin: expected * or one origin, such as https://example.org or http://localhost:8080 "
      "(without a path), got '",
      origin, "'");
}

}  // namespace

ServeSettings ServeSettings::parse(const nlohmann::json& source) {
  ServeSettings settings;
  const nlohmann::json listed = filters::with_model_list(source);
  core::JsonReader reader(listed, "");
  core::FieldReader visit(reader);
  fields(visit, settings);
  reader.finish();
  check_limits(settings.limits);
  check_origin(settings.allow_origin);
  static_cast<void>(LanguagePairs(settings.pairs(), settings.pivots));
  static_cast<void>(settings.names());
  static_cast<void>(filters::check_settings(settings.of_model("")));
  return settings;
}

nlohmann::json ServeSettings::to_json() const {
  core::FieldWriter visit;
  ServeSettings copy = *this;
  fields(visit, copy);
  return visit.out;
}

std::vector<core::SettingsSection> ServeSettings::describe() {
  core::FieldList list;
  ServeSettings settings;
  fields(list, settings);
  return std::move(list.sections);
}

std::vector<PairSpec> ServeSettings::pairs() const {
  std::vector<PairSpec> all;
  for (const std::string& model : models) all.push_back(parse_pair(model));
  return all;
}

std::map<std::string, std::string> ServeSettings::names() const {
  std::map<std::string, std::string> all;
  for (const std::string& name : language_names) {
    const auto [place, added] = all.insert(parse_language_name(name));
    if (!added) fail<ConfigError>("language_name: the language ", place->first, " is given twice; leave one out");
  }
  return all;
}

nlohmann::json ServeSettings::of_model(const std::string& path) const {
  nlohmann::json json{{"model", path},
                      {"device", device},
                      {"backend", core::name_of(backend, filters::backends())},
                      {"precision", core::name_of(precision, filters::precisions())},
                      {"threads", threads},
                      {"mini_batch", mini_batch},
                      {"mini_batch_words", mini_batch_words},
                      {"recase", core::name_of(recase, filters::recases())},
                      {"terms", terms},
                      {"term_use", core::name_of(term_use, filters::term_uses())}};
  if (workspace > 0) json["workspace"] = workspace;
  if (beam_size > 0) json["beam_size"] = beam_size;
  return json;
}

}  // namespace ventris::serving
