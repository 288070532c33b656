#pragma once
#include <nanobind/nanobind.h>

namespace ventris::python {

/// Adds the class Tokenizer to the module.
void bind_tokenizer(nanobind::module_& module);

/// Adds the functions that read a safetensors file and the settings of a bundle.
void bind_files(nanobind::module_& module);

}  // namespace ventris::python
