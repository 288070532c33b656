#include "decoding/decoder.h"

#include <gtest/gtest.h>

#include "support/copy_model.h"

namespace ventris::decoding {
namespace {

TEST(Decoder, OfAStepScorerIsItsSearch) {
  const auto package = test::copying_package();
  const auto models = test::copy_factory(package);
  const auto decoder = models->make_decoder();
  EXPECT_EQ(decoder->max_length(), package.config.architecture->max_length());
  const std::vector<Sentence> sentences{{{5, 6, 3}, {}, 0}, {{7, 3}, {}, 1}};
  SearchOptions options;
  options.beam_size = options.n_best = 2;
  const auto scorer = models->make();
  const auto found = decoder->decode(sentences, options), expected = search(*scorer, sentences, options);
  ASSERT_EQ(found.size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(found[i].size(), 2U);
    for (size_t j = 0; j < 2; ++j) {
      EXPECT_EQ(found[i][j].ids, expected[i][j].ids);
      EXPECT_EQ(found[i][j].score, expected[i][j].score);
    }
  }
}

}  // namespace
}  // namespace ventris::decoding
