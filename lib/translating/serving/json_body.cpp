#include "serving/json_body.h"

#include <nlohmann/json.hpp>

#include "core/json_shape.h"
#include "serving/http_message.h"

namespace ventris::serving {

nlohmann::json parse_json_body(const std::string& body) {
  const core::JsonShape shape = core::shape_of_json(body, kMostBodyLevels, kMostBodyValues);
  if (shape.too_deep) {
    throw RequestError(400,
                       "Invalid request: JSON is nested deeper than " + std::to_string(kMostBodyLevels) + " levels");
  }
  if (shape.too_many) {
    throw RequestError(400,
                       "Invalid request: JSON has more than " + std::to_string(kMostBodyValues) + " keys and values");
  }
  const auto not_json_at = [](size_t byte) {
    return RequestError(400, "Invalid request: not valid JSON at byte " + std::to_string(byte));
  };
  if (shape.zero_byte) throw not_json_at(*shape.zero_byte + 1);
  nlohmann::json parsed;
  try {
    parsed = nlohmann::json::parse(body);
  } catch (const nlohmann::json::parse_error& error) {
    throw not_json_at(error.byte);
  } catch (const nlohmann::json::out_of_range&) {
    throw RequestError(400, "Invalid request: JSON has a number that is too large");
  }
  if (!parsed.is_object()) throw RequestError(400, "Invalid request: expected a JSON object");
  if (shape.repeated_key) {
    throw RequestError(400, "Invalid request: '" + *shape.repeated_key + "' occurs twice in one JSON object");
  }
  return parsed;
}

std::string to_body(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace ventris::serving
