#include "constraints/phrase.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/phrases.h"

namespace ventris::constraints {
namespace {

/// "▁ab" with the pieces ▁ab (10), ▁a (11), b (12), ▁ (13), a (14), ab (15); inside = after the space.
PhraseGraph graph_of_ab() {
  PhraseGraph graph;
  graph.edges = {{{10, 3}, {11, 2}, {13, 1}}, {{15, 3}, {14, 2}}, {{12, 3}}};
  graph.usual = {11, 12};
  graph.inside = 1;
  return graph;
}

TEST(Phrase, TheUsualSegmentationLeadsWhereItGoes) {
  const Phrase phrase(graph_of_ab());
  EXPECT_EQ(phrase.tokens(), 2);
  EXPECT_EQ(phrase.next(0), 11);
  EXPECT_EQ(phrase.next(2), 12);
  EXPECT_EQ(phrase.remaining(2), 1);
  EXPECT_EQ(phrase.remaining(phrase.end()), 0);
}

TEST(Phrase, ElsewhereTheFewestTokensLead) {
  const Phrase phrase(graph_of_ab());
  EXPECT_EQ(phrase.next(1), 15);
  EXPECT_EQ(phrase.remaining(1), 1);
}

TEST(Phrase, TokensOfEverySegmentationLeadOn) {
  const Phrase phrase(graph_of_ab());
  EXPECT_EQ(phrase.after(0, 10), 3);
  EXPECT_EQ(phrase.after(0, 13), 1);
  EXPECT_EQ(phrase.after(1, 14), 2);
  EXPECT_EQ(phrase.after(1, 11), -1);
}

TEST(Phrase, BeginsWithoutASpaceWhereAWordEndedOrWhereNoneIsNeeded) {
  PhraseGraph graph = graph_of_ab();
  EXPECT_TRUE(Phrase(graph).begins_inside(true));
  EXPECT_FALSE(Phrase(graph).begins_inside(false));
  graph.anywhere = true;
  EXPECT_TRUE(Phrase(graph).begins_inside(false));
  graph.inside = -1;
  EXPECT_FALSE(Phrase(graph).begins_inside(true));
}

TEST(Phrase, PlacesThatLeadNowhereAreNever) {
  PhraseGraph graph = graph_of_ab();
  graph.edges[1].clear();
  EXPECT_EQ(Phrase(graph).remaining(1), Phrase::kNever);
  EXPECT_EQ(Phrase(graph).next(1), -1);
}

TEST(Phrase, GraphsThatAreNoneAreRefused) {
  const auto with = [](auto change) {
    PhraseGraph graph = graph_of_ab();
    change(graph);
    return Phrase(graph);
  };
  EXPECT_THROW(with([](PhraseGraph& graph) { graph.usual = {11}; }), std::invalid_argument);
  EXPECT_THROW(with([](PhraseGraph& graph) { graph.usual = {12, 12}; }), std::invalid_argument);
  EXPECT_THROW(with([](PhraseGraph& graph) { graph.usual = {11, 12, 12}; }), std::invalid_argument);
  EXPECT_THROW(with([](PhraseGraph& graph) { graph.edges[2].push_back({9, 2}); }), std::invalid_argument);
  EXPECT_THROW(with([](PhraseGraph& graph) { graph.edges[2].push_back({9, 4}); }), std::invalid_argument);
  EXPECT_THROW(Phrase({}), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::constraints
