#include "markup/xml_translation.h"

#include <gtest/gtest.h>

#include <vector>

namespace ventris::markup {
namespace {

using Said = std::optional<bool>;

/// What the next element says of itself; the attributes are names and values in turns.
Said of(XmlTranslation& translation, std::string_view name, std::vector<const char*> attributes = {}) {
  attributes.push_back(nullptr);
  return translation.of(name, attributes.data());
}

TEST(XmlTranslation, AnElementWithoutSuchAttributesSaysNothing) {
  XmlTranslation translation;
  EXPECT_EQ(of(translation, "a"), Said());
  EXPECT_EQ(of(translation, "b", {"translate", "perhaps", "id", "no"}), Said());
  EXPECT_EQ(of(translation, "c", {"translate", "NO"}), Said(false));
  EXPECT_EQ(of(translation, "c", {"translate", "Yes"}), Said(true));
  EXPECT_EQ(of(translation, "c", {"translatable", "false"}), Said(false));
  EXPECT_EQ(of(translation, "c", {"translate", "yes", "translatable", "false"}), Said(false)) << "no wins";
}

TEST(XmlTranslation, CodeIsNotTranslatedUnlessItIsTheRootOrSaysSo) {
  XmlTranslation translation;
  EXPECT_EQ(of(translation, "code"), Said()) << "the root";
  EXPECT_EQ(of(translation, "code"), Said(false));
  EXPECT_EQ(of(translation, "h:pre"), Said(false));
  EXPECT_EQ(of(translation, "code", {"translate", "yes"}), Said(true));
  EXPECT_EQ(of(translation, "xliff:g"), Said(false));
}

TEST(XmlTranslation, ThePrefixOfItsIsThatOfItsNamespace) {
  XmlTranslation translation;
  of(translation, "a", {"xmlns:t", "http://www.w3.org/2005/11/its", "xmlns:u", "urn:other"});
  EXPECT_EQ(of(translation, "b", {"t:translate", "no"}), Said(false));
  EXPECT_EQ(of(translation, "b", {"its:translate", "no"}), Said(false)) << "the usual one is known";
  EXPECT_EQ(of(translation, "b", {"u:translate", "no"}), Said());
}

TEST(XmlTranslation, InXliffElementsOfCodeAreTagsAndProtectedOnesAreNot) {
  XmlTranslation translation;
  of(translation, "x:xliff");
  EXPECT_TRUE(translation.is_xliff());
  EXPECT_EQ(of(translation, "code"), Said());
  EXPECT_EQ(of(translation, "mrk", {"mtype", "protected"}), Said(false));
  XmlTranslation other;
  of(other, "a");
  EXPECT_FALSE(other.is_xliff());
  EXPECT_EQ(of(other, "mrk", {"mtype", "protected"}), Said());
}

TEST(XmlTranslation, OnlyResourcesKeepReferences) {
  XmlTranslation resources, other, before;
  of(resources, "resources");
  of(other, "a");
  EXPECT_TRUE(resources.keeps("\n @string/name "));
  EXPECT_FALSE(resources.keeps("@string/name is text"));
  EXPECT_FALSE(resources.keeps(" \n"));
  EXPECT_FALSE(other.keeps("@string/name"));
  EXPECT_FALSE(before.keeps("@string/name"));
}

TEST(LocalPart, IsBehindThePrefix) {
  EXPECT_EQ(local_part("a:b"), "b");
  EXPECT_EQ(local_part("b"), "b");
}

TEST(XmlTranslation, ValuesThatProgramsReadStay) {
  XmlTranslation translation;
  of(translation, "a");
  EXPECT_TRUE(translation.keeps(" 2020-01-01T00:00:00Z\n"));
  EXPECT_FALSE(translation.keeps("a book"));
  EXPECT_FALSE(translation.keeps("@string/a")) << "no resources";
}

TEST(XmlTranslation, LineEndsCountWhereTheDocumentSaysSo) {
  const char* const none[] = {nullptr};
  const char* const preserve[] = {"xml:space", "preserve", nullptr};
  const char* const usual[] = {"xml:space", "default", nullptr};
  const XmlTranslation other("<a>"), manual("<!DOCTYPE topic PUBLIC \"-//OASIS//DTD DITA Topic//EN\">");
  EXPECT_EQ(other.keeps_lines("lines", none), Said());
  EXPECT_EQ(other.keeps_lines("a", preserve), Said(true));
  EXPECT_EQ(manual.keeps_lines("lines", usual), Said(false));
  EXPECT_EQ(manual.keeps_lines("d:literallayout", none), Said(true));
}

TEST(XmlTranslation, OnlyQuizzesKeepPlacesOfCategoriesAndFormulas) {
  XmlTranslation quiz, other;
  of(quiz, "quiz");
  of(other, "a");
  for (const std::string value :
       {"$course$/top/Default for Q", "$system$/top", "{a} + {b}", "2*sqrt({x_1}^2)+1.5", "{a}"}) {
    EXPECT_TRUE(quiz.keeps(value)) << value;
    EXPECT_FALSE(other.keeps(value)) << value;
  }
  for (const std::string text : {"What is {a} + {b}?", "$5 and $/6", "$course$", "{1:SHORTANSWER:=Paris}", "{a", "{}",
                                 "Paris (x)", "{a} m", "\u00FC {a}", "12"}) {
    EXPECT_FALSE(quiz.keeps(text)) << text;
  }
}

TEST(XmlTranslation, WhatProgramsReadInQuizzesAndPodcastsStays) {
  XmlTranslation quiz, feed, other;
  of(quiz, "quiz");
  of(feed, "rss");
  of(other, "a");
  XmlTranslation test_of_qti;
  of(test_of_qti, "assessmentItem");
  for (const std::string name : {"value", "varequal", "fieldentry"}) {
    EXPECT_EQ(of(test_of_qti, name), Said(false)) << name;
    EXPECT_EQ(of(other, name), Said()) << name;
  }
  for (const std::string name : {"tex-math", "article-id", "pub-id"}) EXPECT_EQ(of(other, name), Said(false)) << name;
  for (const std::string name : {"answernumbering", "dataset_definitions"}) {
    EXPECT_EQ(of(quiz, name), Said(false)) << name;
    EXPECT_EQ(of(other, name), Said()) << name;
  }
  for (const std::string name : {"itunes:type", "itunes:episodeType", "podcast:medium"}) {
    EXPECT_EQ(of(feed, name), Said(false)) << name;
    EXPECT_EQ(of(other, name), Said()) << name;
  }
  for (const std::string name : {"itunes:title", "itunes:summary", "type"}) EXPECT_EQ(of(feed, name), Said()) << name;
}

}  // namespace
}  // namespace ventris::markup
