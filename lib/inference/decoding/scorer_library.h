#pragma once
#include <memory>
#include <string>

#include "core/shared_bytes.h"
#include "decoding/step_scorer.h"
#include "decoding/text_encoder.h"

/// How a program that is not linked to LibTorch gets a scorer: it loads the backend, a shared library, on demand and
/// calls its entries. Both must come from the same build.
namespace ventris::decoding {

/// A model that the program has opened and checked (model::read_model). It is not read a second time, because it may
/// have been replaced by then.
struct OpenedModel {
  std::string name;                 ///< name in messages
  std::string config = {};          ///< config.json
  core::SharedBytes weights = {};   ///< model.safetensors of a bundle; none = a TorchScript file
  std::shared_ptr<const std::string> script = {};  ///< a path to the TorchScript file, valid while this lives
};

/// The model to open, and how.
struct ScorerLibraryOptions {
  OpenedModel model;
  std::string device = "cpu";  ///< "cpu", "cuda" or "cuda:N"
  bool allow_unk = false;  ///< whether unk may be generated
  int (*stop_signal)() = nullptr;  ///< core::stop_signal of the program, for the library's own copy of core
};

/// Name and type of the entry that opens a model. It returns a factory, which the caller owns, and throws ModelError or
/// ConfigError.
inline constexpr const char* kOpenScorers = "ventris_open_scorers";
using OpenScorers = ScorerFactory* (*)(const ScorerLibraryOptions& options);

/// The same for the encoder of a bundle.
inline constexpr const char* kOpenEncoder = "ventris_open_encoder";
using OpenEncoder = TextEncoderFactory* (*)(const ScorerLibraryOptions& options);

/// Name and type of the entry that returns the library's scorer_interface(). It must equal that of the program.
inline constexpr const char* kScorerInterface = "ventris_scorer_interface";
using ScorerInterface = const char* (*)();

/// A digest of the headers that define scorers. If it differs, the program and the library cannot exchange data.
const char* scorer_interface();

/// Name and type of the entry that returns the versions of LibTorch and BLAS. The text lives as long as the
/// library.
inline constexpr const char* kDescribeScorers = "ventris_describe_scorers";
using DescribeScorers = const char* (*)();

}  // namespace ventris::decoding
