#include "serving/libretranslate.h"

#include <gtest/gtest.h>

#include "protocol_results.h"
#include "support/errors.h"
#include "support/zip_bytes.h"

namespace ventris::serving {
namespace {

using nlohmann::json;

json body_with(const json& more) {
  json body{{"q", "a"}, {"source", "en"}, {"target", "de"}};
  if (!more.is_null()) body.update(more);
  return body;
}

TranslationRequest parse(const json& more) { return parse_libre_request(arguments_of(body_with(more)), {}); }

TEST(LibreTranslate, AlternativesNeedSeveralCandidatesOfPlainText) {
  EXPECT_EQ(parse({}).candidates, 1);
  EXPECT_EQ(parse({{"alternatives", 3}}).candidates, 4);
  EXPECT_EQ(parse({{"alternatives", 3.0}}).candidates, 4) << "as some clients write a whole number";
  EXPECT_EQ(parse({{"alternatives", 3}, {"format", "html"}}).candidates, 1);
  EXPECT_FAILS(parse({{"alternatives", 2.5}}), RequestError, "alternatives parameter is not a number");
  EXPECT_FAILS(parse({{"alternatives", 11}}), RequestError, "alternatives parameter must be <= 10");
}

TEST(LibreTranslate, AnAnswerHasTheShapeOfItsRequest) {
  const json one = libre_answer(parse({}), found({{"x"}}), false);
  EXPECT_EQ(one, json({{"translatedText", "x"}}));
  const json several = libre_answer(parse({{"q", {"a", "b"}}}), found({{"x", "y"}, {"z"}}), true);
  EXPECT_EQ(several.at("translatedText"), json({"x", "z"}));
  EXPECT_EQ(several.at("alternatives"), json::array({json::array({"y"}), json::array()}));
}

TEST(LibreTranslate, ADetectedLanguageIsNamedForEachText) {
  TranslationRequest request = parse({{"q", {"a", "b"}}});
  request.detected = detection::Detected{"en", 91};
  const json language{{"confidence", 91.0}, {"language", "en"}};
  const json answer = libre_answer(request, found({{"x"}, {"y"}}), false);
  EXPECT_EQ(answer.at("detectedLanguage"), json({language, language}));
}

TEST(LibreTranslate, TheSettingsOfAPageSayWhatTheServerOffers) {
  const LanguagePairs pairs({{"en", "de", "m"}}, false);
  const json plain = libre_settings(pairs, {}, {});
  EXPECT_FALSE(plain.at("keyRequired"));
  EXPECT_FALSE(plain.at("suggestions"));
  EXPECT_EQ(plain.at("charLimit"), 100'000);
  const json full = libre_settings(pairs, {}, {.keys = true, .suggestions = true});
  EXPECT_TRUE(full.at("keyRequired"));
  EXPECT_TRUE(full.at("suggestions"));
}

TEST(LibreTranslate, ASuggestionNeedsBothTextsAndIsOneLine) {
  const auto suggestion = [](const json& more) {
    return parse_libre_suggestion(arguments_of(body_with(more)), {.characters = 10});
  };
  EXPECT_FAILS(suggestion({}), RequestError, "Invalid request: missing s parameter");
  EXPECT_FAILS(suggestion({{"s", "0123456789"}}), RequestError, "request (11) exceeds text limit (10)");
  const std::string line = to_json_line(suggestion({{"s", "b\n\""}}), "anna", 1'600'000'000);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(json::parse(line), json({{"time", "2020-09-13T12:26:40.000Z"},
                                     {"key", "anna"},
                                     {"source", "en"},
                                     {"target", "de"},
                                     {"q", "a"},
                                     {"s", "b\n\""}}));
}

TEST(LibreTranslate, AFileMustBeOfAKnownKindInUtf8) {
  const Fields fields{{"source", "en"}, {"target", "de"}};
  EXPECT_EQ(parse_libre_file(fields, "\xEF\xBB\xBF# a", "a.md", {}).texts.front(), "# a");
  EXPECT_FAILS(parse_libre_file(fields, "a", "a.exe", {}), RequestError, "file format not supported");
  EXPECT_FAILS(parse_libre_file(fields, "\xff", "a.txt", {}), RequestError, "not valid UTF-8: file");
  EXPECT_FAILS(parse_libre_file({{"source", "en"}}, "a", "a.txt", {}), RequestError, "missing target parameter");
}

TEST(LibreTranslate, OfAZipFileItsTextsCount) {
  const Fields fields{{"source", "en"}, {"target", "de"}};
  const std::string document = test::zip_bytes({{"mimetype", "application/vnd.oasis.opendocument.text"},
                                                {"content.xml", "<a><text:p>One</text:p><text:p>two</text:p></a>"}});
  const TranslationRequest request = parse_libre_file(fields, document, "a.ODT", {});
  EXPECT_EQ(request.texts.front(), document);
  EXPECT_EQ(request.readable, "One\ntwo\n");
  EXPECT_EQ(request.characters(), 8);
  ServeLimits limits;
  limits.characters = 7;
  EXPECT_FAILS(parse_libre_file(fields, document, "a.odt", limits), RequestError, "request (8) exceeds text limit (7)");
  EXPECT_FAILS(parse_libre_file(fields, document, "a.docx", {}), RequestError,
               "the file cannot be read: expected a document of Word (DOCX), found an OpenDocument file");
  ASSERT_TRUE(request.document) << "it is read only once";
  EXPECT_EQ(request.document->blocks.size(), 2);
  EXPECT_FAILS(markup_of("odt"), RequestError, "odt is for files; send the file to /translate_file");
}

TEST(LibreTranslate, ASmallFileIsNotUnpackedToALargeOne) {
  const Fields fields{{"source", "en"}, {"target", "de"}};
  const auto document = [](size_t mebibytes) {
    return test::zip_bytes({{"mimetype", "application/vnd.oasis.opendocument.text"},
                            {"content.xml", "<a>" + std::string(mebibytes << 20, ' ') + "<text:p>One</text:p></a>"}});
  };
  EXPECT_EQ(parse_libre_file(fields, document(5), "a.odt", {}).readable, "One\n")
      << "100,000 characters may have 6 MiB";
  EXPECT_FAILS(parse_libre_file(fields, document(6), "a.odt", {}), RequestError,
               "content.xml: the texts of the document are over 6 MiB when they are unpacked; divide the document");
  ServeLimits limits;
  limits.characters = 10;
  EXPECT_EQ(parse_libre_file(fields, document(3), "a.odt", limits).readable, "One\n");
  EXPECT_FAILS(parse_libre_file(fields, document(4), "a.odt", limits), RequestError,
               "over 4 MiB when they are unpacked");
}

}  // namespace
}  // namespace ventris::serving
