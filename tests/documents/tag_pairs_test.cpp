#include "documents/tag_pairs.h"

#include <gtest/gtest.h>

#include "documents/builtin_placeholders.h"
#include "formats/groff_escapes.h"
#include "markup/markup.h"

namespace ventris::documents {
namespace {

using Kind = markup::Mark::Kind;
using Texts = std::vector<std::string>;

/// A text whose tags are marked.
struct Marked {
  explicit Marked(const std::string& written) : Marked(written, builtin_placeholders(written)) {}
  Marked(const std::string& written, std::vector<ByteRange> ranges) : placeholders(std::move(ranges)) {
    text.text = written;
    changed = mark_tags(text, placeholders, {});
  }
  Texts left() const {
    Texts texts;
    for (const ByteRange& range : placeholders) texts.push_back(text.text.substr(range.begin, range.end - range.begin));
    return texts;
  }
  std::vector<Kind> kinds() const {
    std::vector<Kind> all;
    for (const markup::Mark& mark : text.marks) all.push_back(mark.kind);
    return all;
  }
  std::string written() const { return text.raw({0, text.text.size()}); }

  MarkedText text;
  std::vector<ByteRange> placeholders;
  bool changed = false;
};

TEST(MarkTags, PairsAroundWordsBecomeMarks) {
  const Marked marked("%d <b>big <a href='x'>dogs</a></b> <1/>of %s");
  EXPECT_EQ(marked.text.text, "%d big dogs <1/>of %s");
  EXPECT_EQ(marked.left(), (Texts{"%d", "<1/>", "%s"}));
  EXPECT_EQ(marked.kinds(), (std::vector{Kind::kOpen, Kind::kOpen, Kind::kClose, Kind::kClose}));
  EXPECT_EQ(marked.written(), "%d <b>big <a href='x'>dogs</a></b> <1/>of %s");
}

TEST(MarkTags, LinksOfOtherLanguagesOfMarkupArePairs) {
  for (const std::string text :
       {"see `the site <https://x.org>`_ now", "see :ref:`the site <label>` now", "see B<the site> now"}) {
    const Marked marked(text);
    EXPECT_EQ(marked.text.text, "see the site now");
    EXPECT_EQ(marked.kinds(), (std::vector{Kind::kOpen, Kind::kClose})) << text;
    EXPECT_EQ(marked.written(), text);
  }
  EXPECT_TRUE(Marked("see :ref:`label` and `x`_ now").text.marks.empty());
}

TEST(MarkTags, BracketsAroundSeveralWordsAreAPairThatIsNeverEmpty) {
  const Marked marked("choose <your name> now");
  EXPECT_EQ(marked.text.text, "choose your name now");
  EXPECT_EQ(marked.kinds(), (std::vector{Kind::kOpen, Kind::kClose}));
  EXPECT_TRUE(marked.text.marks[0].never_empty && marked.text.marks[1].never_empty);
  EXPECT_EQ(marked.written(), "choose <your name> now");
}

TEST(MarkTags, FontsAndQuotationMarksOfGroffArePairs) {
  for (const std::string text : {R"(see \fBthe site\fR now)", R"(see \f[I]the site\f[] now)",
                                 R"(see \(lqthe site\(rq now)", R"(see \(aqthe site\(aq now)"}) {
    const Marked marked(text, formats::groff_escapes_in(text));
    EXPECT_EQ(marked.text.text, "see the site now");
    EXPECT_EQ(marked.kinds(), (std::vector{Kind::kOpen, Kind::kClose})) << text;
    EXPECT_EQ(marked.written(), text);
  }
  for (const std::string text : {R"(a \f b)", ".env is there", ".zip a"}) {  // placeholders of other kinds
    const size_t at = text.find_first_of("\\.");
    EXPECT_TRUE(Marked(text, {{at, at + (at == 0 ? 4 : 2)}}).text.marks.empty()) << text;
  }
  const std::string request = ".SH the site";
  EXPECT_EQ(Marked(request, formats::groff_escapes_in(request)).kinds(), std::vector{Kind::kAlone});
}

TEST(MarkTags, PairsThatOverlapAreHalves) {
  const Marked marked("a <b>b <i>c</b> d</i> e");
  EXPECT_EQ(marked.kinds(), (std::vector(4, Kind::kAlone)));
  EXPECT_EQ(markup::partners(marked.text.marks), (std::vector<size_t>{2, 3, 0, 1}));
  EXPECT_EQ(marked.written(), "a <b>b <i>c</b> d</i> e");
}

TEST(MarkTags, PairsWithoutWordsAndWhatTouchesThemAreOnePlaceholder) {
  EXPECT_EQ(Marked("a <b> (%s) <br></b>%d <i></i> b").left(), (Texts{"<b> (%s) <br></b>%d", "<i></i>"}));
  EXPECT_EQ(Marked("<b>%s</b>%d<i>b</i>%s").left(), (Texts{"<b>%s</b>%d", "%s"}));
}

TEST(MarkTags, ALineBreakIsAPlaceholderOfItsOwn) {
  EXPECT_EQ(Marked("a {x}%s<br>%d<br/><br>%s b").left(), (Texts{"{x}%s", "<br>", "%d", "<br/>", "<br>", "%s"}));
}

TEST(MarkTags, TagsAloneStayAtTheEnds) {
  const Marked marked("<br> <p>a <p>b</i> c</p>%s</b> <br/>");
  EXPECT_EQ(marked.text.text, " a b</i> c%s ");
  EXPECT_EQ(marked.left(), (Texts{"</i>", "%s"}));
  EXPECT_EQ(marked.kinds(),
            (std::vector{Kind::kAlone, Kind::kAlone, Kind::kOpen, Kind::kClose, Kind::kAlone, Kind::kAlone}));
  EXPECT_EQ(Marked("<1/> a </b> c <b>").left(), (Texts{"<1/>", "</b>", "<b>"}));
}

TEST(MarkTags, NothingChangesWithoutWordsOrWithDeepNesting) {
  EXPECT_FALSE(Marked("<p>%s: </p>!").changed);
  std::string deep, ends;
  for (int64_t i = 0; i < markup::kDeepestNesting; ++i) {
    deep += "<b>";
    ends += "</b>";
  }
  EXPECT_TRUE(Marked(deep + "a" + ends).changed);
  EXPECT_FALSE(Marked("<b>" + deep + "a" + ends + "</b>").changed);
}

TEST(MarkTags, OtherPlaceholdersWithAngleBracketsAreNoTags) {
  MarkedText text{"see <b>x</b> and <me@x.org> a </me@x.org>"};
  std::vector<ByteRange> ranges{{4, 12}, {17, 27}};
  EXPECT_TRUE(mark_tags(text, ranges, {}));
  EXPECT_TRUE(text.marks.empty());
  EXPECT_EQ(ranges.size(), 2);
}

TEST(MarkTags, CodesInSquareBracketsArePairs) {
  const Marked marked("[b]a [url=x]b[/url][/b] [/c]");
  EXPECT_EQ(marked.text.text, "a b [/c]");
  EXPECT_EQ(marked.kinds(), (std::vector{Kind::kOpen, Kind::kOpen, Kind::kClose, Kind::kClose}));
  EXPECT_EQ(marked.written(), "[b]a [url=x]b[/url][/b] [/c]");
}

TEST(MarkTags, TagsOfAngularInJsonArePairs) {
  const Marked marked("{$START_LINK_1}a{$CLOSE_LINK} {$INTERPOLATION}");
  EXPECT_EQ(marked.text.text, "a {$INTERPOLATION}");
  EXPECT_EQ(marked.kinds(), (std::vector{Kind::kOpen, Kind::kClose}));
}

TEST(MarkTags, LinksOfMarkdownArePairsThatAreNeverEmpty) {
  const Marked marked("see [the site](docs/a.md \"a title\") and ![it](b.png)");
  EXPECT_EQ(marked.text.text, "see the site and it");
  EXPECT_EQ(marked.kinds(), (std::vector{Kind::kOpen, Kind::kClose, Kind::kOpen, Kind::kClose}));
  EXPECT_TRUE(marked.text.marks[0].never_empty);
  EXPECT_EQ(marked.written(), "see [the site](docs/a.md \"a title\") and ![it](b.png)");
  EXPECT_TRUE(Marked("see [`a`](b) now").text.marks.empty());
}

TEST(MarkTags, TagsThatEscapesWriteArePairs) {
  const Marked marked("a &lt;b class=&quot;c&quot;&gt;big&lt;/b&gt; dog&lt;br/&gt;here &lt;i&gt;");
  EXPECT_EQ(marked.text.text, "a big dog&lt;br/&gt;here &lt;i&gt;");
  EXPECT_EQ(marked.kinds(), (std::vector{Kind::kOpen, Kind::kClose}));
}

TEST(MarkTags, ConditionsOfMailchimpArePairs) {
  const Marked marked("*|IFNOT:A|*a dog*|END:IF|* *|FNAME|*");
  EXPECT_EQ(marked.text.text, "a dog *|FNAME|*");
  EXPECT_EQ(marked.kinds(), (std::vector{Kind::kOpen, Kind::kClose}));
}

TEST(MarkTags, PlaceholdersThatTouchTheirWordsFromOutsideAreAPair) {
  for (const std::string text : {"Read %{linkStart}the site%{linkEnd}", "Read %1$sthe site%2$s",
                                 "Read {open}the site{shut}", "Read &lt;the site&gt;"}) {
    const Marked marked(text);
    EXPECT_EQ(marked.text.text, "Read the site") << text;
    EXPECT_EQ(marked.kinds(), (std::vector{Kind::kOpen, Kind::kClose})) << text;
    EXPECT_EQ(marked.written(), text);
  }
  for (const std::string text : {"Read %sthe site%s", "Read {open} the site{shut}", "Read {open}the site {shut}",
                                 "{n}s of {b}", "{a}\u662F\u597D{b}", "a{b}cd{e}", "{n}s{m}"}) {
    EXPECT_TRUE(Marked(text).text.marks.empty()) << text;
  }
}

TEST(MarkTags, ColoursOfMinecraftTouchTheirWords) {
  MarkedText text{"&aYou won \u00A7lbold"};
  std::vector<ByteRange> placeholders{{0, 2}, {10, 13}};
  ASSERT_TRUE(mark_tags(text, placeholders, {}));
  EXPECT_EQ(text.text, "You won bold");
  ASSERT_EQ(text.marks.size(), 2U);
  EXPECT_EQ(text.marks[1].at, 8U);
  EXPECT_EQ(text.marks[1].raw, "\u00A7l");
}

}  // namespace
}  // namespace ventris::documents
