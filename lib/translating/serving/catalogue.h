#pragma once
#include <memory>
#include <string>
#include <vector>

#include "serving/language_pairs.h"
#include "serving/serve_settings.h"
#include "serving/served_model.h"

namespace ventris::serving {

/// A model on the way from one language to another.
struct Step {
  std::shared_ptr<ServedModel> model;
  std::string source_code, target_code;
  std::string source, target;  ///< what the model calls them; empty if it is not told
};

/// The models of a server and their languages. It does not change: a reload makes a new one.
class Catalogue {
 public:
  /// Opens every model once, however many pairs it has. Throws ConfigError for settings that do not go together, and
  /// what opening a model throws.
  explicit Catalogue(const ServeSettings& settings);

  const LanguagePairs& pairs() const { return pairs_; }
  /// One step, two with a pivot, or none.
  std::vector<Step> route(const std::string& source, const std::string& target) const;
  size_t models() const { return models_; }

 private:
  LanguagePairs pairs_;
  std::vector<Step> steps_;  // of each pair
  size_t models_ = 0;
};

}  // namespace ventris::serving
