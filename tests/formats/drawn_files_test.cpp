#include <gtest/gtest.h>

#include <map>
#include <random>

#include "core/error.h"
#include "formats/subtitle_cues.h"
#include "support/written_format.h"

/// Files with bytes that are changed, lost and repeated at random. A number always gives the same file.
namespace ventris::formats {
namespace {

using markup::Markup;

/// A file of each format with all that it may have.
const std::map<Markup, std::string>& whole_files() {
  static const std::map<Markup, std::string> kFiles{
      {Markup::kSrt,
       "1\n00:00:01,000 --> 00:00:03,000\nIt was <b>late</b>. And\nhe went\n\n2\n00:00:03,100 --> 00:00:05,000 X1:4\n"
       "<i>- home {\\b1}to</i>\n\u266A la \u266A\n3\n00:00:05,000 --> 00:00:06,000\na\n\n"
       "b\n\n# c #\n"},
      {Markup::kVtt,
       "WEBVTT\n\nNOTE a\n\nSTYLE\n::cue{}\n\nx\n00:01.000 --> 00:02.000 line:1\n<v A>a &amp; "
       "<c.b>b</c>\n<00:01.500>c</v>\n \nd\n00:02.000 --> 00:03.000\n \ne\n\nno times\n"},
      {Markup::kPo,
       "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=n != 1;\\n\"\n\n#, c-format\nmsgctxt \"x\"\nmsgid \"a "
       "%s\\n\"\n\"b\"\n"
       "msgstr \"\"\n\nmsgid \"%d a\"\nmsgid_plural \"%d b\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n\n#~ msgid \"c\"\n#~ "
       "msgstr \"\"\n"},
      {Markup::kJson, "{\"a\": [\"b \\u00fc\\n\", 1.5, null, {\"c\": \"d\\\\\"}], \"e\": true}\n"},
      {Markup::kProperties, "# a\nb = c \\\n  d \\u00fc\ne:{0} it''s\n! f\ng h\\=\n"},
      {Markup::kStrings, "/* a */\n\"b\" = \"c \\\"d\\\"\\U00e9\\n\"; // e\nf = \"g\";\n\"h\";\n"},
      {Markup::kYaml,
       "a: b # c\nd: [e, 'f''g', {h: \"i\\n\"}]\nj: |-\n  k\n   l\n\nm: &x >\n  n\n  o\n\np: *x\n---\n- 1\n- q: !r "
       "s\n"}};
  return kFiles;
}

std::string changed(std::string file, std::mt19937& draw) {
  constexpr std::string_view kSigns = "\"'\\<>{}[]:=;#|-, \n\r\t&%0a\xC3\xBC";
  for (size_t left = draw() % 4; left > 0 && !file.empty(); --left) {
    const size_t at = draw() % file.size(), size = std::min<size_t>(draw() % 9, file.size() - at);
    switch (draw() % 4) {
      case 0: file[at] = kSigns[draw() % kSigns.size()]; break;
      case 1: file.erase(at, size); break;
      case 2: file.insert(at, file.substr(draw() % file.size(), size)); break;
      default: file.resize(draw() % 8 == 0 ? at : file.size());
    }
  }
  return file;
}

/// How many subtitles or, in other files, texts there are.
size_t parts_of(const std::string& file, Markup markup) {
  return markup::is_subtitles(markup) ? read_cues(file, markup).size() : test::format_texts(file, markup).size();
}

TEST(DrawnFiles, AnyFileIsEitherNamedOrComesBack) {
  size_t read = 0;
  for (const auto& [markup, whole] : whole_files()) {
    for (uint32_t seed = 0; seed < 400; ++seed) {
      std::mt19937 draw(seed);
      const std::string file = changed(whole, draw);
      try {
        const std::string same = test::written_format(file, markup);
        EXPECT_EQ(markup == Markup::kPo ? file : same, file);
        const std::string other =
            test::written_format(file, markup, [](const std::string& text) { return "z " + text; });
        EXPECT_EQ(parts_of(other, markup), markup == Markup::kPo ? 0 : parts_of(file, markup)) << file << other;
        ++read;
      } catch (const markup::MarkupError& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with("line ")) << error.what();
      }
    }
  }
  EXPECT_GT(read, 400U) << "most files can be read";
}

}  // namespace
}  // namespace ventris::formats
