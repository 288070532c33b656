#pragma once
#include <string>
#include <vector>

#include "model/package.h"

namespace ventris::imports {

/// A bundle that was not written yet.
struct Imported {
  model::Package package;
  std::string weights;              ///< model.safetensors
  std::string what;                 ///< what was read, for the log: "a MarianMT of Hugging Face's transformers"
  std::vector<std::string> notes = {};  ///< what was assumed or changed, one sentence each
};

}  // namespace ventris::imports
