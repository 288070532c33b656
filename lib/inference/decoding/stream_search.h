#pragma once
#include "decoding/memory_needs.h"
#include "decoding/sentence_stream.h"
#include "decoding/step_scorer.h"

namespace ventris::decoding {

/// Searches the sentences of a stream as search() does, until the stream has none. At most `limits` are in the scorer
/// at the same time. If ScorerInfo::refills, the place of a finished sentence is given to the next one before the next
/// step; otherwise, when all are finished. Samples of one sentence may be drawn in several parts.
void search_stream(StepScorer& scorer, SentenceStream& stream, const SearchOptions& options,
                   const DecodeLimits& limits);

/// The load of a sentence, or of one of its parts if its samples are drawn in several.
Load load_of(const Sentence& sentence, const SearchOptions& options, int64_t model_max);

}  // namespace ventris::decoding
