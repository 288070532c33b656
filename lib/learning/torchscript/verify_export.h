#pragma once
#include <string>
#include <vector>

#include "files/folders.h"
#include "model/package.h"

namespace ventris::torchscript {

/// An export that `ventris-import` reads.
struct WrittenExport {
  std::vector<files::NamedBytes> files;
  std::string from;         ///< one of imports::import_formats()
  std::string model =
      {};   ///< the file that is imported, with the tokenizers and heads of the bundle; empty = the folder
  bool generates_specials = true;  ///< false: its output layer has no padding and no start, so the bundle gives them no
                                   ///< probability, either
};

/// Reads an export back as `ventris-import` does, from a temporary folder, and translates the lines of `file` with it
/// and with the bundle, both with this beam size. Throws ModelError if it cannot be read, or with the first line whose
/// tokens of the source differ, or whose scores differ by more than translation::kTie.
void verify_export(const model::Bundle& bundle, const WrittenExport& written, const std::string& file, int beam_size);

/// The same for the bytes of a packed model in f32.
void verify_packed(const model::Bundle& bundle, const std::string& packed, const std::string& file, int beam_size);

}  // namespace ventris::torchscript
