#include "formats/subtitles.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/written_format.h"

namespace ventris::formats {
namespace {

using markup::Markup;
using test::format_texts;
using test::written_format;
using Texts = std::vector<std::string>;

const std::string kFilm =
    "1\n00:00:01,000 --> 00:00:03,000\nIt was late. And then\nhe went\n\n"
    "2\n00:00:03,100 --> 00:00:05,000 X1:40\n<i>home to his <b>dear</b> wife.</i>\n\n"
    "3\n00:00:06,000 --> 00:00:08,000\n- Who is there?\n- Me.\n\n4\n00:00:09,000 --> 00:00:10,000\n...\n";

TEST(Subtitles, ASentenceOverSeveralSubtitlesIsOneText) {
  EXPECT_EQ(format_texts(kFilm, Markup::kSrt),
            (Texts{"It was late. And then\nhe went\nhome to his <b>dear</b> wife.", "Who is there?", "Me."}));
}

TEST(Subtitles, WithoutATranslationEveryByteStays) {
  const std::string vtt =
      "WEBVTT\r\n\r\nNOTE x\r\n\r\na\r\n00:01.000 --> 00:02.000 align:start\r\n<v A>x &lt; y & <b>z";
  for (const std::string& file : {kFilm, "\xEF\xBB\xBF" + kFilm, std::string(), std::string("\n")}) {
    EXPECT_EQ(written_format(file, Markup::kSrt), file);
  }
  EXPECT_EQ(written_format(vtt, Markup::kVtt), vtt);
}

TEST(Subtitles, EachLineOfATranslationTakesThePlaceOfOneOfTheSource) {
  const auto change = [](const std::string& text) {
    return text.starts_with("It") ? "Es war sp\u00E4t. Und dann\nging er\nnach <b>Hause</b>." : text;
  };
  const std::string written = written_format(kFilm, Markup::kSrt, change);
  EXPECT_EQ(written.substr(0, written.find("3\n00:00:06")),
            "1\n00:00:01,000 --> 00:00:03,000\nEs war sp\u00E4t. Und dann\nging er\n\n"
            "2\n00:00:03,100 --> 00:00:05,000 X1:40\n<i>nach <b>Hause</b>.</i>\n\n");
}

TEST(Subtitles, ALineWithoutTextDoesNotEndASubtitle) {
  const std::string file = "1\r\n00:00:01,000 --> 00:00:03,000\r\none\r\ntwo\r\nthree\r\n\r\n";
  const auto becomes = [&](const std::string& text) {
    return written_format(file, Markup::kSrt, [&](const std::string&) { return text; }).substr(34);
  };
  EXPECT_EQ(becomes("a\n\n"), "a\r\n\r\n");
  EXPECT_EQ(becomes("\n\nc"), "c\r\n\r\n");
  EXPECT_EQ(becomes("a\n\nc"), "a\r\nc\r\n\r\n");
  EXPECT_EQ(becomes("a"), "a\r\n\r\n");
  EXPECT_EQ(becomes("a\nb\nc\nd"), "a\r\nb\r\nc d\r\n\r\n");
}

TEST(Subtitles, InWebVttASentenceGoesOnBehindALineOfSpaces) {
  const std::string file =
      "WEBVTT\n\n00:01.000 --> 00:02.000\n \na man is walking\n \n\n"
      "00:03.000 --> 00:04.000\n\t\nin\n \nthe street\n\nno times\n";
  EXPECT_EQ(format_texts(file, Markup::kVtt), Texts{"a man is walking\nin\nthe street"});
  EXPECT_EQ(written_format(file, Markup::kVtt), file);
  EXPECT_EQ(written_format(file, Markup::kVtt, [](const std::string&) { return "x\n\ny"; }),
            "WEBVTT\n\n00:01.000 --> 00:02.000\n \nx\n \n\n00:03.000 --> 00:04.000\n\t\ny\n\nno times\n");
}

TEST(Subtitles, InSrtAnEmptyLineInASubtitleStays) {
  const std::string file = "1\n00:00:01,000 --> 00:00:02,000\na man\n\nis here\n\n\nFIN\n\n";
  EXPECT_EQ(format_texts(file, Markup::kSrt), (Texts{"a man", "is here", "FIN"}));
  EXPECT_EQ(written_format(file, Markup::kSrt), file);
  EXPECT_EQ(written_format(file, Markup::kSrt, [](const std::string& text) { return text == "a man" ? "" : text; }),
            "1\n00:00:01,000 --> 00:00:02,000\nis here\n\n\nFIN\n\n");
  EXPECT_EQ(read_document(file, Markup::kSrt).blocks[2].line, 8);
}

TEST(Subtitles, TwoSpeakersInALineKeepTheirPlaces) {
  const std::string file = "1\n00:00:01,000 --> 00:00:03,000\n<i>- Where is he? - There.</i>\n>> Yes.\n";
  EXPECT_EQ(format_texts(file, Markup::kSrt), (Texts{"Where is he?", "There.", "Yes."}));
  const auto change = [](const std::string& text) { return text == "There." ? std::string("Da.") : text + " Ja."; };
  EXPECT_EQ(written_format(file, Markup::kSrt, change),
            "1\n00:00:01,000 --> 00:00:03,000\n<i>- Where is he? Ja. - Da.</i>\n>> Yes. Ja.\n");
  const auto lose = [](const std::string& text) { return text == "There." ? std::string() : text; };
  EXPECT_EQ(written_format(file, Markup::kSrt, lose),
            "1\n00:00:01,000 --> 00:00:03,000\n<i>- Where is he? - </i>\n>> Yes.\n");
}

TEST(Subtitles, ANoteEndsASentence) {
  const std::string file =
      "1\n00:00:01,000 --> 00:00:02,000\n\u266A A boy is singing a song \u266A\n\n"
      "2\n00:00:02,000 --> 00:00:03,000\nA man is sitting on a bench.\n\n"
      "3\n00:00:03,000 --> 00:00:04,000\n# A boy sings #\nA man sits\n";
  EXPECT_EQ(format_texts(file, Markup::kSrt),
            (Texts{"A boy is singing a song", "A man is sitting on a bench.", "A boy sings", "A man sits"}));
  EXPECT_EQ(written_format(file, Markup::kSrt), file);
}

TEST(Subtitles, ATranslationHasNoTimes) {
  const std::string file = "00:00:01,000 --> 00:00:03,000\none";
  EXPECT_EQ(written_format(file, Markup::kSrt, [](const std::string&) { return "a --> b"; }),
            "00:00:01,000 --> 00:00:03,000\na -- > b");
}

TEST(Subtitles, APairOfTagsStaysInItsSubtitle) {
  const std::string file = "00:00:01,000 --> 00:00:03,000\na <b>b</b> c\n\n00:00:03,000 --> 00:00:04,000\nd\n";
  EXPECT_EQ(written_format(file, Markup::kSrt, [](const std::string&) { return "x <b>y\nz</b>"; }),
            "00:00:01,000 --> 00:00:03,000\nx <b>y</b>\n\n00:00:03,000 --> 00:00:04,000\nz\n");
}

TEST(Subtitles, LinesOfWarningsAreThoseOfTheFile) {
  const markup::MarkedDocument read = read_document(kFilm, Markup::kSrt);
  ASSERT_EQ(read.blocks.size(), 3U);
  EXPECT_EQ(read.blocks[0].line, 3);
  EXPECT_EQ(read.blocks[2].line, 13);
}

TEST(Subtitles, AnEntityIsNoLineEnd) {
  const std::string file = "WEBVTT\n\n00:01.000 --> 00:02.000\na&#10;b &amp;\r c\nd\n";
  EXPECT_EQ(written_format(file, Markup::kVtt), file);
  EXPECT_EQ(format_texts(file, Markup::kVtt), Texts{"a b &amp;  c\nd"});
}

TEST(Subtitles, TextInAnotherEncodingIsNamed) {
  EXPECT_FAILS(read_document("1\n00:00:01,000 --> 00:00:02,000\ngr\xFCn\n", Markup::kSrt), markup::MarkupError,
               "line 3: has bytes that are not UTF-8");
}

}  // namespace
}  // namespace ventris::formats
