#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serving/api_case.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class ApiAnswers : public ApiCase {};

TEST_F(ApiAnswers, TranslatesATextAsLibreTranslateDoes) {
  EXPECT_EQ(answer("/translate", {{"q", kLine}, {"source", "en"}, {"target", "de"}}),
            json({{"translatedText", kLine}}));
}

TEST_F(ApiAnswers, AListGivesAList) {
  const json body{{"q", {kLine, "", "bread"}}, {"source", "en"}, {"target", "de"}};
  EXPECT_EQ(answer("/translate", body).at("translatedText"), json({kLine, "", "bread"}));
  EXPECT_EQ(answer("/translate", {{"q", json::array()}, {"source", "en"}, {"target", "de"}}).at("translatedText"),
            json::array());
}

TEST_F(ApiAnswers, AutoIsTheLanguageOfTheTextAmongThoseThatItCanBe) {
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

TEST_F(ApiAnswers, AlternativesAreOtherTranslations) {
  const json body{{"q", kLine}, {"source", "en"}, {"target", "de"}, {"alternatives", 1}};
  const json one = answer("/translate", body);
  EXPECT_EQ(one.at("translatedText"), kLine);
  ASSERT_EQ(one.at("alternatives").size(), 1U);
  EXPECT_NE(one.at("alternatives").at(0), kLine);
  json html = body;
  html["format"] = "html";
  EXPECT_EQ(answer("/translate", html).at("alternatives"), json::array());
}

TEST_F(ApiAnswers, MoreAlternativesThanTheBeamHasWidenIt) {
  open({"en-de"}, {{"beam_size", 2}});
  const json body{{"q", kLine}, {"source", "en"}, {"target", "de"}, {"alternatives", 6}};
  const json all = answer("/translate", body);
  EXPECT_EQ(all.at("translatedText"), kLine);
  EXPECT_EQ(all.at("alternatives").size(), 6U);
  json few = body;
  few["alternatives"] = 5;  // of the same search
  EXPECT_EQ(answer("/translate", few).at("alternatives").size(), 5U);
}

/// A model that copies what it reads, and has learnt context.
class ContextAnswers : public ApiCase {
 protected:
  void open_with_context(const json& more, bool both = false) {
    model::Package package = test::copying_package();
    package.config.context = {2, both, "\u2581" + kWord};
    bundle = test::write_zero_bundle(folder.path(both ? "both" : "context"), package);
    open({"en-de"}, more);
  }
  std::string translated(const json& body) {
    json whole{{"text", kLine}, {"target", "de"}, {"source", "en"}};
    whole.update(body);
    return answer("/v1/translate", whole).at("translations").at(0).at("translation");
  }

  const std::string kWord = test::separating_word();
};

TEST_F(ContextAnswers, AModelGetsTheSentencesBeforeATextAndThoseInIt) {
  open_with_context({{"context", 1}, {"deepl", true}});
  EXPECT_EQ(translated(json::object()), kLine);
  EXPECT_EQ(translated({{"context", {"My sister.", "Nobody."}}}), "Nobody. " + kWord + " " + kLine);
  const json deepl{{"text", {kLine}}, {"target_lang", "DE"}, {"source_lang", "EN"}, {"context", "Nobody."}};
  EXPECT_EQ(answer("/v2/translate", deepl).at("translations").at(0).at("text"), "Nobody. " + kWord + " " + kLine);
}

TEST_F(ContextAnswers, WithoutContextItsParameterIsRefusedButNotThatOfDeepL) {
  open_with_context({{"deepl", true}});
  const json own{{"text", kLine}, {"target", "de"}, {"source", "en"}, {"context", {"Nobody."}}};
  const std::string refused =
      "400 Invalid request: this model does not use the sentences before (context parameter), "
      "or the server was started without --context";
  EXPECT_EQ(refusal("/v1/translate", own), refused);
  const json deepl{{"text", {kLine}}, {"target_lang", "DE"}, {"source_lang", "EN"}, {"context", "Nobody."}};
  EXPECT_EQ(answer("/v2/translate", deepl).at("translations").at(0).at("text"), kLine);
  open_with_context({{"context", 2}}, /*both=*/true);
  EXPECT_EQ(refusal("/v1/translate", own), refused) << "it would also write the translations of these sentences";
}

TEST_F(ApiAnswers, SuggestionsAreStoredOnlyIfTheServerHasAFileForThem) {
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

TEST_F(ApiAnswers, TagsOfHtmlStay) {
  const json body{
      {"q", "<p>The <b>driver</b> likes bread.</p>"}, {"source", "en"}, {"target", "de"}, {"format", "html"}};
  EXPECT_EQ(answer("/translate", body).at("translatedText"), "<p>The <b>driver</b> likes bread.</p>");
}

TEST_F(ApiAnswers, ErrorsAreInTheWordsThatClientsRead) {
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

TEST_F(ApiAnswers, TheOwnProtocolHasTheFieldsOfJsonLines) {
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

TEST_F(ApiAnswers, PhrasesCanBeRequiredAndForbidden) {
  const json body{{"text", kLine}, {"target", "de"}, {"constraints", {"umbrella"}}};
  EXPECT_THAT(answer("/v1/translate", body).at("translations").at(0).at("translation").get<std::string>(),
              HasSubstr("umbrella"));
  const json without{{"text", kLine}, {"target", "de"}, {"forbidden", {"bread"}}};
  const json found = answer("/v1/translate", without).at("translations").at(0);
  EXPECT_THAT(found.at("translation").get<std::string>(), Not(HasSubstr("bread")));
  EXPECT_EQ(found.at("unmet"), json::array());
}

TEST_F(ApiAnswers, PlaceholdersAndMarkupStay) {
  const json body{
      {"text", "The **driver** likes {0}."}, {"target", "de"}, {"markup", "markdown"}, {"placeholders", "builtin"}};
  EXPECT_EQ(answer("/v1/translate", body).at("translations").at(0).at("translation"), "The **driver** likes {0}.");
}

TEST_F(ApiAnswers, MistakesInTheOwnProtocolAreNamed) {
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

TEST_F(ApiAnswers, PivotsAreNamed) {
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

TEST_F(ApiAnswers, FilesAreTranslatedAndFetched) {
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

TEST_F(ApiAnswers, AFileThatCannotBeKeptIsRefused) {
  open({"en-de"}, {{"max_files", 1}, {"max_characters", 3'000'000}, {"client_characters", 4'000'000}});
  std::string lines;
  while (lines.size() < 1'100'000) lines += "\n\n\n\n\n\n\n\n\n\n";
  EXPECT_EQ(ask(upload("a.txt", lines + kLine)).status, 413);
}

TEST_F(ApiAnswers, FilesThatCannotBeTranslatedAreRefused) {
  const auto refused = [&](const HttpRequest& request) {
    const HttpResponse response = ask(request);
    return std::to_string(response.status) + " " + json::parse(response.body).value("error", "no error");
  };
  EXPECT_THAT(refused(upload("a.srt", "x")),
              HasSubstr("400 Invalid request: line 1: expected the times of a subtitle"));
  EXPECT_EQ(refused(upload("a.pdf", "x")), "400 Invalid request: file format not supported");
  EXPECT_EQ(refused(upload("a.txt", "\xff")),
            "400 Invalid request: a parameter is not valid UTF-8: file; convert it (iconv)");
  EXPECT_EQ(refused(upload("", "x")), "400 Invalid request: missing file parameter");
  EXPECT_EQ(refused(upload("a.txt", "x", "zz")), "400 zz is not supported");
  HttpRequest without = upload("a.txt", "x");
  without.body = "--b1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nx\r\n--b1--";
  EXPECT_EQ(refused(without), "400 Invalid request: missing source parameter");
  open({"en-de"}, {{"max_files", 0}});
  EXPECT_EQ(refused(upload("a.txt", "x")), "403 Files translation are disabled on this server.");
  EXPECT_FALSE(json::parse(get("/frontend/settings").body).at("filesTranslation"));
}

TEST_F(ApiAnswers, PartsOfAnXmlDocumentAreTextsForDeepL) {
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

TEST_F(ApiAnswers, ProgramsForDeepLAreAnswered) {
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

TEST_F(ApiAnswers, ProgramsForGoogleAreAnswered) {
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

TEST_F(ApiAnswers, ThePageLoadsNothingFromElsewhere) {
  const HttpResponse page = get("/");
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  EXPECT_THAT(*find_field(page.headers, "Content-Security-Policy"), HasSubstr("default-src 'none'"));
  EXPECT_THAT(page.body, HasSubstr("<!doctype html>"));
  for (const char* part : {"http://", "https://", "src=", "@import", "url("}) {
    EXPECT_THAT(page.body, Not(HasSubstr(part)));
  }
}

TEST_F(ApiAnswers, TheSpecificationNamesWhatIsThere) {
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

}  // namespace
}  // namespace ventris::serving
