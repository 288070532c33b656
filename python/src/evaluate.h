#pragma once
#include <nanobind/nanobind.h>

namespace ventris::python {

/// Adds the functions `bleu`, `chrf` and `ter` to the module. Their results are tuples: the arguments of
/// ventris.evaluate.Score, then the counts of the corpus.
void bind_evaluate(nanobind::module_& module);

}  // namespace ventris::python
