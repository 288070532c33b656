#include "encoding/expected_family.h"

#include <gtest/gtest.h>

#include "architecture/transformer_options.h"
#include "core/error.h"
#include "support/errors.h"

namespace ventris::encoding {
namespace {

TEST(ExpectedFamily, AnotherOneIsRefusedWithBothNames) {
  model::Package package;
  package.path = "models/a";
  package.config.architecture = std::make_shared<architecture::TransformerArchitecture>();
  EXPECT_NO_THROW(expect_family(package, "transformer"));
  EXPECT_FAILS(expect_family(package, "bert"), ModelError,
               "models/a: expected a model of the family 'bert', found one of the family 'transformer'");
}

}  // namespace
}  // namespace ventris::encoding
