#pragma once
#include <string>

#include "text/tokenizer.h"

/// The methods of an exported model that search for translations. They need its methods `encode`, `decode` and
/// `generator`.
namespace ventris::scripting::script_source {

/// greedy(src, max_len): the most probable token at each step, up to `max_len` tokens per sentence.
std::string greedy(const core::SpecialIds& ids);

/// beam(src, beam_size, max_length, alpha) -> (ids, lengths, scores): the search of decoding::search() with n_best 1,
/// in which every sentence has at most `max_length` tokens, eos included. Needs `start` and `decode_step`, too.
std::string beam(const core::SpecialIds& ids);

/// start(memory, src_mask) -> state and decode_step(tgt, state) -> (log-probabilities, state) of a model that keeps
/// nothing between steps: decode_step computes the whole beginning of the target again.
std::string steps_without_cache();

}  // namespace ventris::scripting::script_source
