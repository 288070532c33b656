#pragma once
#include <memory>
#include <vector>

#include "data/corpus_reader.h"

/// Links between the words of corpora, for training.
namespace ventris::alignment {

/// Those in the files beside the corpora (data::CorpusSpec::links). A corpus without a file has none. Throws DataError
/// for a line that is no list of links.
std::shared_ptr<data::LinkReader> links_in_files(metrics::Division division);

/// Those that are learnt from all these corpora together, when the first is begun (alignment/aligner.h). All text is
/// then in memory for a while. They do not depend on `threads`. Throws DataError if no line pair can have links, and
/// Interrupted after a stop signal.
std::shared_ptr<data::LinkReader> learnt_links(std::vector<data::CorpusSpec> corpora, metrics::Division division,
                                               int threads);

}  // namespace ventris::alignment
