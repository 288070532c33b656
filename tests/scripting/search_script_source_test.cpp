#include "scripting/search_script_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::scripting {
namespace {

using testing::HasSubstr;

TEST(SearchScriptSource, SearchesKnowTheSpecialIdsOfTheTokenizer) {
  const core::SpecialIds ids{11, 12, 13, 14};  // pad, unk, bos, eos
  const std::string greedy = script_source::greedy(ids), beam = script_source::beam(ids);
  for (const char* part : {"torch.ne(src, 11)", "torch.tensor([11, 12, 13]"}) {
    EXPECT_THAT(greedy, HasSubstr(part));
    EXPECT_THAT(beam, HasSubstr(part));
  }
  for (const char* part : {"torch.full([src.size(0), 1], 13", "torch.eq(best, 14)", "masked_fill(done, 11)"}) {
    EXPECT_THAT(greedy, HasSubstr(part));
  }
  for (const char* part : {"ids[:, :, 0] = 13", "torch.eq(chosen, 14)", "masked_fill(past, 11)"}) {
    EXPECT_THAT(beam, HasSubstr(part));
  }
}

}  // namespace
}  // namespace ventris::scripting
