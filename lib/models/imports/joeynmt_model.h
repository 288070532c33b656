#pragma once
#include <string>

#include "imports/imported.h"
#include "imports/token_lists.h"

namespace ventris::imports {

/// Whether a path is a folder of JoeyNMT with config.yaml and a checkpoint, or a checkpoint of JoeyNMT.
bool is_joeynmt(const std::string& path);

/// A Transformer of JoeyNMT: a folder with config.yaml, src_vocab.txt, trg_vocab.txt and best.ckpt (or latest.ckpt, or
/// the only other .ckpt), or a checkpoint in such a folder. Throws ModelError with the setting or the tensor for what a
/// model of ours cannot be, and ConfigError if files are missing.
Imported from_joeynmt(const std::string& path, const ToolkitFiles& files);

}  // namespace ventris::imports
