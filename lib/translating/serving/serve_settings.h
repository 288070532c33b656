#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/setting_description.h"
#include "documents/recasing.h"
#include "serving/language_pairs.h"
#include "translation/open_scorers.h"
#include "translation/translator.h"

namespace ventris::serving {

/// Limits of what clients may ask for, so that none of them can take the server from the others.
struct ServeLimits {
  int64_t body_kib = 1024;               ///< of one request
  int64_t bodies_mib = 64;               ///< of all requests that are being received
  int64_t answers_mib = 256;             ///< of all answers that clients have not read yet
  int64_t requests_per_minute = 0;       ///< of one client; 0 = no limit
  int64_t texts = 1000;                  ///< in one request
  int64_t characters = 100'000;          ///< in one request, over all texts
  int64_t alternatives = 10;             ///< in one request
  int64_t queue_characters = 5'000'000;  ///< of all requests that wait or are translated
  int64_t client_characters = 1'000'000; ///< the same, of one client
  int64_t connections = 1000;
  int64_t address_connections = 256;  ///< of one address; 0 = no limit
  int64_t receive_seconds = 10;  ///< from the beginning of a connection, or of its last answer, to a whole request
  int64_t send_seconds = 60;  ///< for the answer to reach the client
  int64_t deadline = 120;  ///< seconds from a whole request to its answer
  int64_t files_mib = 64;             ///< of translated files that wait to be fetched; 0 = no files
  int64_t file_seconds = 600;         ///< how long they are kept
  int64_t drain_seconds = 30;  ///< from a stop signal until requests without an answer are given up
};

/// The settings of `ventris-serve`. Their keys in settings files are the names of the flags with underscores.
struct ServeSettings {
  std::vector<std::string> models;  ///< as parse_pair() reads them
  std::vector<std::string> language_names;  ///< as parse_language_name() reads them
  bool pivots = false;
  std::string address = "127.0.0.1";
  int64_t port = 5000;  ///< 0 = one that is free
  std::string api_keys, access_log, suggestions, terms;
  translation::TermUse term_use = translation::TermUse::kRequire;
  std::string allow_origin = "*";
  bool forwarded_for = false;
  bool deepl = false, google = false;  ///< whether these protocols are spoken, too
  documents::Recase recase = documents::Recase::kCapitals;
  std::string device = "cpu";
  translation::Backend backend = translation::Backend::kAuto;
  translation::Precision precision = translation::Precision::kAuto;
  int64_t threads = 1, mini_batch = 64, mini_batch_words = 4096, workspace = 0, beam_size = 0;  ///< 0 = the default
  int64_t context = 0;  ///< most sentences before a sentence that models get which have learnt it; 0 = none
  ServeLimits limits;

  /// Throws ConfigError for an unknown key, a wrong type or an invalid value.
  static ServeSettings parse(const nlohmann::json& source);
  nlohmann::json to_json() const;
  /// Every setting, for docs/settings.md.
  static std::vector<core::SettingsSection> describe();

  std::vector<PairSpec> pairs() const;
  std::map<std::string, std::string> names() const;
  /// What opens this model, as settings of ventris-translate.
  nlohmann::json of_model(const std::string& path) const;
};

}  // namespace ventris::serving
