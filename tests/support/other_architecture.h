#pragma once
#include "architecture/transformer_options.h"

namespace ventris::test {

/// A Transformer that says it is of another family and learns another task.
class OtherArchitecture : public architecture::TransformerArchitecture {
 public:
  using TransformerArchitecture::TransformerArchitecture;
  std::string family() const override { return "other"; }
  std::string task() const override { return "guessing"; }
};

}  // namespace ventris::test
