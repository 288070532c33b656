#include <future>
#include <nlohmann/json.hpp>

#include "fuzz/targets.h"
#include "serving/api.h"
#include "serving/api_keys.h"
#include "serving/form.h"
#include "serving/multipart.h"
#include "support/copy_model.h"
#include "text/valid_utf8.h"

/// Requests to ventris-serve, as its HTTP server passes them on. The first line is "METHOD PATH?QUERY CONTENT-TYPE".
namespace ventris::fuzz {
namespace {

using serving::HttpRequest;
using serving::HttpResponse;

/// None if the HTTP server would refuse it itself.
std::optional<HttpRequest> request_of(std::string_view input) {
  const auto [line, body] = first_line_of(input);
  const size_t method_end = line.find(' '), path_end = line.find(' ', method_end + 1);
  if (method_end == std::string_view::npos || path_end == std::string_view::npos) return std::nullopt;
  const std::string_view place = line.substr(method_end + 1, path_end - method_end - 1);
  const size_t query = std::min(place.find('?'), place.size());
  HttpRequest request{.method = std::string(line.substr(0, method_end)),
                      .content_type = std::string(line.substr(path_end + 1)),
                      .body = std::string(body),
                      .address = "192.0.2.7"};
  try {
    request.path = serving::percent_decoded(place.substr(0, query), false);
    if (query < place.size()) request.query = serving::parse_form(place.substr(query + 1));
  } catch (const serving::RequestError&) {
    return std::nullopt;
  }
  return request;
}

serving::Api& api() {
  static const test::TempFolder kFolder(test::memory_folder());
  static const std::string kBundle = test::write_copying_bundle(kFolder.path("bundle"));
  static const auto kSettings = serving::ServeSettings::parse({{"model", {"en-de=" + kBundle, "de-en=" + kBundle}},
                                                               {"backend", "engine"},
                                                               {"deepl", true},
                                                               {"google", true},
                                                               {"max_characters", 300}});
  static serving::Api api(kSettings, std::make_shared<const serving::Catalogue>(kSettings));
  return api;
}

void answer_request(std::string_view input) {
  const auto request = request_of(input);
  if (!request) return;
  std::promise<HttpResponse> promise;
  api().handle(*request, [&](HttpResponse response) { promise.set_value(std::move(response)); });
  const HttpResponse response = promise.get_future().get();
  require(response.status >= 200 && response.status < 500, "no request makes an error of the server");
  if (response.content_type.starts_with("application/json")) {
    require(response.body.empty() || nlohmann::json::accept(response.body), "an answer is JSON");
  }
}

void read_keys(std::string_view input) {
  const serving::ApiKeys keys(file_with(input, "keys"));
  require(keys.required() && !keys.find("no key"), "only known keys are found");
}

const Registration kRequests("requests", answer_request);
const Registration kKeys("keys", read_keys);

}  // namespace
}  // namespace ventris::fuzz
