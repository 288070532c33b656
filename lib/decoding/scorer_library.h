#pragma once
#include <memory>
#include <string>

#include "decoding/step_scorer.h"

/// How a program that is not linked to LibTorch gets a scorer that is: it loads the backend, a shared library, on
/// demand and calls its entries. Both sides come from the same build.
namespace ventris::decoding {

/// A model as the program has opened and checked it (model::load_model), so that nothing of it is read a second time:
/// somebody may have replaced it by then.
struct OpenedModel {
  std::string name;                                  ///< in messages
  std::string config = {};                           ///< its config.json
  std::shared_ptr<const std::string> weights = {};   ///< model.safetensors of a bundle; null = a TorchScript file
  std::shared_ptr<const std::string> script = {};  ///< a path to the TorchScript file, good while this lives
};

/// What the backend is to open.
struct ScorerLibraryOptions {
  OpenedModel model;
  std::string device = "cpu";  ///< "cpu", "cuda" or "cuda:N"
  bool allow_unk = false;  ///< whether unk may be generated
};

/// Name and type of the entry. Returns a factory the caller owns; throws ModelError or ConfigError.
inline constexpr const char* kOpenScorers = "ventris_open_scorers";
using OpenScorers = ScorerFactory* (*)(const ScorerLibraryOptions& options);

/// Name and type of the entry that gives the library's scorer_interface(), which must be the caller's own.
inline constexpr const char* kScorerInterface = "ventris_scorer_interface";
using ScorerInterface = const char* (*)();

/// A digest of the headers by which programs and the library know scorers. With different ones the two sides would read
/// each other's data wrongly.
const char* scorer_interface();

/// Name and type of the entry that says which LibTorch and BLAS the backend runs on; the text lives as long as the
/// library.
inline constexpr const char* kDescribeScorers = "ventris_describe_scorers";
using DescribeScorers = const char* (*)();

}  // namespace ventris::decoding
