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

/// Needs no memory.
inline HttpResponse without_memory() noexcept { return {503, "", ""}; }

inline HttpResponse response_to(const std::exception_ptr& problem, ErrorShape shape) noexcept {
  try {
    return error_response(error_of(problem), shape);
  } catch (...) {
    return without_memory();
  }
}

}  // namespace ventris::serving
