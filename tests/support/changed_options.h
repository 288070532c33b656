#pragma once
#include <type_traits>

#include "architecture/transformer_options.h"

namespace ventris::test {

/// The options with one of them changed.
template <typename T>
architecture::TransformerOptions with(architecture::TransformerOptions options,
                                      T architecture::TransformerOptions::* option, std::type_identity_t<T> value) {
  options.*option = value;
  return options;
}

}  // namespace ventris::test
