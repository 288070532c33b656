#include "constraints/forbidden.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <csignal>
#include <set>
#include <string>

#include "core/error.h"
#include "core/process.h"
#include "support/errors.h"
#include "support/phrases.h"

namespace ventris::constraints {
namespace {

using Ids = std::vector<int32_t>;

/// The pieces of a vocabulary: the texts of up to two letters, and those of one after a space.
const std::vector<std::string> kPieces{" ", "a", "b", "aa", "ab", "ba", "bb", " a", " b"};

/// The graph of a text over these pieces, as a tokenizer makes it.
Phrase phrase_of_text(const std::string& text, bool anywhere) {
  PhraseGraph graph;
  graph.edges.resize(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    for (size_t id = 0; id < kPieces.size(); ++id) {
      if (text.compare(at, kPieces[id].size(), kPieces[id]) != 0) continue;
      graph.edges[at].push_back({static_cast<int32_t>(id), static_cast<int32_t>(at + kPieces[id].size())});
    }
    graph.usual.push_back(text[at] == ' ' ? 0 : text[at] == 'a' ? 1 : 2);
  }
  if (text.starts_with(' ')) graph.inside = 1;
  graph.anywhere = anywhere;
  return Phrase(std::move(graph));
}

/// The definition: every phrase is followed alone, from every token where it may begin.
class OneByOne {
 public:
  explicit OneByOne(const std::vector<Phrase>& phrases) : phrases_(phrases) {}

  std::set<int32_t> completing(bool closed) const {
    std::set<int32_t> ids;
    for (const auto& [phrase, place] : open(closed)) {
      for (const auto& [id, to] : phrases_[phrase].graph().edges[static_cast<size_t>(place)]) {
        if (to == phrases_[phrase].end()) ids.insert(id);
      }
    }
    return ids;
  }

  void follow(bool closed, int32_t id) {
    std::set<std::pair<size_t, int32_t>> next;
    for (const auto& [phrase, place] : open(closed)) {
      const int32_t to = phrases_[phrase].after(place, id);
      if (to >= 0 && to < phrases_[phrase].end()) next.insert({phrase, to});
    }
    begun_ = next;
  }

 private:
  std::set<std::pair<size_t, int32_t>> open(bool closed) const {
    auto all = begun_;
    for (size_t i = 0; i < phrases_.size(); ++i) {
      all.insert({i, 0});
      if (phrases_[i].begins_inside(closed)) all.insert({i, phrases_[i].graph().inside});
    }
    return all;
  }

  const std::vector<Phrase>& phrases_;
  std::set<std::pair<size_t, int32_t>> begun_;
};

std::string draw_phrase() {
  std::string text = *rc::gen::arbitrary<bool>() ? " " : "";
  for (const int letter :
       *rc::gen::container<std::vector<int>>(*rc::gen::inRange<size_t>(1, 8), rc::gen::inRange(0, 5))) {
    text += letter == 0 ? ' ' : letter % 2 == 0 ? 'a' : 'b';
  }
  return text + "a";  // not only spaces
}

TEST(Forbidden, IsWhatFollowingEachPhraseAloneGives) {
  EXPECT_TRUE(rc::check([] {
    std::vector<Phrase> phrases;
    const auto count = *rc::gen::inRange<size_t>(0, 12);
    while (phrases.size() < count) phrases.push_back(phrase_of_text(draw_phrase(), *rc::gen::arbitrary<bool>()));
    const Forbidden forbidden(phrases);
    OneByOne expected(phrases);
    RC_ASSERT(forbidden.any() == !phrases.empty());
    Forbidden::States begun;
    for (const int step : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 18))) {
      const bool closed = step % 2 == 0;
      const auto wanted = expected.completing(closed);
      RC_ASSERT(forbidden.completing(begun, closed) == Ids(wanted.begin(), wanted.end()));
      for (int32_t id = 0; id < 9; ++id) RC_ASSERT(forbidden.completes(begun, closed, id) == wanted.contains(id));
      begun = forbidden.after(begun, closed, step / 2);
      expected.follow(closed, step / 2);
    }
  }));
}

/// "aa...": with every phrase followed alone, this would take hours.
TEST(Forbidden, ATokenCostsTheSameForManyPhrases) {
  std::vector<Phrase> phrases;
  for (int32_t number = 0; number < 100'000; ++number) {
    phrases.push_back(test::phrase_of({5, 6, number / 300 + 10, number % 300 + 10, 7}));
  }
  const Forbidden forbidden(phrases);
  Forbidden::States begun;
  for (size_t step = 0; step < 500'000; ++step) {
    begun = forbidden.after(begun, true, step % 2 == 0 ? 5 : 6);
    ASSERT_EQ(begun.size(), 1U);
    ASSERT_TRUE(forbidden.completing(begun, true).empty());
  }
}

TEST(Forbidden, AStopSignalEndsTheWork) {
  const core::StopFlag stop{SIGTERM};
  const core::StopScope scope(&stop);
  EXPECT_FAILS(Forbidden({test::phrase_of({5})}), Interrupted, "forbidden phrases");
}

}  // namespace
}  // namespace ventris::constraints
