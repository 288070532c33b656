#include "serving/error_shapes.h"

#include <nlohmann/json.hpp>

namespace ventris::serving {

nlohmann::ordered_json libre_error(const RequestError& error) { return {{"error", error.what()}}; }

nlohmann::ordered_json deepl_error(const RequestError& error) { return {{"message", error.what()}}; }

nlohmann::ordered_json google_error(const RequestError& error) {
  return {{"error", {{"code", error.status}, {"message", error.what()}}}};
}

}  // namespace ventris::serving
