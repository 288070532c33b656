#include "documents/sentences.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <csignal>
#include <fstream>

#include "core/error.h"
#include "core/process.h"
#include "support/errors.h"

namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;

Texts texts(const std::string& text, const std::vector<ByteRange>& ranges) {
  Texts all;
  for (const ByteRange& range : ranges) all.push_back(text.substr(range.begin, range.end - range.begin));
  return all;
}

Texts split(const std::string& text, const std::string& language = "en") {
  return texts(text, SentenceSplitter(language).split(text));
}

TEST(SentenceSplitter, FindsSentencesWithoutTheSpaceAroundThem) {
  EXPECT_EQ(split("  What does this car cost?   Where is the station? "),
            (Texts{"What does this car cost?", "Where is the station?"}));
  EXPECT_EQ(split("One"), Texts{"One"});
  EXPECT_EQ(split(" \t\u00a0"), Texts{});
  EXPECT_EQ(split(""), Texts{});
}

TEST(SentenceSplitter, AbbreviationsInitialsAndNumbersEndNoSentence) {
  EXPECT_EQ(split("Mr. Smith met J. R. Jones. He paid 3.50 euros."),
            (Texts{"Mr. Smith met J. R. Jones.", "He paid 3.50 euros."}));
  EXPECT_EQ(split("Am 3. Oktober kam z. B. Anna. Er ging.", "de"),
            (Texts{"Am 3. Oktober kam z. B. Anna.", "Er ging."}));
  EXPECT_EQ(split("He met Mr."), Texts{"He met Mr."});
}

TEST(SentenceSplitter, ASentenceMayBeginWithoutALetter) {
  for (const std::string next : {"2 dogs play.", "2020 was good.", "$5 is much.", "{name} plays.", "%s plays.",
                                 "#12 is old.", "@anna plays.", "\uFFFC is old.", "https://a.b is old."}) {
    EXPECT_EQ(split("It is very old. " + next), (Texts{"It is very old.", next}));
  }
  for (const std::string text : {"It weighs approx. 20 kg.", "See fig. 2 for this.", "Use e.g. \uFFFC or that.",
                                 "We saw it in Jan. 2020 at home.", "It costs min. $20 now."}) {
    EXPECT_EQ(split(text), Texts{text});
  }
  EXPECT_EQ(split("Am 12. 5. 2020 war es so. Hauptstr. 7 ist dort.", "de"),
            (Texts{"Am 12. 5. 2020 war es so.", "Hauptstr. 7 ist dort."}));
}

TEST(SentenceSplitter, InvisibleCharactersBehindASentenceBelongToIt) {
  for (const std::string sign : {"\u200b", "\u200e", "\u202c", "\ufeff", "\u2060", "\u00ad"}) {
    EXPECT_EQ(split("It is old." + sign + " The cat plays."), (Texts{"It is old." + sign, "The cat plays."}));
    EXPECT_EQ(split("See example." + sign + "com now."), Texts{"See example." + sign + "com now."});
  }
}

TEST(SentenceSplitter, SentencesMayFollowEachOtherWithoutASpace) {
  EXPECT_EQ(split("\u4f60\u597d\u3002\u518d\u89c1\uff01", "zh"), (Texts{"\u4f60\u597d\u3002", "\u518d\u89c1\uff01"}));
}

TEST(SentenceSplitter, DottedNamesAndAddressesAreInsideASentence) {
  for (const std::string text : {"https://example.org/a?b=c in Berlin.", "Ask example.com!x or Node.js?y now.",
                                 "Read a.txt, v1.2.3 and .NET.", "Write to a.b@example.org or see www.example.org."}) {
    EXPECT_EQ(split(text), Texts{text});
    EXPECT_EQ(split(text + " It helps.").size(), 2U) << text;
  }
}

TEST(SentenceSplitter, WhatClosesASentenceBelongsToIt) {
  EXPECT_EQ(split("Great! \U0001F600 See you."), (Texts{"Great! \U0001F600", "See you."}));
  EXPECT_EQ(split("Great!\U0001F44D\U0001F3FD See you."), (Texts{"Great!\U0001F44D\U0001F3FD", "See you."}));
  EXPECT_EQ(split("(Nice.) Good :-) no."), (Texts{"(Nice.)", "Good :-) no."}));
  EXPECT_EQ(split("True.[12] Nice. :) Good."), (Texts{"True.[12]", "Nice. :)", "Good."}));
  EXPECT_EQ(split("\u00ab Venez ! \u00bb Elle vint.", "fr"), (Texts{"\u00ab Venez ! \u00bb", "Elle vint."}));
}

TEST(SentenceSplitter, EmojiAtTheBeginningOfSentencesAreMarksOfAList) {
  EXPECT_EQ(split("\u2705 One. \u2705 Two."), (Texts{"\u2705 One.", "\u2705 Two."}));
}

TEST(SentenceSplitter, AnObjectRightAfterASentenceBelongsToIt) {
  EXPECT_EQ(split("He left.\uFFFC She stayed."), (Texts{"He left.\uFFFC", "She stayed."}));
}

TEST(SentenceSplitter, WhoSpokeBelongsToTheQuotation) {
  EXPECT_EQ(split("\"Why?\" he asked. \"No!\" John said.").size(), 2U);
  EXPECT_EQ(split("\"I don't go. Why?\" John asked."), (Texts{"\"I don't go.", "Why?\" John asked."}));
  EXPECT_EQ(split("He asked \"Why?\" She left.").size(), 2U);
}

TEST(SentenceSplitter, ParagraphSeparatorsEndASentence) {
  EXPECT_EQ(split("One\u2029two\u0085three\nfour"), (Texts{"One", "two", "three\nfour"}));
}

/// A line of a file of cases: the language, a TAB and the text, in which "|" stands where a sentence ends. A third
/// column says that the result is known to be wrong.
struct Case {
  std::string language, text;
  Texts sentences;
  bool known_as_wrong;
};

std::vector<Case> cases_of(const std::string& name) {
  std::ifstream file(VENTRIS_SOURCE "/tests/documents/" + name);
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    const size_t tab = line.find('\t'), second = std::min(line.find('\t', tab + 1), line.size());
    Case one{line.substr(0, tab), "", {""}, second < line.size()};
    for (const char c : line.substr(tab + 1, second - tab - 1)) {
      if (c == '|') one.sentences.emplace_back();
      if (c != '|') one.sentences.back() += c;
      if (c != '|') one.text += c;
    }
    for (std::string& sentence : one.sentences) {
      const ByteRange range = trimmed(sentence, {0, sentence.size()});
      sentence = sentence.substr(range.begin, range.end - range.begin);
    }
    cases.push_back(one);
  }
  return cases;
}

TEST(SentenceSplitter, FindsTheSentencesOfTwelveLanguages) {
  for (const char* name : {"sentences_development.tsv", "sentences_held_out.tsv"}) {
    const std::vector<Case> cases = cases_of(name);
    EXPECT_EQ(cases.size(), 104U) << name;
    for (const Case& one : cases) {
      if (one.known_as_wrong) {
        EXPECT_NE(split(one.text, one.language), one.sentences) << "no longer wrong; remove the third column";
      } else {
        EXPECT_EQ(split(one.text, one.language), one.sentences);
      }
    }
  }
}

TEST(SentenceSplitter, SentencesAreTheWholeTextInItsOrder) {
  const std::array<std::string, 24> parts{
      " ",  ".", "!",      "?",          "\u3002", "\u201c", "\u201d", "\"", "(",   ")",      "a", "B",
      "Mr", "7", "\u2026", "\U0001F600", "\u00ab", "\u00bb", "\u4f60", "\n", "[1]", "\uFFFC", ":", "\u0301"};
  const SentenceSplitter splitter("en");
  EXPECT_TRUE(rc::check([&] {
    std::string text;
    for (const size_t part : *rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(0, parts.size()))) {
      text += parts[part];
    }
    size_t end = 0;
    for (const ByteRange& sentence : splitter.split(text)) {
      RC_ASSERT(sentence.begin >= end && sentence.begin < sentence.end);
      RC_ASSERT(trimmed(text, {end, sentence.begin}).begin >= sentence.begin);
      const ByteRange found = trimmed(text, sentence);
      RC_ASSERT(found.begin == sentence.begin && found.end == sentence.end);
      end = sentence.end;
    }
    RC_ASSERT(trimmed(text, {end, text.size()}).begin == text.size());
  }));
}

/// If the text before each full stop were looked at again and again, each of these would take hours.
TEST(SentenceSplitter, TheTimeGrowsWithTheText) {
  for (const std::string part : {"Mr. ", "Mr.      ", "a.b.c.", "\u0995.", "1.2", "? ", "! (", "? \u00bb",
                                 "! \U0001F600 ", "\u3002\u201c", "x", " ", "\u0301", "\uFFFC", "J. ", "5. 1,"}) {
    std::string text;
    while (text.size() < 500'000) text += part;
    EXPECT_LE(split(text).size(), 500'000U) << part;
  }
}

TEST(SentenceSplitter, AStopSignalEndsTheWork) {
  const core::StopFlag stop{SIGTERM};
  const core::StopScope scope(&stop);
  EXPECT_FAILS(split(std::string(10'000, 'x')), Interrupted, "splitting into sentences: ");
}

TEST(SentenceSplitter, ADescriptionInBracketsBelongsToTheSentenceBehindIt) {
  EXPECT_EQ(split("They were tired. [music] Anna is here."), (Texts{"They were tired.", "[music] Anna is here."}));
  EXPECT_EQ(split("They were tired. (sighs) Anna is here."), (Texts{"They were tired.", "(sighs) Anna is here."}));
  EXPECT_EQ(split("They were tired. [laughs]"), (Texts{"They were tired.", "[laughs]"}));
  for (const std::string text : {"They were tired. [music] and slept.", "It was [...] He slept", "See p. [a] Anna."}) {
    EXPECT_EQ(split(text), Texts{text});
  }
}

}  // namespace
}  // namespace ventris::documents
