#pragma once
#include "core/fields.h"
#include "filters/model_choice.h"

namespace ventris::filters {

/// The list that with_model_list() makes; a single model is written as a text.
struct ModelList {
  std::vector<std::string>& paths;
};

}  // namespace ventris::filters

namespace ventris::core {

template <>
struct FieldType<filters::ModelList> {
  static constexpr const char* kDescription = "text, or list of texts";
  static void read(JsonReader& reader, const std::string& key, const filters::ModelList& list) {
    reader.optional(key, list.paths);
  }
  static nlohmann::json write(const filters::ModelList& list) {
    if (list.paths.size() > 1) return list.paths;
    return list.paths.empty() ? "" : list.paths.front();
  }
};

template <>
struct FieldType<std::vector<double>> {
  static constexpr const char* kDescription = "list of numbers";
  static void read(JsonReader& reader, const std::string& key, std::vector<double>& value) {
    reader.optional(key, value);
  }
  static nlohmann::json write(const std::vector<double>& value) { return value; }
};

}  // namespace ventris::core

namespace ventris::filters {

inline const core::Choices<decoding::Combination>& combinations() {
  static const core::Choices<decoding::Combination> kCombinations{{"probs", decoding::Combination::kProbs},
                                                                  {"log-probs", decoding::Combination::kLogProbs}};
  return kCombinations;
}

/// The settings of the models; check() knows the limits.
template <typename V>
void model_fields(V& visit, ModelChoice& choice) {
  ModelList list{choice.paths};
  visit({"model", core::kHelpOfItsFlag}, list);
  visit({"weights",
         "Weights of the models of an ensemble, one for each, over 0. Only their ratios matter. Empty: equal weights."},
        choice.weights);
  visit({"combine",
         "How the distributions of an ensemble become one: the weighted mean of the probabilities (`probs`), or of the "
         "log-probabilities, normalised (`log-probs`)."},
        choice.combine, combinations());
}

}  // namespace ventris::filters
