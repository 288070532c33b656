#pragma once
#include <cstdint>
#include <vector>

#include "architecture/transformer_options.h"

namespace ventris::architecture {

/// Which bucket the distance of a query and a key belongs to (Positions::kRelativeBias). The first half of the buckets
/// of a direction have one distance each; the others have more and more of them, up to `most_distance`, and the last
/// one has all that are larger. Source: Raffel et al. 2020 (T5), section 2.1; the numbers are those of Hugging Face's
/// transformers.
struct RelativeBuckets {
  int64_t count;          ///< of both directions together
  int64_t most_distance;  ///< from here on, all distances are in the same bucket
  bool both_directions;   ///< keys after the query have the second half; otherwise there are none after it

  static constexpr int64_t kLeast = 4;  ///< buckets, so that each direction has two

  static RelativeBuckets of_encoder(const TransformerOptions& options) { return of(options, true); }
  static RelativeBuckets of_decoder(const TransformerOptions& options) { return of(options, false); }

  int64_t of_direction() const { return both_directions ? count / 2 : count; }
  /// For each bucket of a direction but the first, the smallest distance that belongs to it or to a later one. So the
  /// bucket of a distance is how many of these are not larger.
  std::vector<int64_t> starts() const;
  /// The buckets of the distances key - query from -most_distance to most_distance, [2 * most_distance + 1]. A key
  /// after the query is in the first one if there are no buckets for it.
  std::vector<int64_t> of_distances() const;

 private:
  static RelativeBuckets of(const TransformerOptions& options, bool both_directions) {
    return {options.bucket_count(), options.bucket_distance(), both_directions};
  }
};

}  // namespace ventris::architecture
