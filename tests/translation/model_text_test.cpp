#include "translation/model_text.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/errors.h"

namespace ventris::translation {
namespace {

TEST(EncodeSource, EndsWithEosIfThePolicySaysSo) {
  const auto tokenizer = source_tokenizer(test::tiny_package());
  auto ids = tokenizer.encode("bread");
  EXPECT_EQ(encode_source("bread", tokenizer, {{}, true, false}, 64).ids, ids);
  ids.push_back(3);
  EXPECT_EQ(encode_source("bread", tokenizer, {{}, true, true}, 64).ids, ids);
}

TEST(EncodeSource, IsCutToWhatTheModelCanTakeWithItsEos) {
  const auto tokenizer = source_tokenizer(test::tiny_package());
  const auto whole = tokenizer.encode("The driver likes bread.");
  const auto cut = encode_source("The driver likes bread.", tokenizer, {}, 3);
  EXPECT_TRUE(cut.cut);
  EXPECT_EQ(cut.ids, (test::Ids{whole[0], whole[1], 3}));
  EXPECT_FALSE(encode_source("bread", tokenizer, {}, 64).cut);
  EXPECT_TRUE(encode_source(" \t", tokenizer, {}, 64).ids.empty());
}

TEST(ModelTokenizers, OfAnotherSizeAreRefused) {
  auto package = test::tiny_package();
  const text::Tokenizer source = source_tokenizer(package);
  test::shape_of(package.config).src_vocab += 1;
  EXPECT_FAILS(source_tokenizer(package), ModelError, "source.spm: the tokenizer has");
  test::shape_of(package.config).tgt_vocab += 1;
  EXPECT_FAILS(target_tokenizer(package, source), ModelError, "target.spm: the tokenizer has");
}

TEST(ModelTokenizers, AreLoadedOnceIfBothAreTheSame) {
  auto package = test::tiny_package();
  const text::Tokenizer source = source_tokenizer(package);
  EXPECT_EQ(&target_tokenizer(package, source).bytes(), &source.bytes());
}

TEST(CheckWorkers, NamesTheLimits) {
  EXPECT_FAILS(check_workers(0), ConfigError, "threads: must be from 1 to 1024, got 0");
  EXPECT_FAILS(check_workers(1025), ConfigError, "threads: must be from 1 to 1024, got 1025");
}

}  // namespace
}  // namespace ventris::translation
