#include "serving/api.h"

#include <gmock/gmock.h>

#include <future>

#include "core/error.h"
#include "support/copying_models.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class ApiTest : public CopyingModels {
 protected:
  void open(const std::vector<std::string>& pairs, const json& more = json::object()) {
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
  HttpResponse post(const std::string& path, const json& body, const std::string& authorization = "") {
    return ask({.method = "POST",
                .path = path,
                .content_type = "application/json",
                .authorization = authorization,
                .body = body.dump(),
                .address = "192.0.2.7"});
  }
  json answer(const std::string& path, const json& body) {
    const HttpResponse response = post(path, body);
    EXPECT_EQ(response.status, 200) << response.body;
    return json::parse(response.body);
  }
  /// "400 sentence" for an error.
  std::string refusal(const std::string& path, const json& body) {
    const HttpResponse response = post(path, body);
    return std::to_string(response.status) + " " + json::parse(response.body).value("error", "no error");
  }

  std::unique_ptr<Api> api;
  const std::string kLine = "The driver likes bread.";
};

TEST_F(ApiTest, TranslatesATextAsLibreTranslateDoes) {
  EXPECT_EQ(answer("/translate", {{"q", kLine}, {"source", "en"}, {"target", "de"}}),
            json({{"translatedText", kLine}}));
}

TEST_F(ApiTest, AListGivesAList) {
  const json body{{"q", {kLine, "", "bread"}}, {"source", "en"}, {"target", "de"}};
  EXPECT_EQ(answer("/translate", body).at("translatedText"), json({kLine, "", "bread"}));
  EXPECT_EQ(answer("/translate", {{"q", json::array()}, {"source", "en"}, {"target", "de"}}).at("translatedText"),
            json::array());
}

TEST_F(ApiTest, AutoIsTheLanguageOfTheTextAmongThoseThatItCanBe) {
  open({"en-de", "fr-de", "de-en"});
  const auto detected = [&](const json& texts, const char* target) {
    return answer("/translate", {{"q", texts}, {"source", "auto"}, {"target", target}}).at("detectedLanguage");
  };
  const std::string english = "The old man reads a book under the tree.", french = "Le vieil homme lit un livre.";
  EXPECT_EQ(detected(english, "de").at("language"), "en");
  EXPECT_GT(detected(english, "de").at("confidence"), 50);
  EXPECT_EQ(detected(french, "de").at("language"), "fr");
  EXPECT_EQ(detected({french, french}, "de").size(), 2U);
  EXPECT_EQ(detected(french, "en"), json({{"confidence", 0.0}, {"language", "de"}})) << "no other can be translated";
  EXPECT_EQ(detected("12345", "de"), json({{"confidence", 0.0}, {"language", "en"}})) << "a guess";
  EXPECT_EQ(answer("/detect", {{"q", french}}).at(0).at("language"), "fr");
  EXPECT_EQ(answer("/detect", {{"q", "Der alte Mann liest ein Buch."}}).at(0).at("language"), "de");
}

TEST_F(ApiTest, AlternativesAreOtherTranslations) {
  const json body{{"q", kLine}, {"source", "en"}, {"target", "de"}, {"alternatives", 1}};
  const json one = answer("/translate", body);
  EXPECT_EQ(one.at("translatedText"), kLine);
  ASSERT_EQ(one.at("alternatives").size(), 1U);
  EXPECT_NE(one.at("alternatives").at(0), kLine);
  json html = body;
  html["format"] = "html";
  EXPECT_EQ(answer("/translate", html).at("alternatives"), json::array());
}

TEST_F(ApiTest, MoreAlternativesThanTheBeamHasWidenIt) {
  open({"en-de"}, {{"beam_size", 2}});
  const json body{{"q", kLine}, {"source", "en"}, {"target", "de"}, {"alternatives", 6}};
  const json all = answer("/translate", body);
  EXPECT_EQ(all.at("translatedText"), kLine);
  EXPECT_EQ(all.at("alternatives").size(), 6U);
  json few = body;
  few["alternatives"] = 5;  // of the same search
  EXPECT_EQ(answer("/translate", few).at("alternatives").size(), 5U);
}

TEST_F(ApiTest, SuggestionsAreStoredOnlyIfTheServerHasAFileForThem) {
  const json body{{"q", "bread"}, {"s", "Brot"}, {"source", "EN"}, {"target", "de"}};
  EXPECT_EQ(refusal("/suggest", body), "403 Suggestions are disabled on this server.");
  const std::string file = folder.path("suggestions");
  open({"en-de"}, {{"suggestions", file}});
  EXPECT_EQ(answer("/suggest", body), json({{"success", true}}));
  json other = body;
  other["source"] = "zz";
  EXPECT_EQ(refusal("/suggest", other), "400 zz is not supported");
  json blank = body;
  blank["s"] = " ";
  EXPECT_EQ(refusal("/suggest", blank), "400 Invalid request: empty s parameter");
  const std::string text = test::file_bytes(file);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
  const json stored = json::parse(text);
  EXPECT_EQ(stored.at("source"), "en");
  EXPECT_EQ(stored.at("s"), "Brot");
  EXPECT_TRUE(json::parse(get("/frontend/settings").body).at("suggestions"));
  open({"en-de"}, {{"suggestions", "/dev/full"}});
  EXPECT_EQ(refusal("/suggest", body), "500 The suggestion could not be stored");
}

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

TEST_F(ApiTest, ShortTextsCountAsMoreThanTheirCharacters) {
  open({"en-de"}, {{"max_characters", 10}, {"max_texts", 2}, {"client_characters", 64}, {"queue_characters", 64}});
  EXPECT_EQ(post("/translate", {{"q", {"a", "b"}}, {"source", "en"}, {"target", "de"}}).status, 200);
  TranslationRequest request;
  request.texts = {"a", "b", "c"};
  EXPECT_EQ(request.characters(), 3);
  EXPECT_EQ(request.load(), 96);
  request.texts = {std::string(100, 'a'), "b"};
  EXPECT_EQ(request.load(), 101);
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

TEST_F(ApiTest, TagsOfHtmlStay) {
  const json body{
      {"q", "<p>The <b>driver</b> likes bread.</p>"}, {"source", "en"}, {"target", "de"}, {"format", "html"}};
  EXPECT_EQ(answer("/translate", body).at("translatedText"), "<p>The <b>driver</b> likes bread.</p>");
}

TEST_F(ApiTest, ErrorsAreInTheWordsThatClientsRead) {
  EXPECT_EQ(refusal("/translate", {{"source", "en"}, {"target", "de"}}), "400 Invalid request: missing q parameter");
  EXPECT_EQ(refusal("/translate", {{"q", "a"}, {"target", "de"}}), "400 Invalid request: missing source parameter");
  EXPECT_EQ(refusal("/translate", {{"q", "a"}, {"source", "en"}}), "400 Invalid request: missing target parameter");
  EXPECT_EQ(refusal("/translate", {{"q", "a"}, {"source", "zz"}, {"target", "de"}}), "400 zz is not supported");
  EXPECT_EQ(refusal("/translate", {{"q", "a"}, {"source", "en"}, {"target", "zz"}}), "400 zz is not supported");
  EXPECT_EQ(refusal("/translate", {{"q", "a"}, {"source", "de"}, {"target", "en"}}),
            "400 English (en) is not available as a target language from German (de)");
  EXPECT_EQ(refusal("/translate", {{"q", "a"}, {"source", "en"}, {"target", "de"}, {"format", "pdf"}}),
            "400 pdf format is not supported");
  EXPECT_EQ(refusal("/translate", {{"q", "a"}, {"source", "en"}, {"target", "de"}, {"alternatives", 11}}),
            "400 Invalid request: alternatives parameter must be <= 10");
  EXPECT_EQ(refusal("/translate", {{"q", "a"}, {"source", "en"}, {"target", "de"}, {"alternatives", -1}}),
            "400 Invalid request: alternatives parameter must be >= 0");
}

TEST_F(ApiTest, TooMuchTextIsRefused) {
  open({"en-de"}, {{"max_characters", 10}, {"max_texts", 2}});
  EXPECT_EQ(refusal("/translate", {{"q", "Zürich 1234"}, {"source", "en"}, {"target", "de"}}),
            "400 Invalid request: request (11) exceeds text limit (10)");
  EXPECT_EQ(refusal("/translate", {{"q", {"a", "b", "c"}}, {"source", "en"}, {"target", "de"}}),
            "400 Invalid request: request (3 texts) exceeds text limit (2)");
  EXPECT_EQ(refusal("/v1/translate",
                    {{"text", {"a", "b"}}, {"target", "de"}, {"constraints", {"12"}}, {"forbidden", {"345"}}}),
            "400 Invalid request: request (12) exceeds text limit (10)");  // each text is searched for each phrase
}

TEST_F(ApiTest, TheOwnProtocolHasTheFieldsOfJsonLines) {
  const json one = answer("/v1/translate", {{"text", kLine}, {"target", "de"}, {"n_best", 2}, {"word_scores", true}});
  EXPECT_EQ(one.at("source"), "en");
  EXPECT_EQ(one.at("target"), "de");
  const json& translation = one.at("translations").at(0);
  EXPECT_EQ(translation.at("translation"), kLine);
  EXPECT_EQ(translation.at("n_best").size(), 2U);
  EXPECT_TRUE(translation.at("score").is_number());
  EXPECT_TRUE(translation.at("token_scores").is_array());
  EXPECT_EQ(translation.at("sentences"), 1);
  EXPECT_EQ(translation.at("warnings"), json({"copy"}));  // that is what this model does
}

TEST_F(ApiTest, PhrasesCanBeRequiredAndForbidden) {
  const json body{{"text", kLine}, {"target", "de"}, {"constraints", {"umbrella"}}};
  EXPECT_THAT(answer("/v1/translate", body).at("translations").at(0).at("translation").get<std::string>(),
              HasSubstr("umbrella"));
  const json without{{"text", kLine}, {"target", "de"}, {"forbidden", {"bread"}}};
  const json found = answer("/v1/translate", without).at("translations").at(0);
  EXPECT_THAT(found.at("translation").get<std::string>(), Not(HasSubstr("bread")));
  EXPECT_EQ(found.at("unmet"), json::array());
}

TEST_F(ApiTest, PlaceholdersAndMarkupStay) {
  const json body{
      {"text", "The **driver** likes {0}."}, {"target", "de"}, {"markup", "markdown"}, {"placeholders", "builtin"}};
  EXPECT_EQ(answer("/v1/translate", body).at("translations").at(0).at("translation"), "The **driver** likes {0}.");
}

TEST_F(ApiTest, MistakesInTheOwnProtocolAreNamed) {
  const auto refused = [&](json more) {
    more["text"] = "a";
    more["target"] = "de";
    return refusal("/v1/translate", more);
  };
  EXPECT_EQ(refused({{"placeholder", "builtin"}}),
            "400 Invalid request: unknown parameter 'placeholder' (did you mean 'placeholders'?)");
  EXPECT_THAT(refused({{"placeholders", "/etc/passwd"}}), HasSubstr("placeholders parameter must be builtin, numbers"));
  EXPECT_THAT(refused({{"markup", "pdf"}}), HasSubstr("markup parameter must be one of none, html, markdown"));
  EXPECT_THAT(refused({{"n_best", 0}}), HasSubstr("n_best parameter must be from 1 to 11"));
  EXPECT_THAT(refused({{"n_best", 2}, {"markup", "html"}}), HasSubstr("n_best parameter must be 1 with placeholders"));
  EXPECT_THAT(refused({{"alignment", true}, {"markup", "html"}}), HasSubstr("alignment parameter cannot be combined"));
  EXPECT_THAT(refused({{"constraints", {"b"}}, {"split_sentences", true}}), HasSubstr("belongs to one sentence"));
  EXPECT_THAT(refused({{"markup", "xml"}}), HasSubstr("400 Invalid request: line 1"));
}

TEST_F(ApiTest, PivotsAreNamed) {
  open({"en-de", "de-fr"}, {{"pivots", true}});
  const json languages = json::parse(get("/languages").body);
  EXPECT_EQ(languages.at(1),
            json({{"code", "en"}, {"name", "English"}, {"targets", {"de", "fr"}}, {"via", {{"fr", "de"}}}}));
  EXPECT_EQ(answer("/v1/translate", {{"text", kLine}, {"source", "en"}, {"target", "fr"}}).at("via"), "de");
  EXPECT_EQ(refusal("/v1/translate", {{"text", ""}, {"source", "en"}, {"target", "fr"}, {"markup", "po"}}),
            "400 Invalid request: a file that has translations beside their sources cannot be translated through de");
  EXPECT_EQ(refusal("/v1/translate", {{"text", kLine}, {"source", "en"}, {"target", "fr"}, {"alignment", true}}),
            "400 Invalid request: there is no alignment of a pair that is translated through de");
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

/// A form with a file, as browsers and curl send it.
HttpRequest upload(const std::string& name, const std::string& content, const std::string& target = "de") {
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

TEST_F(ApiTest, FilesAreTranslatedAndFetched) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"a.txt", "The driver likes bread.\nNobody.\n"},
      {"b.HTML", "<p>The <b>driver</b> likes bread.</p>\n"},
      {"c.md", "# Nobody\n\nThe **driver** likes `bread`.\n"},
      {"d.srt",
       "\xEF\xBB\xBF"
       "1\r\n00:00:01,000 --> 00:00:02,000\r\nThe driver\r\nlikes bread."},
      {"e.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n<v B>Nobody\n"}};
  for (const auto& [name, content] : files) {
    const HttpResponse response = ask(upload(name, content));
    ASSERT_EQ(response.status, 200) << response.body;
    const std::string url = json::parse(response.body).at("translatedFileUrl");
    const std::string host = "http://translate.example.org:5000";
    ASSERT_TRUE(url.starts_with(host + "/download_file/")) << url;
    const HttpResponse file = get(url.substr(host.size()));
    EXPECT_EQ(file.body, content);
    EXPECT_EQ(file.content_type, "application/octet-stream");
    EXPECT_EQ(*find_field(file.headers, "Content-Disposition"), "attachment");
  }
  EXPECT_EQ(get("/download_file/").status, 404);
  EXPECT_EQ(get("/download_file/0123.txt").status, 404);
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

TEST_F(ApiTest, AFileThatCannotBeKeptIsRefused) {
  open({"en-de"}, {{"max_files", 1}, {"max_characters", 3'000'000}, {"client_characters", 4'000'000}});
  std::string lines;
  while (lines.size() < 1'100'000) lines += "\n\n\n\n\n\n\n\n\n\n";
  EXPECT_EQ(ask(upload("a.txt", lines + kLine)).status, 413);
}

TEST_F(ApiTest, FilesThatCannotBeTranslatedAreRefused) {
  const auto refused = [&](const HttpRequest& request) {
    const HttpResponse response = ask(request);
    return std::to_string(response.status) + " " + json::parse(response.body).value("error", "no error");
  };
  EXPECT_THAT(refused(upload("a.srt", "x")),
              HasSubstr("400 Invalid request: line 1: expected the times of a subtitle"));
  EXPECT_EQ(refused(upload("a.pdf", "x")), "400 Invalid request: file format not supported");
  EXPECT_EQ(refused(upload("a.txt", "\xff")), "400 Invalid request: a parameter is not valid UTF-8: file");
  EXPECT_EQ(refused(upload("", "x")), "400 Invalid request: missing file parameter");
  EXPECT_EQ(refused(upload("a.txt", "x", "zz")), "400 zz is not supported");
  HttpRequest without = upload("a.txt", "x");
  without.body = "--b1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nx\r\n--b1--";
  EXPECT_EQ(refused(without), "400 Invalid request: missing source parameter");
  open({"en-de"}, {{"max_files", 0}});
  EXPECT_EQ(refused(upload("a.txt", "x")), "403 Files translation are disabled on this server.");
  EXPECT_FALSE(json::parse(get("/frontend/settings").body).at("filesTranslation"));
}

TEST_F(ApiTest, PartsOfAnXmlDocumentAreTextsForDeepL) {
  open({"en-de"}, {{"deepl", true}});
  const auto body = [](const char* text) {
    return json{{"text", text}, {"target_lang", "DE"}, {"tag_handling", "xml"}};
  };
  for (const char* text : {"bread", "<b>bread</b> bread", "<t>bread</t>", "<t>bread</t><t>bread</t>"}) {
    const json translation = answer("/v2/translate", body(text)).at("translations").at(0);
    EXPECT_EQ(translation.at("text"), text);
    EXPECT_EQ(translation.at("billed_characters"), std::string(text).size());
  }
  EXPECT_EQ(post("/v2/translate", body("<a>")).status, 400);
  EXPECT_EQ(post("/v2/translate", {{"text", "bread"}, {"source_lang", ""}, {"target_lang", "DE"}}).status, 200);
}

TEST_F(ApiTest, ProgramsForDeepLAreAnswered) {
  EXPECT_EQ(post("/v2/translate", {{"text", {kLine}}, {"target_lang", "DE"}}).status, 404);  // unless it is asked for
  open({"en-de", "en:pt-BR"}, {{"deepl", true}});
  const json expected{
      {"translations", {{{"detected_source_language", "EN"}, {"text", kLine}, {"billed_characters", 23}}}}};
  EXPECT_EQ(answer("/v2/translate", {{"text", {kLine}}, {"target_lang", "DE"}}), expected);
  EXPECT_EQ(answer("/v2/translate", {{"text", kLine}, {"source_lang", "EN"}, {"target_lang", "PT-BR"}}), expected);
  EXPECT_EQ(answer("/v2/translate", {{"text", kLine}, {"source_lang", "EN-US"}, {"target_lang", "DE"}}), expected);
  const json tags{{"text", "<b>bread</b>"}, {"target_lang", "DE"}, {"tag_handling", "html"}};
  EXPECT_EQ(answer("/v2/translate", tags).at("translations").at(0).at("text"), "<b>bread</b>");
  EXPECT_EQ(json::parse(get("/v2/languages").body), json({{{"language", "EN"}, {"name", "English"}}}));
  const json targets = answer("/v2/languages", {{"type", "target"}});
  EXPECT_EQ(targets.at(0), json({{"language", "DE"}, {"name", "German"}, {"supports_formality", false}}));
  EXPECT_EQ(json::parse(get("/v2/usage").body).at("character_count"), 81);
  const HttpResponse response = post("/v2/translate", {{"text", kLine}, {"target_lang", "ZZ"}});
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(json::parse(response.body), json({{"message", "ZZ is not supported"}}));
  EXPECT_EQ(json::parse(post("/v2/translate", {{"text", "a"}, {"target_lang", "DE"}, {"tag_handling", "x"}}).body),
            json({{"message", "Invalid request: tag_handling parameter must be html or xml"}}));
  EXPECT_EQ(json::parse(post("/v2/languages", {{"type", "x"}}).body),
            json({{"message", "Invalid request: type parameter must be source or target"}}));
}

TEST_F(ApiTest, ProgramsForGoogleAreAnswered) {
  const std::string path = "/language/translate/v2";
  EXPECT_EQ(post(path, {{"q", kLine}, {"target", "de"}}).status, 404);
  open({"en-de"}, {{"google", true}});
  const json one = answer(path, {{"q", "<b>bread</b>"}, {"target", "de"}});  // HTML, unless a format is given
  EXPECT_EQ(
      one,
      json({{"data", {{"translations", {{{"translatedText", "<b>bread</b>"}, {"detectedSourceLanguage", "en"}}}}}}}));
  const json text{{"q", {kLine, "bread"}}, {"source", "en"}, {"target", "de"}, {"format", "text"}};
  EXPECT_EQ(answer(path, text).at("data").at("translations").at(1), json({{"translatedText", "bread"}}));
  EXPECT_EQ(json::parse(get(path + "/languages").body).at("data").at("languages").size(), 2U);
  EXPECT_EQ(answer(path + "/languages", {{"target", "de"}}).at("data").at("languages").at(1),
            json({{"language", "en"}, {"name", "Englisch"}}));
  EXPECT_EQ(answer(path + "/detect", {{"q", kLine}}).at("data").at("detections").at(0).at(0).at("language"), "en");
  const HttpResponse response = post(path, {{"q", kLine}, {"target", "zz"}});
  EXPECT_EQ(json::parse(response.body), json({{"error", {{"code", 400}, {"message", "zz is not supported"}}}}));
  EXPECT_EQ(json::parse(post(path, {{"q", "a"}, {"target", "de"}, {"format", "x"}}).body).at("error").at("message"),
            "Invalid request: format parameter must be text or html");
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

TEST_F(ApiTest, BrowsersMayAskFromPagesThatTheSettingAllows) {
  EXPECT_EQ(*find_field(get("/health").headers, "Access-Control-Allow-Origin"), "*");
  open({"en-de"}, {{"allow_origin", ""}});
  EXPECT_EQ(find_field(get("/health").headers, "Access-Control-Allow-Origin"), nullptr);
}

TEST_F(ApiTest, ThePageLoadsNothingFromElsewhere) {
  const HttpResponse page = get("/");
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  EXPECT_THAT(*find_field(page.headers, "Content-Security-Policy"), HasSubstr("default-src 'none'"));
  EXPECT_THAT(page.body, HasSubstr("<!doctype html>"));
  for (const char* part : {"http://", "https://", "src=", "@import", "url("}) {
    EXPECT_THAT(page.body, Not(HasSubstr(part)));
  }
}

TEST_F(ApiTest, TheSpecificationNamesWhatIsThere) {
  const json spec = json::parse(get("/spec").body);
  EXPECT_EQ(spec.at("openapi"), "3.0.3");
  for (const auto& [path, methods] : spec.at("paths").items()) {
    for (const auto& [method, unused] : methods.items()) {
      const int status = method == "get" ? get(path).status : post(path, json::object()).status;
      EXPECT_TRUE(status == 200 || status == 400 || status == 403) << method << " " << path << ": " << status;
    }
  }
  json known = json::object();
  for (const auto& [name, unused] : spec.at("components").at("schemas").at("OwnTranslate").at("properties").items()) {
    known[name] = nullptr;  // as if it were not given
  }
  EXPECT_EQ(refusal("/v1/translate", known), "400 Invalid request: missing text parameter");
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
