#include "translation/workspace_needs.h"

#include <algorithm>

#include "core/error.h"
#include "translation/window_batches.h"

namespace ventris::translation {
namespace {

constexpr int64_t kShort = 16;        // tokens of a sentence that must fit
constexpr int64_t kBytesOfText = 64;  // of a character that is a token: its id, its piece and its log-probability

[[noreturn]] void fail_too_small(int64_t mebibytes, int64_t needed_bytes) {
  fail<ConfigError>("workspace: ", mebibytes,
                    " MiB are not enough for one sentence with these settings; give at least ",
                    (needed_bytes + kMebibyte - 1) / kMebibyte);
}

int64_t longest(const decoding::SearchOptions& search, const WorkspaceNeeds& needs, int64_t mebibytes) {
  const int64_t limit = decoding::longest_sentence(search, needs.model_max), bytes = needs.bytes(mebibytes);
  const int64_t searched =
      decoding::longest_within(bytes, needs.search, decoding::most_rows(search), search.n_best, limit);
  return needs.asks_pairs ? decoding::longest_within(bytes, needs.pairs, 1, 1, searched) : searched;
}

int64_t needed(const decoding::SearchOptions& search, const WorkspaceNeeds& needs, int64_t length) {
  const auto load = decoding::Load::of(decoding::most_rows(search), length, length, search.n_best);
  const int64_t bytes = decoding::bytes_for(needs.search, load);
  if (!needs.asks_pairs) return bytes;
  return 2 * std::max(bytes, decoding::bytes_for(needs.pairs, decoding::Load::of(1, length, length, 1)));
}

}  // namespace

void check_workspace(int64_t mebibytes) {
  if (mebibytes < 1 || mebibytes > kMostWorkspace) {
    fail<ConfigError>("workspace: must be from 1 to ", kMostWorkspace, " MiB, got ", mebibytes);
  }
}

int64_t window_text(int64_t mebibytes) { return std::min(kMostWindowBytes, mebibytes * kMebibyte / kBytesOfText); }

decoding::SearchOptions within_workspace(decoding::SearchOptions search, const WorkspaceNeeds& needs,
                                         int64_t mebibytes) {
  const int64_t wanted = decoding::longest_sentence(search, needs.model_max);
  while (search.sampling.enabled && search.draws_at_once > 1 && longest(search, needs, mebibytes) < wanted) {
    search.draws_at_once /= 2;
  }
  const int64_t found = longest(search, needs, mebibytes), least = std::min(kShort, wanted);
  if (found < least) fail_too_small(mebibytes, needed(search, needs, least));
  if (found < decoding::longest_sentence(search, needs.model_max)) search.longest = found;
  return search;
}

int64_t longest_pair(const decoding::MemoryNeeds& needs, int64_t model_max, int64_t mebibytes) {
  const int64_t found = decoding::longest_within(mebibytes * kMebibyte, needs, 1, 1, model_max);
  const int64_t least = std::min(kShort, model_max);
  if (found < least) {
    fail_too_small(mebibytes, decoding::bytes_for(needs, decoding::Load::of(1, least, least, 1)));
  }
  return found;
}

}  // namespace ventris::translation
