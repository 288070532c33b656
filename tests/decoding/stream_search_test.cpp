#include "decoding/stream_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/table_scorer.h"

namespace ventris::decoding {
namespace {

using test::Ids;
using test::Table;
using test::TableScorer;

constexpr int32_t kVocab = 9, kBos = 2, kEos = 3;

/// A translation has as many tokens as the first id of the source says, then eos.
Table counting_table() {
  return [](const Ids& source, const Ids& prefix) {
    std::vector<double> weights(kVocab, 0.01);
    weights[prefix.size() < static_cast<size_t>(source.front()) ? 5 : kEos] = 1;
    return test::log_shares(weights);
  };
}

/// A scorer that says how many rows and sentences it has, and what its memory was.
class WatchedScorer : public TableScorer {
 public:
  WatchedScorer(Table table, MemoryNeeds needs, bool refills)
      : TableScorer(std::move(table), {kBos, kEos, kVocab, 400, needs, refills}, {0, 1, 2}) {}
  void admit(std::span<const std::span<const int32_t>> sources) override {
    admitted.push_back(sources.size());
    TableScorer::admit(sources);
  }
  void release() override {
    ++released;
    reset();
  }
  std::vector<size_t> admitted;  // by each call
  int released = 0;
};

class List : public SentenceStream {
 public:
  explicit List(std::vector<Sentence> sentences) : results(sentences.size()), sentences_(std::move(sentences)) {}
  const Sentence* take(const std::function<bool(const Sentence&)>& accept) override {
    return next_ < sentences_.size() && accept(sentences_[next_]) ? &sentences_[next_++] : nullptr;
  }
  void done(const Sentence& sentence, std::vector<Hypothesis> found) override {
    const auto at = static_cast<size_t>(&sentence - sentences_.data());
    EXPECT_TRUE(results[at].empty()) << "done twice";
    results[at] = std::move(found);
    order.push_back(at);
  }
  bool waiting() const { return next_ < sentences_.size(); }

  std::vector<std::vector<Hypothesis>> results;
  std::vector<size_t> order;  // in which they were done

 private:
  std::vector<Sentence> sentences_;
  size_t next_ = 0;
};

/// Sentences whose translations have these lengths.
std::vector<Sentence> of_lengths(const std::vector<int32_t>& lengths) {
  std::vector<Sentence> sentences;
  for (const int32_t length : lengths) sentences.push_back({{length}, {}, sentences.size()});
  return sentences;
}

TEST(StreamSearch, ThePlaceOfAFinishedSentenceIsFilledBeforeTheNextStep) {
  const auto sentences = of_lengths({7, 1, 2, 3, 1, 4, 2, 1, 5});
  WatchedScorer scorer(counting_table(), {}, true);
  List list(sentences);
  search_stream(scorer, list, {.max_length_factor = 100}, {.sentences = 3});
  // 26 tokens and 9 ends of sentences; only when none is waiting are places empty.
  EXPECT_EQ(scorer.rows_of_steps, (std::vector<size_t>{3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 1, 1, 1, 1}));
  EXPECT_EQ(scorer.admitted, (std::vector<size_t>{3, 1, 1, 1, 1, 1, 1}));
  for (size_t i = 0; i < sentences.size(); ++i) {
    EXPECT_EQ(list.results[i].front().ids, Ids(static_cast<size_t>(sentences[i].source[0]), 5));
  }
}

TEST(StreamSearch, AModelThatDoesNotRefillGetsBatches) {
  WatchedScorer scorer(counting_table(), {}, false);
  List list(of_lengths({2, 1, 3, 1}));
  search_stream(scorer, list, {.max_length_factor = 100}, {.sentences = 2});
  EXPECT_EQ(scorer.rows_of_steps, (std::vector<size_t>{2, 2, 1, 2, 2, 1, 1}));
  EXPECT_EQ(list.order, (std::vector<size_t>{1, 0, 3, 2}));
}

TEST(StreamSearch, FindsWhatASearchOfEachSentenceFinds) {
  for (const bool refills : {false, true}) {
    for (const bool sampling : {false, true}) {
      const Table table = test::random_table(kVocab, 5);
      std::vector<Sentence> sentences;
      for (int32_t i = 0; i < 40; ++i)
        sentences.push_back({Ids(static_cast<size_t>(1 + i % 7), 4 + i % 4), {}, 90U - static_cast<uint64_t>(i)});
      SearchOptions options{.beam_size = sampling ? 1 : 3, .n_best = 3, .max_length_factor = 1.0};
      options.sampling.enabled = sampling;
      WatchedScorer scorer(table, {}, refills);
      List list(sentences);
      SearchOptions parts = options;
      parts.draws_at_once = 2;
      search_stream(scorer, list, parts, {.sentences = 5, .rows = 7});
      for (const size_t rows : scorer.rows_of_steps) EXPECT_LE(rows, 7U);
      for (size_t i = 0; i < sentences.size(); ++i) {
        WatchedScorer alone(table, {}, false);
        const auto expected = test::only(search(alone, std::vector{sentences[i]}, options));
        ASSERT_EQ(list.results[i].size(), expected.size());
        for (size_t j = 0; j < expected.size(); ++j) {
          EXPECT_EQ(list.results[i][j].ids, expected[j].ids);
          EXPECT_EQ(list.results[i][j].score, expected[j].score);
        }
      }
    }
  }
}

TEST(StreamSearch, MoreSentencesThanTheMemoryHoldsAreNotAdmitted) {
  const MemoryNeeds needs{.place = 1'000'000};
  const SearchOptions options{.max_length_factor = 0};  // 10 target tokens
  for (const bool refills : {false, true}) {
    WatchedScorer scorer(counting_table(), needs, refills);
    List list(of_lengths({3, 3, 3, 3, 3, 3, 3}));
    search_stream(scorer, list, options, {.bytes = 35'000'000 + (8 << 20)});
    EXPECT_EQ(*std::ranges::max_element(scorer.rows_of_steps), 3U);
    EXPECT_EQ(list.order.size(), 7U);
  }
}

TEST(StreamSearch, ASentenceThatIsTooLargeForTheMemoryIsSearchedAlone) {
  WatchedScorer scorer(counting_table(), {.place = 1'000'000}, true);
  List list(of_lengths({3, 3}));
  search_stream(scorer, list, {.max_length_factor = 0}, {.bytes = 1});
  EXPECT_EQ(scorer.rows_of_steps, (std::vector<size_t>(8, 1)));
}

/// Many short sentences, then long ones: both loads fit, but not what is kept of the first beside the second.
TEST(StreamSearch, MemoryThatIsKeptIsFreedForALoadOfAnotherShape) {
  const MemoryNeeds needs{.source_token = 1'000'000, .pads_sources = true};
  std::vector<Sentence> sentences;
  for (uint64_t i = 0; i < 20; ++i) sentences.push_back({{2}, {}, i});
  for (uint64_t i = 20; i < 23; ++i) sentences.push_back({Ids(18, 2), {}, i});
  WatchedScorer scorer(counting_table(), needs, true);
  List list(sentences);
  search_stream(scorer, list, {}, {.bytes = 20'000'000 + (8 << 20)});
  EXPECT_GE(scorer.released, 1);
  EXPECT_EQ(list.order.size(), sentences.size());
  EXPECT_EQ(scorer.rows_of_steps.back(), 1U);
}

TEST(StreamSearch, AnEmptyStreamIsDoneAtOnce) {
  WatchedScorer scorer(counting_table(), {}, true);
  List list({});
  search_stream(scorer, list, {}, {});
  EXPECT_TRUE(scorer.rows_of_steps.empty());
}

}  // namespace
}  // namespace ventris::decoding
