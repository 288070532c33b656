#include "serving/http_server.h"

#include <gmock/gmock.h>

#include <optional>

#include "serving/listening_socket.h"
#include "support/copying_models.h"
#include "support/http_client.h"
#include "support/running_trainer.h"

namespace ventris::serving {
namespace {

using nlohmann::json;
using test::ask_server;
using test::HttpAnswer;
using test::parse_answer;
using test::RawConnection;
using testing::HasSubstr;

class HttpServerTest : public CopyingModels {
 protected:
  void open(const json& more = json::object()) {
    const ServeSettings settings = settings_of({"en-de"}, more);
    api.emplace(settings, std::make_shared<const Catalogue>(settings));
    socket.emplace("127.0.0.1", 0);
    socket->listen();
    server.emplace(*api, *socket, settings.limits, settings.forwarded_for);
  }
  HttpAnswer translate(const std::string& text) {
    return ask_server(socket->port(), "POST", "/translate",
                      json{{"q", text}, {"source", "en"}, {"target", "de"}}.dump());
  }

  double metric(const std::string& name) const { return test::server_metric(socket->port(), name); }

  std::optional<Api> api;
  std::optional<ListeningSocket> socket;
  std::optional<HttpServer> server;
};

TEST_F(HttpServerTest, RequestsOfOneConnectionAreAnsweredInTheirOrderEvenIfTheyAreSentTogether) {
  open();
  const std::string body = R"({"q":"bread","source":"en","target":"de"})";
  const std::string translate =
      "POST /translate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
      "Content-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body;
  RawConnection connection(socket->port());
  connection.send(translate + "GET /health HTTP/1.1\r\nHost: a\r\n\r\n" + translate +
                  "GET /none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string answers = connection.read_all();
  size_t at = 0;
  for (const char* part : {"{\"translatedText\":\"bread\"}", "{\"status\":\"ok\"}", "{\"translatedText\":\"bread\"}",
                           "{\"error\":\"Not found\"}"}) {
    at = answers.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << " in " << answers;
  }
}

TEST_F(HttpServerTest, AnswersCountUntilTheyAreRead) {
  open();
  EXPECT_EQ(translate("bread").status, 200);
  EXPECT_TRUE(test::wait_until([&] { return api->unread_bytes() == 0; }));
}

TEST_F(HttpServerTest, AClientThatLeavesGivesBackWhatItHeld) {
  open();
  for (int i = 0; i < 20; ++i) {
    RawConnection connection(socket->port());
    connection.send(test::request_bytes("GET", "/"));  // the page, which nobody reads
  }
  EXPECT_TRUE(test::wait_until([&] { return api->unread_bytes() == 0 && api->connections == 0; }));
}

TEST_F(HttpServerTest, HeadersBeyondTheLimitEndTheirConnectionOnly) {
  open();
  RawConnection connection(socket->port());
  connection.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(100'000, 'a') + "\r\n\r\n");
  const int status = parse_answer(connection.read_all()).status;
  EXPECT_TRUE(status == 0 || status == 431 || status == 413) << status;
  EXPECT_EQ(translate("bread").status, 200);
}

TEST_F(HttpServerTest, BodiesOfAllClientsTogetherAreBounded) {
  open({{"max_body", 1024}, {"max_bodies", 1}});
  const std::string headers =
      "POST /translate HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 900000\r\n\r\n";
  RawConnection first(socket->port());
  first.send(headers + std::string(800'000, ' '));
  ASSERT_TRUE(test::wait_until([&] { return metric("ventris_body_bytes") == 800'000; }));
  RawConnection second(socket->port());
  second.send(headers + std::string(900'000, ' '));
  const HttpAnswer answer = parse_answer(second.read_all());
  EXPECT_EQ(answer.status, 503);
  EXPECT_THAT(answer.body, HasSubstr("The server receives too much"));
  first.close();
  EXPECT_TRUE(test::wait_until([&] { return metric("ventris_body_bytes") == 0; }));
  EXPECT_EQ(translate(std::string(500'000, ' ')).status, 400) << "too long a text";
}

TEST_F(HttpServerTest, TheClientBehindAProxyIsTheOneThatTheProxyNames) {
  open({{"forwarded_for", true}, {"requests_per_minute", 1}});
  const auto status = [&](const std::string& address) {
    return ask_server(socket->port(), "POST", "/detect", R"({"q":"bread"})",
                      "Content-Type: application/json\r\nX-Forwarded-For: 9.9.9.9, " + address + "\r\n")
        .status;
  };
  EXPECT_EQ(status("192.0.2.1"), 200);
  EXPECT_EQ(status("192.0.2.1"), 429);
  EXPECT_EQ(status("192.0.2.2"), 200);
}

}  // namespace
}  // namespace ventris::serving
