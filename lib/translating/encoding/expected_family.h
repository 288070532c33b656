#pragma once
#include "model/package.h"

namespace ventris::encoding {

/// Throws ModelError unless the model is of this family.
void expect_family(const model::Package& package, const char* expected);

}  // namespace ventris::encoding
