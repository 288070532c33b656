#include "serving/translation_request.h"

#include <gtest/gtest.h>

#include "serving/api_case.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

class TranslationRequestTest : public ApiCase {};

TEST_F(TranslationRequestTest, ShortTextsCountAsMoreThanTheirCharacters) {
  open({"en-de"}, {{"max_characters", 10}, {"max_texts", 2}, {"client_characters", 64}, {"queue_characters", 64}});
  EXPECT_EQ(post("/translate", {{"q", {"a", "b"}}, {"source", "en"}, {"target", "de"}}).status, 200);
  TranslationRequest request;
  request.texts = {"a", "b", "c"};
  EXPECT_EQ(request.characters(), 3);
  EXPECT_EQ(request.load(), 96);
  request.texts = {std::string(100, 'a'), "b"};
  EXPECT_EQ(request.load(), 101);
}

TEST_F(TranslationRequestTest, TooMuchTextIsRefused) {
  open({"en-de"}, {{"max_characters", 10}, {"max_texts", 2}});
  EXPECT_EQ(refusal("/translate", {{"q", "Zürich 1234"}, {"source", "en"}, {"target", "de"}}),
            "400 Invalid request: request (11) exceeds text limit (10)");
  EXPECT_EQ(refusal("/translate", {{"q", {"a", "b", "c"}}, {"source", "en"}, {"target", "de"}}),
            "400 Invalid request: request (3 texts) exceeds text limit (2)");
  EXPECT_EQ(refusal("/v1/translate",
                    {{"text", {"a", "b"}}, {"target", "de"}, {"constraints", {"12"}}, {"forbidden", {"345"}}}),
            "400 Invalid request: request (12) exceeds text limit (10)");  // each text is searched for each phrase
}

TEST(TranslationRequestSize, TheSentencesBeforeCountForEachText) {
  TranslationRequest request;
  request.texts = {"abc", "de"};
  request.context = {"fgh", "i"};
  EXPECT_EQ(request.characters(), 5 + 2 * 4);
}

TEST(TranslationRequestSize, CharactersAreThoseOfTheTextsEachWithAllPhrases) {
  TranslationRequest request;
  request.texts = {"Zürich", "ab"};
  EXPECT_EQ(request.characters(), 8);
  request.phrases.required = {"12"};
  request.phrases.forbidden = {"345"};
  EXPECT_EQ(request.characters(), 8 + 2 * 5);
  request.kind.markup = markup::Markup::kDocx;
  request.readable = "ein Absatz";
  EXPECT_EQ(request.characters(), 10) << "of a zip file, what can be read in it";
}

TEST(TranslationRequestSize, LimitsAreInclusive) {
  ServeLimits limits;
  limits.texts = 2;
  limits.characters = 4;
  TranslationRequest request;
  request.texts = {"ab", "cd"};
  EXPECT_NO_THROW(check(request, limits));
  request.texts = {"ab", "cde"};
  EXPECT_FAILS(check(request, limits), RequestError, "Invalid request: request (5) exceeds text limit (4)");
  request.texts = {"", "", ""};
  EXPECT_FAILS(check(request, limits), RequestError, "Invalid request: request (3 texts) exceeds text limit (2)");
}

TEST(TranslationRequestMarkup, IsThatOfItsNameUnlessItIsForFiles) {
  EXPECT_EQ(markup_of("none"), markup::Markup::kNone);
  EXPECT_EQ(markup_of("html"), markup::Markup::kHtml);
  EXPECT_FAILS(markup_of("docx"), RequestError, "Invalid request: docx is for files; send the file to /translate_file");
  EXPECT_FAILS(markup_of("HTML"), RequestError,
               "Invalid request: markup parameter must be one of none, html, markdown");
}

}  // namespace
}  // namespace ventris::serving
