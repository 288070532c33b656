#pragma once
#include "architecture/transformer.h"

/// The settings of the Transformer's modules are those of its configuration files, defined once.
namespace ventris::nn {

using architecture::Activation;
using architecture::NormPlace;
using architecture::Positions;
using architecture::TransformerOptions;
using architecture::Tying;

}  // namespace ventris::nn
