#include "preparation/run_labels.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/human.h"
#include "core/log.h"
#include "data/labels.h"
#include "text/label_numbers.h"

namespace ventris::preparation {

void complete_labels(settings::RunConfig& config, const OpenedRun& run) {
  if (config.model->corpus_kind() != architecture::CorpusKind::kLabels || !config.model->labels().empty()) return;
  const auto labels =
      run.checkpoint
          ? nlohmann::json::parse(run.checkpoint->config).at("model").at("labels").get<std::vector<std::string>>()
          : data::collect_labels(config.data.training());
  core::log_info(
      fmt::format("{}: {}", core::count_of(static_cast<int64_t>(labels.size()), "label"), text::list_labels(labels)));
  config.model = config.model->with_labels(labels);
}

}  // namespace ventris::preparation
