#pragma once
#include "architecture/transformer_options.h"

/// The modules of the Transformer use the settings of its configuration files, which are defined only once.
namespace ventris::nn {

using architecture::Activation;
using architecture::AttentionScore;
using architecture::CrossAttention;
using architecture::NormKind;
using architecture::NormPlace;
using architecture::Positions;
using architecture::SelfAttention;
using architecture::TransformerOptions;
using architecture::Tying;

}  // namespace ventris::nn
