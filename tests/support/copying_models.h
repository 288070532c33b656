#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/process.h"
#include "serving/catalogue.h"
#include "serving/translation_service.h"
#include "support/copy_model.h"
#include "support/temp_folder.h"

namespace ventris::serving {

/// Models that copy their sources, so that what comes out can be told from what went in.
class CopyingModels : public testing::Test {
 protected:
  CopyingModels() { setenv("VENTRIS_BACKEND", COPYING_BACKEND, 1); }
  ~CopyingModels() override { unsetenv("VENTRIS_BACKEND"); }

  /// Settings with a model for each of these pairs.
  ServeSettings settings_of(const std::vector<std::string>& pairs, nlohmann::json more = nlohmann::json::object()) {
    more["model"] = nlohmann::json::array();
    for (const std::string& pair : pairs) more["model"].push_back(pair + "=" + bundle);
    return ServeSettings::parse(more);
  }

  test::TempFolder folder;
  std::string bundle = test::write_copying_bundle(folder.path("bundle"));
};

/// Work for these texts.
inline Work work_of(std::vector<Step> steps, const std::vector<std::string>& texts) {
  Work work{std::move(steps), texts};
  work.deadline = core::seconds_now() + 60;
  for (const std::string& text : texts) work.characters += static_cast<int64_t>(text.size());
  return work;
}

/// The result of work, when it is there.
inline WorkResult result_of(TranslationService& service, Work work) {
  std::promise<WorkResult> promise;
  service.start(std::move(work), [&](WorkResult result) { promise.set_value(std::move(result)); });
  return promise.get_future().get();
}

inline std::vector<std::string> texts_of(const WorkResult& result) {
  std::vector<std::string> texts;
  for (const auto& candidates : result.answers) texts.push_back(candidates.front().translation.text());
  return texts;
}

}  // namespace ventris::serving
