#include "preparation/training_links.h"

#include <fmt/format.h>

#include "alignment/corpus_links.h"
#include "core/error.h"
#include "core/human.h"
#include "core/log.h"

namespace ventris::preparation {

std::shared_ptr<data::LinkReader> link_reader_of(const settings::RunConfig& config) {
  const settings::GuidedAlignmentConfig& guided = config.training.guided_alignment;
  if (!guided.on()) return nullptr;
  if (guided.links != settings::kLearntLinks) return alignment::links_in_files(guided.division());
  return alignment::learnt_links(config.data.training(), guided.division(), static_cast<int>(config.training.threads));
}

void log_links(const settings::GuidedAlignmentConfig& guided, const data::StoreSummary& summary) {
  if (!guided.on()) return;
  if (summary.links == 0) {
    fail<DataError>("training.guided_alignment.links: the training pairs have no links; expected lines like 0-0 1-2");
  }
  core::log_info(fmt::format("guided alignment: {:.1f} links for each of {}",
                             static_cast<double>(summary.links) / static_cast<double>(summary.pairs()),
                             core::count_of(static_cast<int64_t>(summary.pairs()), "training pair")));
}

}  // namespace ventris::preparation
