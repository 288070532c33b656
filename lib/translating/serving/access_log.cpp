#include "serving/access_log.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "serving/json_body.h"

namespace ventris::serving {

std::string to_json_line(const AccessRecord& record, double time) {
  nlohmann::ordered_json json{{"time", utc_text(time)}, {"address", record.address}};
  if (!record.key.empty()) json["key"] = record.key;
  json["method"] = record.method;
  json["path"] = record.path;
  json["status"] = record.status;
  json["milliseconds"] = std::round(record.seconds * 1e4) / 10;
  if (record.characters > 0 || record.texts > 0) {
    json["source"] = record.source;
    json["target"] = record.target;
    json["texts"] = record.texts;
    json["characters"] = record.characters;
    json["sentences"] = record.sentences;
    json["tokens"] = record.tokens;
  }
  return to_body(json);
}

void AccessLog::add(const AccessRecord& record) {
  if (file_.is_open()) file_.add(to_json_line(record, seconds_since_1970()));
}

}  // namespace ventris::serving
