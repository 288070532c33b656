#include "markup/inline_extensions.h"

#include <gtest/gtest.h>

#include "markup/extension_texts.h"

namespace ventris::markup {
namespace {

TEST(InlineExtensions, CommandsOfTexHaveTheirArguments) {
  EXPECT_EQ(extensions("See \\ref{tab:a} and \\citep[see][p. 3]{b}, \\textit{a {b} c}; \\@ref(fig:a-b)."),
            (Texts{"\\ref{tab:a}", "\\citep[see][p. 3]{b}", "\\textit{a {b} c}", "\\@ref(fig:a-b)"}));
  EXPECT_EQ(extensions("\\newpage\n\n\\mycommand\n\nthe \\LaTeX way \\vspace*{1cm}"),
            (Texts{"\\newpage", "\\mycommand", "\\LaTeX", "\\vspace*{1cm}"}));
  EXPECT_EQ(extensions("known\\footnote{a b} as Smith\\cite{b}"), (Texts{"\\footnote{a b}", "\\cite{b}"}));
  EXPECT_EQ(extensions("\\ref{a}[^1] \\cite{b}[c] \\item[d]"), (Texts{"\\ref{a}", "\\cite{b}"}));
  EXPECT_EQ(extensions("a \\begin{center}b\\end{center} c"), Texts{"\\begin{center}b\\end{center}"});
  EXPECT_EQ(extensions("\\begin{a}\\begin{b}\\end{b}\\end{a}"), Texts{"\\begin{a}\\begin{b}\\end{b}\\end{a}"});
  for (const std::string text : {"C:\\new", "\\d{3}", "\\\\ref{a}", "the \\foo way", "\\n", "\\ref{a", "a\\ref",
                                 "\\*a\\*", "\\@me", "\\@ref(a b)", "\\begin{a}", "\\users\\newline"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(InlineExtensions, ExpressionsOfMdxAreNoText) {
  EXPECT_EQ(extensions("Sum: {2 * Math.PI}, {props.name} {f(x)} {a => b} {list[0].b}"),
            (Texts{"{2 * Math.PI}", "{props.name}", "{f(x)}", "{a => b}", "{list[0].b}"}));
  EXPECT_EQ(extensions("import A from 'b'\n\nHello {name}, {' '} {a.map(i => <li>{i}</li>)}"),
            (Texts{"import A from 'b'", "{name}", "{' '}", "{a.map(i => <li>{i}</li>)}"}));
  for (const std::string text : {"{a}", "{a set of words}", "{one, two. Three (four)}", "{", "{}", "{a.b", "{1.5}",
                                 "{a}\n\n```\nimport A from 'b'\n```"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(InlineExtensions, ChangesOfCriticMarkupHaveTwoSigns) {
  EXPECT_EQ(extensions("{++a++} {--b--}{++c++} {==d==}{>>e f<<} {~~g~>h~~}"),
            (Texts{"{++", "++}", "{--", "--}", "{++", "++}", "{==", "==}", "{>>e f<<}", "{~~", "~~}"}));
  for (const std::string text : {"{++a", "a++}", "{>>a", "a--} {--"}) EXPECT_EQ(extensions(text), Texts{}) << text;
}

TEST(InlineExtensions, KeysThatArePressedAreKnown) {
  EXPECT_EQ(extensions("Press ++ctrl+alt+del++ or ++enter++ (++f12++)"),
            (Texts{"++ctrl+alt+del++", "++enter++", "++f12++"}));
  for (const std::string text : {"C++ and C++", "++inserted++", "++i", "a++b+c++", "++ctrl+++"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(InlineExtensions, NamesOfObsidianStay) {
  EXPECT_EQ(extensions("A dog. ^my-block\n\n^b1\n\n#project/name is #a/b/c, [due:: x]"),
            (Texts{"^my-block", "^b1", "#project/name", "#a/b/c", "[due:: x]"}));
  for (const std::string text : {"a ^b c", "a^b", "x ^2^", "#tag", "a#b/c", "#a/"})
    EXPECT_EQ(extensions(text), Texts{}) << text;
}

TEST(InlineExtensions, IssuesAndCommitsOfRepositoriesStay) {
  EXPECT_EQ(extensions("By owner/my.repo#45, a1b2c3d (0123456789abcdef0123456789abcdef01234567)"),
            (Texts{"owner/my.repo#45", "a1b2c3d", "0123456789abcdef0123456789abcdef01234567"}));
  for (const std::string text : {"1234567", "defaced", "a1b2c3", "facade1", "a1b2c3dx", "a/b/c#1", "a/b#c", "#a1b2c3d",
                                 "x-a1b2c3d", "0123456789abcdef0123456789abcdef012345678"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(InlineExtensions, WhatNeverEndsTakesATimeThatGrowsWithTheText) {
  for (const std::string part : {"\\aa{", "\\begin{a}", "\\begin{a}\\end{b}", "{a(", "{'", "^a", " #a/", " ++a+",
                                 "++} ", "{++a", "a/", "[a]{", "[", "]{.a} ", "ab1", "{>>", "\\aa[a]", "\\@ref("}) {
    std::string text;
    while (text.size() < 200'000) text += part;
    static_cast<void>(extensions(text));
    static_cast<void>(extensions("import A from 'b'\n\n" + text));
  }
}

}  // namespace
}  // namespace ventris::markup
