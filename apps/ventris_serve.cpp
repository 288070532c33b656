#include "serving/serve.h"
#include "serving/serve_settings.h"
#include "support/computing_flags.h"
#include "support/run.h"
#include "support/settings.h"
#include "support/text_flags.h"
#include "translation/scorer_loader.h"

namespace {

using ventris::apps::Settings;
using ventris::serving::ServeSettings;

using Text = std::string;

void add_model_flags(Settings& settings) {
  const char* group = "Models";
  settings
      .flag<std::vector<Text>>("-m,--model", "/model",
                               "Languages and their model: en-de=run/best, or en:pt-BR=run/best (repeatable)", group)
      ->allow_extra_args(false)
      ->option_text("PAIR=MODEL");
  settings
      .flag<std::vector<Text>>("--language-name", "/language_name",
                               "What multilingual models call a language: en=eng_Latn (repeatable)", group)
      ->allow_extra_args(false)
      ->option_text("CODE=NAME");
  settings.add_switch("--pivots", "/pivots", "Also translate through one other language", group);
  add_term_flags(settings, group);
  add_recase_flag(settings, group);
  settings
      .flag<int64_t>("--context", "/context", "Give models that have learnt it this number of sentences before each",
                     group)
      ->type_name("N");
  settings
      .flag<int64_t>("-b,--beam-size", "/beam_size",
                     "Hypotheses per sentence, at most 256; 1 = greedy search; 0 = the value of each model", group)
      ->option_text("INT");
}

void add_network_flags(Settings& settings) {
  const char* group = "Network";
  settings.flag<Text>("--address", "/address", "Address to listen on; 0.0.0.0 = all of this machine", group)
      ->type_name("ADDRESS");
  settings.flag<int64_t>("-p,--port", "/port", "Port to listen on; 0 = one that is free", group);
  settings
      .flag<Text>("--api-keys", "/api_keys",
                  "File with a name and the SHA-256 of a key on each line; without: everybody", group)
      ->type_name("FILE");
  settings
      .flag<Text>("--access-log", "/access_log", "File to which a line of JSON is appended for each request", group)
      ->type_name("FILE");
  settings
      .flag<Text>("--suggestions", "/suggestions", "File to which translations that users suggest are appended", group)
      ->type_name("FILE");
  settings
      .flag<Text>("--allow-origin", "/allow_origin", "Web pages from which browsers may use the server; * = all", group)
      ->option_text("ORIGIN");
  settings.add_switch("--forwarded-for", "/forwarded_for",
                      "Behind a proxy: take the address of a client from X-Forwarded-For", group);
  settings.add_switch("--deepl", "/deepl", "Also speak the protocol of DeepL (/v2/translate)", group);
  settings.add_switch("--google", "/google", "Also speak that of Google (/language/translate/v2)", group);
}

void add_size_flags(Settings& settings) {
  const char* group = "Limits";
  settings.flag<int64_t>("--max-body", "/max_body", "Largest body of a request in KiB", group)->type_name("KIB");
  settings.flag<int64_t>("--max-bodies", "/max_bodies", "Memory in MiB for bodies that are being received", group)
      ->type_name("MIB");
  settings
      .flag<int64_t>("--max-answers", "/max_answers", "Memory in MiB for answers that clients have not read", group)
      ->type_name("MIB");
  settings.flag<int64_t>("--requests-per-minute", "/requests_per_minute",
                         "Most requests of one client in a minute; 0 = no limit", group);
  settings.flag<int64_t>("--max-texts", "/max_texts", "Most texts in a request", group);
  settings.flag<int64_t>("--max-characters", "/max_characters", "Most characters in a request", group);
  settings.flag<int64_t>("--max-alternatives", "/max_alternatives", "Most alternatives for a text", group);
  settings.flag<int64_t>("--queue-characters", "/queue_characters", "Most characters that wait or are translated",
                         group);
  settings.flag<int64_t>("--client-characters", "/client_characters", "The same of one client", group);
  settings.flag<int64_t>("--connections", "/connections", "Most connections at the same time", group);
  settings.flag<int64_t>("--address-connections", "/address_connections", "The same of one address; 0 = no limit",
                         group);
  settings.flag<int64_t>("--max-files", "/max_files", "Memory in MiB for translated files; 0 = no files", group)
      ->type_name("MIB");
}

void add_time_flags(Settings& settings) {
  const char* group = "Times in seconds";
  settings.flag<int64_t>("--receive-seconds", "/receive_seconds", "For a whole request to arrive", group);
  settings.flag<int64_t>("--send-seconds", "/send_seconds", "For a client to read its answer", group);
  settings.flag<int64_t>("--deadline", "/deadline", "From a whole request to its answer", group);
  settings.flag<int64_t>("--file-seconds", "/file_seconds", "In which a translated file can be fetched", group);
  settings.flag<int64_t>("--drain-seconds", "/drain_seconds", "To answer what has arrived, after a stop signal", group);
}

void add_speed_flags(Settings& settings) {
  const char* group = "Speed";
  ventris::apps::add_device_flags(settings, group);
  settings.flag<int64_t>("--threads", "/threads", "Threads that translate", group);
  settings.flag<int64_t>("--mini-batch", "/mini_batch", "Maximum sentences that a thread translates at once", group);
  settings.flag<int64_t>("--mini-batch-words", "/mini_batch_words", "Maximum source tokens of these sentences", group);
  settings
      .flag<int64_t>("--workspace", "/workspace", "Memory in MiB for what each thread translates at once; 0 = usual",
                     group)
      ->type_name("MIB");
}

void serve(const nlohmann::json& merged, bool dump) {
  const ServeSettings settings = ServeSettings::parse(merged);
  if (dump) return ventris::apps::print_settings(settings.to_json());
  ventris::serving::serve(settings);
}

std::function<void()> set_up(CLI::App& app) {
  auto settings = std::make_shared<Settings>(app, ServeSettings().to_json());
  auto dump = std::make_shared<bool>(false);
  add_model_flags(*settings);
  add_network_flags(*settings);
  add_size_flags(*settings);
  add_time_flags(*settings);
  add_speed_flags(*settings);
  app.add_flag("--dump-config", *dump, "Print all settings and stop");
  return [settings, dump] { settings->with_merged([&dump](const nlohmann::json& merged) { serve(merged, *dump); }); };
}

}  // namespace

int main(int argc, char** argv) {
  const ventris::apps::Program program{"ventris-serve",
                                       "Translates for other programs, over HTTP.",
                                       "ventris-serve -m en-de=run/best --port 5000",
                                       ventris::translation::describe_backend,
                                       false,  // a stop signal must not stop the sentences that are being translated
                                       ServeSettings::describe};
  return ventris::apps::run(argc, argv, program, set_up);
}
