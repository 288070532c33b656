#include "formats/cue_lines.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace ventris::formats {
namespace {

using markup::Markup;

std::vector<CueLine> lines(std::string_view text, Markup markup = Markup::kSrt) {
  Cue cue;
  cue.lines = lines_of(text);
  return lines_of_cue(text, cue, 0, markup);
}

/// "before[text]after", with tags in the text.
std::string shape(std::string_view text, Markup markup = Markup::kSrt) {
  std::string all;
  for (const CueLine& line : lines(text, markup)) {
    all += (all.empty() ? "" : "|") + line.before + "[" + line.text.raw({0, line.text.text.size()}) + "]" + line.after;
  }
  return all;
}

TEST(CueLines, TagsAroundALineOrASubtitleAreNoPartOfTheText) {
  EXPECT_EQ(shape("<i>a <b>b</b></i>"), "<i>[a <b>b</b>]</i>");
  EXPECT_EQ(shape("<i>a\nb</i>"), "<i>[a]|[b]</i>");
  EXPECT_EQ(shape("<i>a</i> b"), "[<i>a</i> b]");
  EXPECT_EQ(shape("{\\an8}<font color=\"red\"> a </font>"), "{\\an8}<font color=\"red\"> [a] </font>");
  EXPECT_EQ(shape("<i><b>a</b></i>\n<i>b</i>"), "<i><b>[a]</b></i>|<i>[b]</i>");
  EXPECT_EQ(shape("a <i>b\nc</i> d"), "[a <i>b]|[c</i> d]");
}

TEST(CueLines, SignsOfSpeakersAndSongsAreNoPartOfTheText) {
  EXPECT_EQ(shape("- Hello\n-You"), "- [Hello]|-[You]");
  EXPECT_EQ(shape("\u2013 Hello"), "\u2013 [Hello]");
  EXPECT_EQ(shape("<i>- Hello</i>"), "<i>- [Hello]</i>");
  EXPECT_EQ(shape("\u266A\u266A La la \u266A"), "\u266A\u266A [La la] \u266A");
  EXPECT_EQ(shape("-5 degrees"), "[-5 degrees]");
  EXPECT_EQ(shape("#5"), "[#5]");
  EXPECT_TRUE(lines("- Hello")[0].begins);
  EXPECT_FALSE(lines("Hello - you")[0].begins);
}

TEST(CueLines, SignsOfSpeakersInCaptionsAreNoPartOfTheText) {
  EXPECT_EQ(shape(">> Hello\n>>>Today"), ">> [Hello]|>>>[Today]");
  EXPECT_EQ(shape("&gt;&gt; Hello", Markup::kVtt), "&gt;&gt; [Hello]");
  EXPECT_TRUE(lines(">> Hello")[0].begins);
  EXPECT_EQ(shape("> Hello"), "[> Hello]");
  EXPECT_EQ(shape(">>"), "[>>]");
}

TEST(CueLines, TwoSpeakersInALineAreTwoLines) {
  EXPECT_EQ(shape("- Yes. - No!"), "- [Yes.] |- [No!]");
  EXPECT_EQ(shape("<i>-Why?\" \u2013 \"Who?</i>\nYou"), "<i>-[Why?\"] |\u2013 [\"Who?]</i>|[You]");
  EXPECT_EQ(shape("Well\u2026 \u2014\u00DCber."), "[Well\u2026] |\u2014[\u00DCber.]");
  for (const std::string text : {"Why? - he said", "a - B", "No. -5", "No.- Yes", "No. -", "- A"}) {
    EXPECT_EQ(lines(text).size(), 1) << text;
  }
  std::string many;
  for (int i = 0; i < 10; ++i) many += "- A. ";
  EXPECT_EQ(lines(many).size(), 1) << "no dialogue";
  const std::vector<CueLine> found = lines("A. - B.\nC");
  ASSERT_EQ(found.size(), 3);
  EXPECT_EQ(found[1].line, found[0].line);
  EXPECT_EQ(found[2].line, found[0].line + 1);
  EXPECT_TRUE(found[1].begins);
}

TEST(CueLines, NamesAndCodesInTagsAreNeverDivided) {
  EXPECT_EQ(shape("<v Q. - Smith>Yes.</v>", Markup::kVtt), "<v Q. - Smith>[Yes.]</v>");
  EXPECT_EQ(shape("{\\pos(1,2)\\fnA. - B}Yes."), "{\\pos(1,2)\\fnA. - B}[Yes.]");
  EXPECT_EQ(shape("<font face=\"A. - B\">Yes.</font>"), "<font face=\"A. - B\">[Yes.]</font>");
  EXPECT_EQ(shape("a <c.x y. - Z>b</c>", Markup::kVtt), "[a <c.x y. - Z>b</c>]");
  EXPECT_EQ(shape("<v A. - B>Yes. - No.", Markup::kVtt), "<v A. - B>[Yes.] |- [No.]");
}

TEST(CueLines, TagsBesideADashDoNotHideThatSomebodyElseSpeaks) {
  EXPECT_EQ(shape("- <i>Yes.</i> - <i>No.</i>"), "- [<i>Yes.</i>] |- [<i>No.</i>]");
  EXPECT_EQ(shape("Yes. <i>- No.</i>"), "[Yes.] |<i>- [No.]</i>") << "a tag that opens goes with the dash";
  EXPECT_EQ(shape("<i>Yes. </i>- No."), "<i>[Yes.] </i>|- [No.]") << "one that closes does not";
  EXPECT_EQ(shape("<i>Yes. </i><b>- No.</b>"), "<i>[Yes.] </i>|<b>- [No.]</b>");
  EXPECT_EQ(shape("{\\i1}Yes. {\\i0}- No."), "{\\i1}[Yes.] |{\\i0}- [No.]");
}

TEST(CueLines, NotesAtTheEndOfALineAreNoPartOfTheText) {
  EXPECT_EQ(shape("La la\u266B\u266A \nla"), "[La la]\u266B\u266A |[la]");
  EXPECT_TRUE(lines("La la \u266A")[0].ends);
  EXPECT_TRUE(lines("<i>\u266B La la \u266B</i>")[0].ends);
  EXPECT_FALSE(lines("La la ")[0].ends);
  EXPECT_FALSE(lines("La \u266A la")[0].ends);
  EXPECT_EQ(shape("# La la #\nC #"), "# [La la] #|[C #]");
  EXPECT_EQ(shape("# La\nla #"), "# [La]|[la] #");
  EXPECT_TRUE(lines("# La la #")[0].ends);
  EXPECT_FALSE(lines("La #")[0].ends);
}

TEST(CueLines, OnlyWhatLooksLikeATagIsOne) {
  EXPECT_EQ(lines("a < b > c <3")[0].text.text, "a < b > c <3");
  EXPECT_EQ(lines("{a} {\\b")[0].text.text, "{a} {\\b");
  EXPECT_EQ(lines("a <i b <u>c</u> d")[0].text.text, "a <i b c d");
}

TEST(CueLines, WebVttHasVoicesClassesTimesAndEntities) {
  EXPECT_EQ(shape("<v Bob>Tom &amp; <c.red>I</c>", Markup::kVtt), "<v Bob>[Tom & <c.red>I</c>]");
  EXPECT_EQ(lines("<v Bob>a</v>", Markup::kVtt)[0].voice, "<v Bob>");
  EXPECT_EQ(shape("<v Bob>a</v>", Markup::kVtt), "<v Bob>[a]</v>");
  EXPECT_EQ(shape("a <00:01.000>b", Markup::kVtt), "[a <00:01.000>b]");
  EXPECT_EQ(shape("{\\an8}a {\\i1}b", Markup::kVtt), "{\\an8}[a {\\i1}b]") << "as in SRT, from which it was made";
}

TEST(CueLines, TagsThatAreNoPairAreMarksAlone) {
  using Kind = markup::Mark::Kind;
  const auto kinds = [](std::string_view text) {
    std::vector<Kind> all;
    const std::vector<CueLine> found = lines(text);
    for (const markup::Mark& mark : found[0].text.marks) all.push_back(mark.kind);
    return all;
  };
  EXPECT_EQ(kinds("a <b>b</b> c"), (std::vector{Kind::kOpen, Kind::kClose}));
  EXPECT_EQ(kinds("a <b>b <i>c</b> d"), (std::vector{Kind::kOpen, Kind::kAlone, Kind::kClose}));
  EXPECT_EQ(kinds("a </b>b <i>c"), (std::vector{Kind::kAlone, Kind::kAlone}));
}

TEST(CueLines, DeepNestingIsRefusedWithItsLine) {
  std::string text = "a\n";
  for (int i = 0; i < 1001; ++i) text += "<b>";
  EXPECT_FAILS(lines(text + "b"), markup::MarkupError, "line 2: tags are nested deeper than 1000 levels");
}

TEST(CueLines, AVoiceGoesOnInTheNextLineOfItsSubtitle) {
  const auto voices = [](std::string_view text) {
    std::vector<std::string> all;
    for (const CueLine& line : lines(text, Markup::kVtt)) all.push_back(line.voice);
    return all;
  };
  using Voices = std::vector<std::string>;
  EXPECT_EQ(voices("<v Anna>Why\nnot?"), (Voices{"<v Anna>", "<v Anna>"}));
  EXPECT_EQ(voices("<v Anna>Why\nnot?</v>"), (Voices{"<v Anna>", "<v Anna>"}));
  EXPECT_EQ(voices("<v Anna>Why?\n<v Tom>No."), (Voices{"<v Anna>", "<v Tom>"}));
  EXPECT_EQ(voices("Why\n<v Tom>No."), (Voices{"", "<v Tom>"}));
}

TEST(CueLines, AnotherVoiceBeginsALine) {
  EXPECT_EQ(shape("<v Anna>a</v> <v Tom>b</v>", Markup::kVtt), "<v Anna>[a]</v> |<v Tom>[b]</v>");
  const auto both = lines("<v Anna>a</v> <v Tom>b", Markup::kVtt);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[1].voice, "<v Tom>");
}

TEST(CueLines, AWrittenLineEndIsOne) {
  EXPECT_EQ(shape("One.\\NTwo."), "[One.]|\\N[Two.]");
  for (const char* text : {"C:\\new", "at C:\\New\\Notes", "\\\\a\\New"}) {
    EXPECT_EQ(shape(text), "[" + std::string(text) + "]");
  }
}

TEST(CueTokens, SignsOfDirectionInWebVttAreTags) {
  const auto shown = [](std::string_view line, Markup markup) {
    std::string text;
    for (const CueToken& token : cue_tokens(line, markup)) text += std::string(token.raw) + (token.is_tag ? "*|" : "|");
    return text;
  };
  EXPECT_EQ(shown("a &lrm;b&rlm; &amp; c", Markup::kVtt), "a |&lrm;*|b|&rlm;*| &amp; c|");
  EXPECT_EQ(shown("a &lrm;b", Markup::kSrt), "a &lrm;b|");
}

}  // namespace
}  // namespace ventris::formats
