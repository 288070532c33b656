#include "metrics/signature.h"

#include <gtest/gtest.h>

#include "core/process.h"

namespace ventris::metrics {
namespace {

TEST(BleuSignature, NamesEachOptionAsSacreBleuDoes) {
  const std::string end = std::string("|impl:ventris-") + core::version() + "|compat:2.6.0";
  EXPECT_EQ(bleu_signature({}, 1), "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp" + end);
  BleuOptions options;
  options.tokenization = Tokenization::kZh;
  options.lowercase = true;
  options.smoothing = Smoothing::kFloor;
  EXPECT_EQ(bleu_signature(options, 2), "nrefs:2|case:lc|eff:no|tok:zh|smooth:floor[0.10]" + end);
}

}  // namespace
}  // namespace ventris::metrics
