#include "encoding/expected_family.h"

#include "core/error.h"

namespace ventris::encoding {

void expect_family(const model::Package& package, const char* expected) {
  const std::string family = package.config.architecture->family();
  if (family == expected) return;
  fail<ModelError>(package.path, ": expected a model of the family '", expected, "', found one of the family '", family,
                   "'");
}

}  // namespace ventris::encoding
