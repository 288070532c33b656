#pragma once
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "serving/api.h"
#include "support/copying_models.h"

namespace ventris::serving {

/// Asks an Api, which has a model that copies its sources, for its answers.
class ApiCase : public CopyingModels {
 protected:
  void open(const std::vector<std::string>& pairs, const nlohmann::json& more = nlohmann::json::object()) {
    const ServeSettings settings = settings_of(pairs, more);
    api = std::make_unique<Api>(settings, std::make_shared<const Catalogue>(settings));
  }

  HttpResponse ask(const HttpRequest& request) {
    if (!api) open({"en-de"});
    std::promise<HttpResponse> promise;
    api->handle(request, [&](HttpResponse response) { promise.set_value(std::move(response)); });
    return promise.get_future().get();
  }
  HttpResponse get(const std::string& path) { return ask({.method = "GET", .path = path, .address = "192.0.2.7"}); }
  HttpResponse post(const std::string& path, const nlohmann::json& body, const std::string& authorization = "") {
    return ask({.method = "POST",
                .path = path,
                .content_type = "application/json",
                .authorization = authorization,
                .body = body.dump(),
                .address = "192.0.2.7"});
  }
  nlohmann::json answer(const std::string& path, const nlohmann::json& body) {
    const HttpResponse response = post(path, body);
    EXPECT_EQ(response.status, 200) << response.body;
    return nlohmann::json::parse(response.body);
  }
  /// "400 sentence" for an error.
  std::string refusal(const std::string& path, const nlohmann::json& body) {
    const HttpResponse response = post(path, body);
    return std::to_string(response.status) + " " + nlohmann::json::parse(response.body).value("error", "no error");
  }

  std::unique_ptr<Api> api;
  const std::string kLine = "The driver likes bread.";
};

/// A form with a file, as browsers and curl send it.
inline HttpRequest upload(const std::string& name, const std::string& content, const std::string& target = "de") {
  std::string body;
  for (const auto& [field, value] : {std::pair<std::string, std::string>("source", "en"), {"target", target}}) {
    body += "--b1\r\nContent-Disposition: form-data; name=\"" + field + "\"\r\n\r\n" + value + "\r\n";
  }
  body += "--b1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name +
          "\"\r\nContent-Type: text/plain\r\n\r\n" + content + "\r\n--b1--\r\n";
  return {.method = "POST",
          .path = "/translate_file",
          .content_type = "multipart/form-data; boundary=b1",
          .host = "translate.example.org:5000",
          .body = body,
          .address = "192.0.2.7"};
}

}  // namespace ventris::serving
