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

}  // namespace ventris::filters
