#pragma once
#include "model/package.h"

namespace ventris::exports {

/// The weights of a TorchScript export, as the bytes of the safetensors file of a bundle. `package` is the export as
/// read_package() opened it. Nothing in the file is run, and buffers are left out. Tensors that share their storage are
/// stored once. Throws ModelError if the file is damaged, or has not the tensors of the model in f32.
std::string weights_of_torchscript(const model::Package& package);

}  // namespace ventris::exports
