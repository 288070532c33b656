#include "core/error.h"
#include "data/cache_file.h"
#include "data/corpus.h"
#include "fuzz/targets.h"
#include "support/random_pairs.h"

/// The cache of a corpus.
namespace ventris::fuzz {
namespace {

constexpr size_t kMostPairs = 300;

void read_cache(std::string_view input) {
  const std::string path = file_with(input, "corpus.cache");
  static_cast<void>(data::CacheFile::state_of(path));
  data::CacheFile cache(path);
  cache.expect({.source_ids = 200, .target_ids = 200, .max_length = 50});
  cache.verify();
  for (size_t number = 0; number < std::min(cache.size(), kMostPairs); ++number) {
    const auto pair = cache.pair(number);
    require(pair.source.size() <= 50 && pair.target.size() <= 50, "pairs keep to the limits");
    for (const int32_t id : pair.source) require(id >= 0 && id < 200, "ids are in the vocabulary");
    const auto number32 = static_cast<uint32_t>(number);
    data::PairLengths lengths;
    cache.lengths({&number32, 1}, {&lengths, 1});
    require(lengths.source == pair.source.size() && lengths.target == pair.target.size(),
            "lengths are those of the pair");
  }
}

std::string written_cache(const data::ParallelCorpus& corpus) {
  const std::string path = folder().path("written.cache");
  data::CacheWriter writer(path);
  for (const auto& part : corpus.summary().parts) writer.begin_part(part.tag_tokens);
  for (size_t i = 0; i < corpus.size(); ++i) writer.add(corpus.pair(i));
  writer.finish(R"({"what": "a test"})");
  return test::file_bytes(path);
}

std::vector<std::string> cache_seeds() {
  data::ParallelCorpus special;
  special.begin_part(1);
  special.add({{5, 6}, {7}, "some text", "another", 0.25F, {{0, 0}}});
  special.add({{5}, {7}, "x", "", 2});
  return {written_cache(test::random_pairs(3, 8, 1)), written_cache(test::random_pairs(1030, 2, 2)),
          written_cache(special)};
}

const Registration kCache("cache", read_cache, cache_seeds);

}  // namespace
}  // namespace ventris::fuzz
