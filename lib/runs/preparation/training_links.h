#pragma once
#include <memory>

#include "data/corpus_reader.h"
#include "settings/run_config.h"

/// Where the links between the words of the training corpora come from (training.guided_alignment.links).
namespace ventris::preparation {

/// Reads the files of links, or learns the links of all corpora when the first corpus is begun (alignment/aligner.h).
/// All text is then in memory for a while. Null = the run needs no links. Its functions throw DataError for a line that
/// is no list of links, or if no line pair can have links, and Interrupted after a stop signal.
std::shared_ptr<data::LinkReader> link_reader_of(const settings::RunConfig& config);

/// Logs how many links the training pairs have, if the run needs any. Throws DataError if they have none.
void log_links(const settings::GuidedAlignmentConfig& guided, const data::StoreSummary& summary);

}  // namespace ventris::preparation
