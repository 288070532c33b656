#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "serving/api.h"
#include "serving/json_body.h"

/// What both files of Api use.
namespace ventris::serving {

/// A request until its answer.
struct Api::Call {
  AccessRecord record;
  double started = 0;
  Reply reply;
  std::string client;
  ErrorShape error_shape = libre_error;
};

inline HttpResponse json_response(const nlohmann::ordered_json& json, int status = 200) {
  return {status, to_body(json)};
}

inline HttpResponse error_response(const RequestError& error, ErrorShape shape) {
  HttpResponse response = json_response(shape(error), error.status);
  if (error.retry_after) response.headers.emplace_back("Retry-After", std::to_string(*error.retry_after));
  return response;
}

}  // namespace ventris::serving
