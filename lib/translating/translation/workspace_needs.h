#pragma once
#include <cstdint>

#include "decoding/memory_needs.h"
#include "decoding/search.h"

/// How the memory of a thread limits what it works on.
namespace ventris::translation {

inline constexpr int64_t kWorkspace = 1024;            ///< the default of `workspace`, in MiB
inline constexpr int64_t kMostWorkspace = 1 << 20;     ///< its maximum: 1 TiB
inline constexpr int64_t kMebibyte = 1 << 20;

/// Throws ConfigError unless the setting `workspace` is from 1 to kMostWorkspace.
void check_workspace(int64_t mebibytes);

/// The maximum bytes of text that are read ahead, such that their tokens and the results of ventris-score stay within
/// the workspace; at most kMostWindowBytes.
int64_t window_text(int64_t mebibytes);

/// What a model needs, and for what.
struct WorkspaceNeeds {
  decoding::MemoryNeeds search;  ///< of the decoder
  decoding::MemoryNeeds pairs;   ///< of the scorer of pairs, if `asks_pairs`
  bool asks_pairs = false;       ///< search and pairs then get a half of the workspace each
  int64_t model_max = 0;         ///< longest sequence of the model

  int64_t bytes(int64_t mebibytes) const { return mebibytes * kMebibyte / (asks_pairs ? 2 : 1); }
};

/// The same search with SearchOptions::longest and draws_at_once such that every sentence fits into the workspace.
/// Fewer samples at a time come before shorter sentences. `longest` stays 0 if it is no limit. Throws ConfigError if
/// not even a short sentence fits.
decoding::SearchOptions within_workspace(decoding::SearchOptions search, const WorkspaceNeeds& needs,
                                         int64_t mebibytes);

/// The same for pairs: the longest side of a pair, at most `model_max`.
int64_t longest_pair(const decoding::MemoryNeeds& needs, int64_t model_max, int64_t mebibytes);

}  // namespace ventris::translation
