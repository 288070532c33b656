#pragma once
#include <string>

namespace ventris::torchscript {

/// Translates the lines of `file` with the bundle and with the export (`bytes` of a TorchScript file), both with this
/// beam size, and with the method `beam` of the export if it has one. Throws ModelError with the first line whose
/// scores differ by more than 1e-4. Other translations with the same score are ties.
void verify_torchscript(const std::string& bundle, const std::string& bytes, const std::string& file, int beam_size);

}  // namespace ventris::torchscript
