#pragma once
#include "model/package.h"
#include "filters/score_settings.h"
#include "filters/translate_file.h"

namespace ventris::filters {

/// Scores the pairs or the n-best list that the settings name, writes settings.output and tells the log what was out of
/// the ordinary. The files are opened before `load`, which takes its time, is called. The output file appears only when
/// it is complete, packed if its name ends in ".gz"; standard output is flushed with each line. After a stop signal the
/// scores that are there are kept (finished_lines.h), and Interrupted says where. Throws DataError, WriteError, and
/// what `load` throws.
translation::ScoreCounts score_file(const ScoreSettings& settings, const model::Package& package,
                                    const LoadScorers& load);

/// A score as a line of text or JSON, with its line end.
std::string format_score(const translation::PairScore& score, const ScoreSettings& settings);

/// What all pairs amount to, as lines of text or one of JSON: counts, log-probability in nats, and perplexity
/// (exp(-log_prob / count)) per token and per word. A sentence's end counts as one in both.
std::string format_summary(const translation::ScoreCounts& counts, ScoreFormat format);

}  // namespace ventris::filters
