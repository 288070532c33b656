#pragma once
#include <memory>
#include <string>
#include <vector>

#include "decoding/ensemble_factory.h"
#include "model/package.h"
#include "translation/open_scorers.h"

/// Several models that translate together.
namespace ventris::translation {

/// Reads the models with these paths, at least one; the same path may occur twice. The first decides on tokenizers and
/// default options. Throws as model::read_model; ModelError, with the paths, if a model cannot be part of an ensemble
/// with the first: it does not translate token by token, or its tokenizers, its languages or the end of its sources
/// differ.
std::vector<model::LoadedModel> read_models(const std::vector<std::string>& paths);

/// The first of these models, with only that guided attention and context which all of them have. `context`: how many
/// sentences before are asked for. Throws ConfigError if that is not 0 and the models have learnt different contexts.
model::Package common_package(const std::vector<model::LoadedModel>& models, int64_t context);

/// Makes the scorers of a model, or of an ensemble if there are several. Each model gets the backend that
/// open_scorers() chooses for it. `ensemble.never` is set by the function. Throws as open_scorers; for an ensemble, the
/// message begins with the path of the model.
std::shared_ptr<const decoding::ScorerFactory> open_models(std::vector<model::LoadedModel> models,
                                                           const ScorerSettings& settings,
                                                           decoding::EnsembleOptions ensemble = {});

}  // namespace ventris::translation
