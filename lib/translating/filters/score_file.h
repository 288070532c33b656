#pragma once
#include "filters/score_settings.h"
#include "filters/translate_file.h"
#include "model/package.h"

namespace ventris::filters {

/// Scores the pairs or the n-best list of the settings, writes settings.output, and logs irregular lines. Opens the
/// files before it calls `load`, which is slow. The output file appears only when it is complete, as gzip if its name
/// ends in ".gz"; standard output is flushed with each line. After a stop signal, keeps the finished scores
/// (finished_lines.h) and throws Interrupted, which says where they are; after an error, it keeps them, too, and the
/// error says where. Throws DataError, WriteError, and what `load` throws.
translation::ScoreCounts score_file(const ScoreSettings& settings, const model::Package& package,
                                    const LoadScorers& load);

/// A score as a line of text or JSON, with a line end.
std::string format_score(const translation::PairScore& score, const ScoreSettings& settings);

/// The summary of all pairs, as lines of text or one line of JSON: counts, log-probability in nats, and perplexity
/// (exp(-log_prob / count)) per token and per word. The end of a sentence counts as one token and as one word.
std::string format_summary(const translation::ScoreCounts& counts, ScoreFormat format);

}  // namespace ventris::filters
