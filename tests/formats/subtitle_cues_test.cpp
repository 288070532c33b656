#include "formats/subtitle_cues.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace ventris::formats {
namespace {

using markup::Markup;
using markup::MarkupError;

std::vector<std::string> texts_of(std::string_view document, const std::vector<Cue>& cues) {
  std::vector<std::string> texts;
  for (const Cue& cue : cues) {
    std::string& text = texts.emplace_back();
    for (const ByteRange& line : cue.lines) text += std::string(part_of(document, line)) + "|";
  }
  return texts;
}

TEST(SubtitleCues, SrtHasNumbersTimesAndLines) {
  const std::string_view file =
      "\xEF\xBB\xBF"
      "1\r\n00:00:01,500 --> 00:00:02,000 X1:1 Y1:2\r\none\r\n2\r\n\r\n\r\n01:00:00.5 --> 01:00:01\nthree";
  const std::vector<Cue> cues = read_cues(file, Markup::kSrt);
  EXPECT_EQ(texts_of(file, cues), (std::vector<std::string>{"one|2|", "three|"}));
  EXPECT_EQ(cues[0].begin, 1.5);
  EXPECT_EQ(cues[0].end, 2);
  EXPECT_EQ(cues[1].begin, 3600.5);
  EXPECT_EQ(cues[0].line, 3);
}

TEST(SubtitleCues, TimesBeginASubtitleAlsoWithoutABlankLine) {
  const std::string_view srt =
      "1\n00:00:01,000 --> 00:00:02,000\nA man is walking\n2\n00:00:03,000 --> 00:00:04,000\nin the street.\n"
      "00:00:05,000 --> 00:00:06,000\n4\n00:00:07,000 --> 00:00:08,000\n7\n8 --> 9\n\n";
  const auto fails = [](std::string_view file) { read_cues(file, Markup::kSrt); };
  EXPECT_FAILS(fails(srt), MarkupError, "line 11: expected the times of a subtitle");
  const std::string_view file = srt.substr(0, srt.find("7\n8"));
  const std::vector<Cue> cues = read_cues(file, Markup::kSrt);
  EXPECT_EQ(texts_of(file, cues), (std::vector<std::string>{"A man is walking|", "in the street.|", "", ""}));
  EXPECT_EQ(cues[1].begin, 3);
  EXPECT_EQ(cues[1].line, 6);
  const std::string_view vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\none\n2\n00:03.000 --> 00:04.000\na --> b\n";
  EXPECT_EQ(texts_of(vtt, read_cues(vtt, Markup::kVtt)), (std::vector<std::string>{"one|", "a --> b|"}));
}

TEST(SubtitleCues, WebVttHasNotesStylesAndNames) {
  const std::string_view file =
      "WEBVTT - a title\nLanguage: en\n\nSTYLE\n::cue { }\n\nNOTE about --> this\nis no text\n\nREGION\nid:a\n\n"
      "intro\n00:01.000 --> 00:02.000 align:start\none\n\n100:00:00.000 --> 100:00:01.000\n\nNOTE\n";
  const std::vector<Cue> cues = read_cues(file, Markup::kVtt);
  EXPECT_EQ(texts_of(file, cues), (std::vector<std::string>{"one|", ""}));
  EXPECT_EQ(cues[1].begin, 360000);
}

TEST(SubtitleCues, InWebVttOnlyAnEmptyLineEndsASubtitle) {
  const std::string_view file =
      "WEBVTT\n\n00:01.000 --> 00:02.000\n \na man is walking\n\n00:03.000 --> 00:04.000\nin the street\n";
  const std::vector<Cue> cues = read_cues(file, Markup::kVtt);
  EXPECT_EQ(texts_of(file, cues), (std::vector<std::string>{" |a man is walking|", "in the street|"}));
  EXPECT_EQ(cues[0].line, 4);
}

TEST(SubtitleCues, InWebVttABlockWithoutTimesIsNoSubtitle) {
  const std::string_view file =
      "WEBVTT\n1\n00:01.000 --> 00:02.000\none\n\nno times\n\na\nb\n00:03.000 --> 00:04.000\nthree\n\n"
      "1->2\n00:05.000 --> 00:06.000\nfour\n\nNOTE x\n \n00:07.000 --> 00:08.000\nfive\n\n \n\nthe end";
  EXPECT_EQ(texts_of(file, read_cues(file, Markup::kVtt)),
            (std::vector<std::string>{"one|", "three|", "four|", "five|"}));
}

TEST(SubtitleCues, InSrtABlockWithoutTimesBelongsToTheSubtitleBeforeIt) {
  const std::string_view file =
      "1\n00:00:01,000 --> 00:00:02,000\none\n\n \nmore\ntext\n2\n00:00:03,000 --> 00:00:04,000\n\ntwo\n\n"
      "3\n\n00:00:05,000 --> 00:00:06,000\n\n2024\nyears\n\n4\n\nFIN\n";
  const std::vector<Cue> cues = read_cues(file, Markup::kSrt);
  EXPECT_EQ(texts_of(file, cues), (std::vector<std::string>{"one|| |more|text|", "|two|", "|2024|years||4||FIN|"}));
  EXPECT_EQ(cues[1].line, 10);
  const std::string_view arrow = "1\n00:00:01,000 --> 00:00:02,000\none\n\na --> b\n";
  EXPECT_EQ(texts_of(arrow, read_cues(arrow, Markup::kSrt)), std::vector<std::string>{"one||a --> b|"});
}

TEST(SubtitleCues, AnEmptyFileHasNone) {
  EXPECT_TRUE(read_cues("", Markup::kSrt).empty());
  EXPECT_TRUE(read_cues("\n\n", Markup::kSrt).empty());
  EXPECT_TRUE(read_cues("", Markup::kVtt).empty());
  EXPECT_TRUE(read_cues("WEBVTT", Markup::kVtt).empty());
}

TEST(SubtitleCues, WhatIsNoSubtitleIsNamedWithItsLine) {
  const auto srt = [](std::string_view file) { read_cues(file, Markup::kSrt); };
  const std::string expected = "expected the times of a subtitle, such as 00:00:01,000 --> 00:00:04,000, found ";
  EXPECT_FAILS(srt("1\n00:00:01,000 -> 00:00:02,000\none\n"), MarkupError,
               "line 2: " + expected + "'00:00:01,000 -> 00:00:02,000'");
  EXPECT_FAILS(srt("some text\n"), MarkupError, "line 1: " + expected + "'some text'");
  EXPECT_FAILS(srt("1\n00:00:01 --> later\n"), MarkupError, "line 2: " + expected);
  EXPECT_FAILS(srt("1\n1 --> 2\n"), MarkupError, "line 2: " + expected);
  EXPECT_FAILS(srt("1\n00:00:01,0x0 --> 00:00:02,000\n"), MarkupError, "line 2: " + expected);
  EXPECT_FAILS(srt("1\n00:00:01,000 --> 00:00:02,000\none\n\n2\n00:00:03,000 -> 00:00:04,000\ntwo\n"), MarkupError,
               "line 6: " + expected);
  EXPECT_FAILS(srt("1\n00:00:01,000 --> 00:00:02,000\none\n\n2"), MarkupError,
               "line 5: the file ends before the times of this subtitle");
  EXPECT_FAILS(srt("1\n00:00:01,000 --> 00:00:02,000\none\n\n2\n\n \n"), MarkupError, "line 5: the file ends before");
  const auto vtt = [](std::string_view file) { read_cues(file, Markup::kVtt); };
  EXPECT_FAILS(vtt("1\n00:01.000 --> 00:02.000\n"), MarkupError,
               "line 1: expected WEBVTT, with which such a file begins, found '1'");
  EXPECT_FAILS(vtt("WEBVTTS\n"), MarkupError, "line 1: expected WEBVTT");
  EXPECT_FAILS(vtt("WEBVTT\n\nname\n00:01.000 -> 00:02.000\none\n"), MarkupError,
               "line 4: expected the times of a subtitle, such as 00:01.000");
  EXPECT_FAILS(vtt("WEBVTT\n\n00:01.000 --> later\none\n"), MarkupError, "line 3: expected the times");
}

TEST(SubtitleCues, TimesThatAreAlmostRightAreRefused) {
  for (const std::string times :
       {"-00:00:02,000 --> 00:00:03,000", "00:00:02,000 \u2013> 00:00:03,000", "00:00:02,000 --&gt; 00:00:03,000"}) {
    const std::string file = "1\n00:00:01,000 --> 00:00:01,500\na\n\n2\n" + times + "\nb\n";
    EXPECT_FAILS(read_cues(file, Markup::kSrt), MarkupError, "line 6: expected the times of a subtitle");
  }
}

TEST(SubtitleCues, WhatProgramsReadInWebVttIsNoText) {
  const std::string times = "00:01.000 --> 00:02.000\n";
  for (const std::string text :
       {"a.jpg#xywh=0,0,160,90", "img/a.png", "{\"a\": \"b\"}", "{\n  \"a\": 1\n}", "[{\"a\": 1}]"}) {
    EXPECT_EQ(read_cues("WEBVTT\n\n" + times + text + "\n", Markup::kVtt).size(), 0U) << text;
    EXPECT_EQ(read_cues("1\n00:00:01,000 --> 00:00:02,000\n" + text + "\n", Markup::kSrt).size(), 1U) << text;
  }
  for (const std::string text : {"[door opens]", "{a}", "see a.png", "[MAN] Hello", "a.jpg is it",
                                 "[\"Jingle Bells\" playing]", "[\"Silent Night\" playing]\nCome here! [laughs]"}) {
    EXPECT_EQ(read_cues("WEBVTT\n\n" + times + text + "\n", Markup::kVtt).size(), 1U) << text;
  }
}

}  // namespace
}  // namespace ventris::formats
