#pragma once
#include "core/fields.h"
#include "translation/open_scorers.h"

namespace ventris::filters {

/// The names of backends and precisions in settings.
inline const core::Choices<translation::Backend>& backends() {
  static const core::Choices<translation::Backend> kBackends{{"auto", translation::Backend::kAuto},
                                                             {"engine", translation::Backend::kEngine},
                                                             {"torch", translation::Backend::kTorch}};
  return kBackends;
}

inline const core::Choices<translation::Precision>& precisions() {
  static const core::Choices<translation::Precision> kPrecisions{{"auto", translation::Precision::kAuto},
                                                                 {"fast", translation::Precision::kFast},
                                                                 {"f32", translation::Precision::kF32},
                                                                 {"bf16", translation::Precision::kBf16},
                                                                 {"int8", translation::Precision::kInt8}};
  return kPrecisions;
}

/// What computes the model: the settings `device`, `backend` and `precision` of a program.
template <typename V, typename Settings>
void computing_fields(V& visit, Settings& settings) {
  visit({"device", "`cpu`, `cuda`, or `cuda:N` for the GPU with number N."}, settings.device);
  visit({"backend",
         "What computes the model: `engine` (a CPU, without LibTorch), `torch` (LibTorch), or `auto`: the engine if it "
         "can run the model."},
        settings.backend, backends());
  visit({"precision",
         "Arithmetic of matrix products in the engine: `f32`, `bf16` or `int8`. `auto`: f32. "
         "`fast`: what the processor computes fastest. With a packed model, both mean its own precision."},
        settings.precision, precisions());
}

}  // namespace ventris::filters
