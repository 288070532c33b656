#include "translation/model_text.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/errors.h"

namespace ventris::translation {
namespace {

TEST(EncodeSource, EndsWithEosIfThePolicySaysSo) {
  const auto tokenizer = source_tokenizer(test::copying_package());
  auto ids = tokenizer.encode("bread");
  EXPECT_EQ(encode_source("bread", tokenizer, {{}, true, false}, 64).ids, ids);
  ids.push_back(3);
  EXPECT_EQ(encode_source("bread", tokenizer, {{}, true, true}, 64).ids, ids);
}

TEST(EncodeSource, IsCutToWhatTheModelCanTakeWithItsEos) {
  const auto tokenizer = source_tokenizer(test::copying_package());
  const auto whole = tokenizer.encode("The driver likes bread.");
  const auto cut = encode_source("The driver likes bread.", tokenizer, {}, 3);
  EXPECT_TRUE(cut.cut);
  EXPECT_EQ(cut.ids, (test::Ids{whole[0], whole[1], 3}));
  EXPECT_FALSE(encode_source("bread", tokenizer, {}, 64).cut);
  EXPECT_TRUE(encode_source(" \t", tokenizer, {}, 64).ids.empty());
}

/// The tokens that are kept of a text of which all but the last `fewer` would be allowed, as text.
std::string kept_of(const std::string& text, const text::Tokenizer& tokenizer, size_t fewer) {
  const auto tokens = static_cast<int64_t>(tokenizer.encode(text).size() - fewer);
  const EncodedSource cut = encode_source(text, tokenizer, {{}, true, false}, tokens);
  EXPECT_TRUE(cut.cut);
  EXPECT_LE(cut.ids.size(), static_cast<size_t>(tokens));
  return tokenizer.decode(cut.ids);
}

TEST(EncodeSource, IsCutAfterASentenceOrAWord) {
  const auto tokenizer = source_tokenizer(test::copying_package());
  const std::string word = "bread", unknown = "qqqqqqqqqqqqqqqqqqqqqqqq";
  EXPECT_EQ(kept_of(word + " " + unknown, tokenizer, 1).substr(0, 5), "bread");
  const std::string two = "The driver likes bread. The driver likes bread.";
  const size_t second = tokenizer.encode("The driver likes bread.").size();
  for (size_t fewer = 1; fewer <= second; ++fewer) {  // what is kept ends with the sentence
    EXPECT_EQ(kept_of(two, tokenizer, fewer), "The driver likes bread.") << fewer;
  }
  const std::string many = "Some workers never painted two wooden boats";
  for (size_t fewer = 1; fewer < 4; ++fewer) {  // or with a word
    const std::string kept = kept_of(many, tokenizer, fewer);
    EXPECT_TRUE(many.starts_with(kept) && many[kept.size()] == ' ') << kept;
  }
}

TEST(ModelTokenizers, OfAnotherSizeAreRefused) {
  auto package = test::copying_package();
  const text::Tokenizer source = source_tokenizer(package);
  test::shape_of(package.config).src_vocab += 1;
  EXPECT_FAILS(source_tokenizer(package), ModelError, "source.spm: the tokenizer has");
  test::shape_of(package.config).tgt_vocab += 1;
  EXPECT_FAILS(target_tokenizer(package, source), ModelError, "target.spm: the tokenizer has");
}

TEST(ModelTokenizers, AreLoadedOnceIfBothAreTheSame) {
  auto package = test::copying_package();
  const text::Tokenizer source = source_tokenizer(package);
  EXPECT_EQ(&target_tokenizer(package, source).bytes(), &source.bytes());
}

TEST(CheckWorkers, NamesTheLimits) {
  EXPECT_FAILS(check_workers(0), ConfigError, "threads: must be from 1 to 1024, got 0");
  EXPECT_FAILS(check_workers(1025), ConfigError, "threads: must be from 1 to 1024, got 1025");
}

}  // namespace
}  // namespace ventris::translation
