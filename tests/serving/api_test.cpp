#include "serving/api.h"

#include <gmock/gmock.h>

#include "core/error.h"
#include "serving/api_case.h"
#include "serving/refused_memory.h"
#include "support/errors.h"
#include "support/running_trainer.h"

namespace ventris::serving {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class ApiTest : public ApiCase {};

TEST_F(ApiTest, RequestsInAMinuteAreLimitedByAddressOrByKey) {
  open({"en-de"}, {{"requests_per_minute", 2}});
  const json body{{"q", "bread"}, {"source", "en"}, {"target", "de"}};
  for (int i = 0; i < 2; ++i) EXPECT_EQ(post("/translate", body).status, 200);
  const HttpResponse refused = post("/detect", {{"q", "bread"}});
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(json::parse(refused.body).at("error"), "Slowdown: 2 per 1 minute");
  const int retry_after = std::stoi(*find_field(refused.headers, "Retry-After"));
  EXPECT_TRUE(retry_after > 0 && retry_after <= 30) << retry_after;
  EXPECT_EQ(get("/languages").status, 200);
  EXPECT_EQ(get("/health").status, 200);
  const std::string keys = folder.file("keys", "anna " + to_hex(sha256("a")) + " 1\nbert " + to_hex(sha256("b")) +
                                                   " 0\ncara " + to_hex(sha256("c")) + "\n");
  open({"en-de"}, {{"requests_per_minute", 2}, {"api_keys", keys}});
  const auto answered = [&](const std::string& key) {
    int count = 0;
    for (int i = 0; i < 5; ++i) count += post("/translate", body, "Bearer " + key).status == 200 ? 1 : 0;
    return count;
  };
  EXPECT_EQ(answered("a"), 1);
  EXPECT_EQ(answered("b"), 5);
  EXPECT_EQ(answered("c"), 2);
  EXPECT_EQ(post("/translate", body, "Bearer wrong").status, 403);
  EXPECT_EQ(post("/translate", body, "Bearer wrong").status, 403);
  EXPECT_EQ(post("/translate", body, "Bearer wrong").status, 429) << "keys cannot be guessed at any speed";
}

TEST_F(ApiTest, AnAnswerForWhichThereIsNoRoomIsRefused) {
  open({"en-de"}, {{"max_answers", 1}});
  std::vector<HttpResponse> unread;
  HttpResponse page = get("/");
  const auto bytes = static_cast<int64_t>(page.body.size());
  for (; page.status == 200; page = get("/")) {
    unread.push_back(page);
    ASSERT_LE(api->unread_bytes(), 1 << 20);
  }
  EXPECT_EQ(static_cast<int64_t>(unread.size()), (1 << 20) / bytes);
  EXPECT_EQ(page.status, 503);
  EXPECT_THAT(page.body, HasSubstr("Clients have not read too many answers yet"));
  EXPECT_NE(find_field(page.headers, "Retry-After"), nullptr);
  EXPECT_EQ(get("/health").status, 200) << "there is always room for a short one";
  unread.clear();
  EXPECT_EQ(get("/").status, 200);
}

TEST_F(ApiTest, KeysAreAskedForWhereTheyAreNeeded) {
  open({"en-de"}, {{"api_keys", folder.file("keys", "anna " + to_hex(sha256("secret")) + "\n")}});
  const json body{{"q", "bread"}, {"source", "en"}, {"target", "de"}};
  EXPECT_EQ(refusal("/translate", body), "400 Please contact the server operator to get an API key");
  json with_key = body;
  with_key["api_key"] = "wrong";
  EXPECT_EQ(refusal("/translate", with_key), "403 Invalid API key");
  with_key["api_key"] = "secret";
  EXPECT_EQ(answer("/translate", with_key).at("translatedText"), "bread");
  EXPECT_EQ(post("/translate", body, "Bearer secret").status, 200);
  EXPECT_EQ(post("/translate", body, "Bearer wrong").status, 403);
  EXPECT_EQ(get("/languages").status, 200);
  EXPECT_EQ(get("/health").status, 200);
  EXPECT_EQ(get("/metrics").status, 400);
  EXPECT_TRUE(json::parse(get("/frontend/settings").body).at("keyRequired"));
}

TEST_F(ApiTest, AFormOfABrowserIsAForm) {
  HttpRequest request = upload("", "");
  request.path = "/translate";
  request.content_type = "Multipart/Form-Data; boundary=b1";
  request.body = "--b1\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\n" + kLine +
                 "\r\n--b1\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\nAUTO"
                 "\r\n--b1\r\nContent-Disposition: form-data; name=\"target\"\r\n\r\nde\r\n--b1--\r\n";
  EXPECT_EQ(json::parse(ask(request).body).at("translatedText"), kLine);
  request.content_type = "Application/X-WWW-Form-Urlencoded";
  request.body = "q=bread&source=en&target=de";
  EXPECT_EQ(json::parse(ask(request).body).at("translatedText"), "bread");
}

TEST_F(ApiTest, OnlyCharactersOfAcceptedRequestsAreCounted) {
  open({"en-de"}, {{"deepl", true}});
  EXPECT_EQ(post("/v1/translate", {{"text", "<a>"}, {"target", "de"}, {"markup", "xml"}}).status, 400);
  EXPECT_EQ(json::parse(get("/v2/usage").body).at("character_count"), 0);
  answer("/translate", {{"q", "bread"}, {"source", "en"}, {"target", "de"}});
  EXPECT_EQ(json::parse(get("/v2/usage").body).at("character_count"), 5);
}

TEST_F(ApiTest, NoRequestIsAcceptedOnceAllAreGivenUp) {
  open({"en-de"});
  EXPECT_EQ(api->give_up(), 0U);
  EXPECT_EQ(post("/translate", {{"q", kLine}, {"source", "en"}, {"target", "de"}}).status, 503);
}

TEST_F(ApiTest, OtherPathsAndMethodsAreRefused) {
  EXPECT_EQ(get("/none").status, 404);
  const HttpResponse response = get("/translate");
  EXPECT_EQ(response.status, 405);
  EXPECT_EQ(*find_field(response.headers, "Allow"), "POST, OPTIONS");
  EXPECT_EQ(ask({.method = "ET", .path = "/health"}).status, 405);
  EXPECT_EQ(ask({.method = "OPTIONS", .path = "/translate"}).status, 204);
  EXPECT_EQ(ask({.method = "HEAD", .path = "/health"}).status, 200);
  EXPECT_EQ(ask({.method = "POST", .path = "/translate", .content_type = "text/xml", .body = "<q/>"}).status, 415);
}

TEST_F(ApiTest, ARequestGetsOneAnswerWhateverMemoryIsRefused) {
  open({"en-de"});
  const json body{{"q", std::string(5000, ' ')}, {"source", "en"}, {"target", "de"}};
  const std::string json_type = "application/json";
  // A destructor of the JSON library ends the program if its few bytes are refused.
  const std::vector<std::pair<HttpRequest, test::Refusals>> cases{
      {{.method = "GET", .path = "/", .address = "192.0.2.7"}, {.calls = 1}},
      {{.method = "POST", .path = "/translate", .content_type = json_type, .body = body.dump()}, {.least = 1000}}};
  for (const auto& [request, refusals] : cases) {
    ask(request);  // makes the lane
    std::atomic<int> replies = 0;
    HttpResponse last;
    const Api::Reply reply = [&](HttpResponse response) {
      last = std::move(response);
      ++replies;
    };
    int errors = 0;
    const auto check = [&](int64_t given) {
      ASSERT_TRUE(test::wait_until([&] { return replies > 0; })) << given;
      errors += last.status == 503 ? 1 : 0;
      EXPECT_TRUE(last.status == 200 || last.status == 503) << last.status;
      EXPECT_EQ(api->in_work(), 0U) << given;
      last = {};
      EXPECT_EQ(api->unread_bytes(), 0) << given;
      EXPECT_EQ(replies.exchange(0), 1) << given;
    };
    test::with_refused_memory(refusals, [&, &asked = request] { api->handle(asked, reply); }, check);
    EXPECT_TRUE(errors > 3 || !test::kRefusesMemory) << errors;
  }
}

TEST_F(ApiTest, BrowsersMayAskFromPagesThatTheSettingAllows) {
  EXPECT_EQ(*find_field(get("/health").headers, "Access-Control-Allow-Origin"), "*");
  open({"en-de"}, {{"allow_origin", ""}});
  EXPECT_EQ(find_field(get("/health").headers, "Access-Control-Allow-Origin"), nullptr);
}

TEST_F(ApiTest, NoTextOfUsersIsInTheLog) {
  const std::string log = folder.path("log");
  open({"en-de"}, {{"access_log", log}});
  answer("/translate", {{"q", "bread and umbrella"}, {"source", "en"}, {"target", "de"}});
  get("/private words");
  ask({.method = "PRIVATE", .path = "/health"});
  refusal("/translate", {{"q", "bread"}, {"source", "secret"}, {"target", "de"}});
  const std::string text = test::file_bytes(log);
  for (const char* word : {"bread", "private", "PRIVATE", "secret"}) EXPECT_THAT(text, Not(HasSubstr(word)));
  const json first = json::parse(text.substr(0, text.find('\n')));
  EXPECT_EQ(first.at("path"), "/translate");
  EXPECT_EQ(first.at("characters"), 18);
  EXPECT_EQ(first.at("sentences"), 1);
  EXPECT_EQ(first.at("address"), "192.0.2.7");
}

TEST_F(ApiTest, AServerThatStopsTakesNoNewWork) {
  open({"en-de"});
  api->stop_accepting();
  EXPECT_EQ(get("/health").status, 503);
  const HttpResponse response = post("/translate", {{"q", "a"}, {"source", "en"}, {"target", "de"}});
  EXPECT_EQ(response.status, 503);
  EXPECT_NE(find_field(response.headers, "Retry-After"), nullptr);
}

TEST_F(ApiTest, AReloadChangesTheModels) {
  open({"en-de"});
  const ServeSettings other = settings_of({"en-fr"});
  api->reload(std::make_shared<const Catalogue>(other));
  EXPECT_EQ(refusal("/translate", {{"q", "a"}, {"source", "en"}, {"target", "de"}}), "400 de is not supported");
  EXPECT_EQ(answer("/translate", {{"q", "bread"}, {"source", "en"}, {"target", "fr"}}).at("translatedText"), "bread");
  EXPECT_THAT(get("/metrics").body, HasSubstr("ventris_reloads_total 1\n"));
}

}  // namespace
}  // namespace ventris::serving
