#include "filters/losses.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::filters {
namespace {

TEST(Losses, WithoutAnyThereIsNoError) { EXPECT_NO_THROW(Losses().fail_if_any()); }

TEST(Losses, EachKindNamesItsLines) {
  Losses losses;
  losses.add("b was cut", 3);
  losses.add("a was cut", 7);
  losses.add("b was cut", 9);
  EXPECT_FAILS(losses.fail_if_any(), DataError,
               "strict: text was lost: a was cut (line 7); b was cut (lines 3, 9); the output "
               "has everything else");
}

TEST(Losses, ALineThatItsReaderHasCutCounts) {
  const test::TempFolder folder;
  text::LineReader reader(folder.file("in", "short\nfar too long\nshort\nfar too long\n"), {.max_bytes = 6});
  Losses losses;
  for (std::string line; reader.next(line);) losses.add_cut(reader);
  EXPECT_FAILS(losses.fail_if_any(), DataError, folder.path("in") + ": over 6 bytes, cut (lines 2, 4);");
}

}  // namespace
}  // namespace ventris::filters
