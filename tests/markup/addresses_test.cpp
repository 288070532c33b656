#include "markup/addresses.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::markup {
namespace {

using Texts = std::vector<std::string>;

Texts found(const std::string& text) {
  Texts texts;
  for (const ByteRange& range : find_addresses(text))
    texts.push_back(text.substr(range.begin, range.end - range.begin));
  return texts;
}

TEST(FindAddresses, UrlsAndMailAddressesAreFound) {
  EXPECT_EQ(found("see http://a.b, ftp://c.d/e or svn+ssh://f"), (Texts{"http://a.b", "ftp://c.d/e", "svn+ssh://f"}));
  EXPECT_EQ(found("www.a.de and -www.b.de, not xwww.c.de"), (Texts{"www.a.de", "www.b.de"}));
  EXPECT_EQ(found("me@x.org, first.last+tag@mail.example.co.uk."),
            (Texts{"me@x.org", "first.last+tag@mail.example.co.uk"}));
  EXPECT_EQ(found("clone git@github.com:User/Repo.git, and me@x.org: a/b"),
            (Texts{"git@github.com:User/Repo.git", "me@x.org"}));
}

TEST(FindAddresses, PunctuationBehindAnAddressIsNotAPartOfIt) {
  EXPECT_EQ(found("(http://a.b/c?)"), Texts{"http://a.b/c"});
  EXPECT_EQ(found("http://a.b/x_(y) \u201Chttp://c.d\u201D 'http://e.f'."),
            (Texts{"http://a.b/x_(y)", "http://c.d", "http://e.f"}));
  EXPECT_EQ(found("[http://a.b] {http://c.d/{id}}"), (Texts{"http://a.b", "http://c.d/{id}"}));
}

TEST(FindAddresses, TextInChineseJapaneseOrKoreanEndsAnAddress) {
  EXPECT_EQ(found("\u8BF7\u770Bhttps://a.org/b\u3002\u8C22\u8C22"), Texts{"https://a.org/b"});
  EXPECT_EQ(found("\u8054\u7CFBme@x.org\u8C22\u8C22"), Texts{"me@x.org"});
  EXPECT_EQ(found("https://a.org/\uFF09 https://b.org/stra\u00DFe"),
            (Texts{"https://a.org/", "https://b.org/stra\u00DFe"}));
}

TEST(FindAddresses, NamesOfComputersWithAPathAreFound) {
  EXPECT_EQ(found("see youtu.be/dQw4, bit.ly/3Ab. (github.com/foo/bar) t.me/x"),
            (Texts{"youtu.be/dQw4", "bit.ly/3Ab", "github.com/foo/bar", "t.me/x"}));
  EXPECT_EQ(found("and/or node.js/express a.b/c README.md/x Foo.com/a src/a.io/b ..com/a a.com/ b e.g./i.e."), Texts{});
}

TEST(FindAddresses, OrdinaryTextHasNone) {
  EXPECT_EQ(found("a@b, @name, x :// y, http://, www., 1://2, e.g. a.b"), Texts{});
}

/// With a search from each place, these would take hours.
TEST(FindAddresses, LongTextsOfOneKindAreSearchedInOnePass) {
  for (const std::string part :
       {"a", "a.", "a@", "@", "www.", "a://", "://", "http://(((", "a://> ", "www.! ", "\u4F60a@"}) {
    std::string text;
    while (text.size() < 500'000) text += part;
    static_cast<void>(find_addresses(text));
    static_cast<void>(find_addresses(text + "@"));
  }
}

}  // namespace
}  // namespace ventris::markup
