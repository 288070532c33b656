#pragma once
#include <string>

namespace ventris::torchscript {

/// Translates the lines of `file` with the bundle and with the export (`bytes` of a TorchScript file), both with this
/// beam size. Throws ModelError with the first line whose translations differ, unless their scores are tied within
/// 1e-4.
void verify_torchscript(const std::string& bundle, const std::string& bytes, const std::string& file, int beam_size);

}  // namespace ventris::torchscript
