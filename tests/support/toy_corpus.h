#pragma once
#include <string>
#include <vector>

#include "core/random.h"
#include "support/temp_folder.h"

namespace ventris::test {

/// A parallel corpus whose target is the source with its words in reverse order.
struct ToyCorpus {
  std::string source, target;  ///< paths
};

inline ToyCorpus write_toy_corpus(const TempFolder& folder, const std::string& name, size_t pairs, uint64_t seed) {
  static const std::vector<std::string> kWords{"red",   "blue", "green", "small", "large",
                                               "house", "tree", "river", "runs",  "sings"};
  const core::RandomStream random(seed, 0);
  uint64_t draw = 0;
  std::string source, target;
  for (size_t i = 0; i < pairs; ++i) {
    const uint64_t length = 1 + random.below(draw++, 6);
    std::string forward, backward;
    for (uint64_t j = 0; j < length; ++j) {
      const std::string& word = kWords[random.below(draw++, kWords.size())];
      forward += (forward.empty() ? "" : " ") + word;
      backward = word + (backward.empty() ? "" : " ") + backward;
    }
    source += forward + "\n";
    target += backward + "\n";
  }
  return {folder.file(name + ".src", source), folder.file(name + ".tgt", target)};
}

/// Settings of a model that trains in seconds.
inline const char* kToySettings = R"({
  "model": {"d_model": 32, "d_ff": 64, "heads": 4, "encoder_layers": 1, "decoder_layers": 1, "dropout": 0.1,
            "max_positions": 64},
  "data": {"max_length": 60},
  "tokenizer": {"vocab_size": 40},
  "training": {"batch_tokens": 256, "save_every": "5u", "report_every": "5u",
               "schedule": {"learning_rate": 0.005, "warmup_updates": 20}},
  "validation": {"every": "20u", "beam_size": 2},
  "decoding": {"beam_size": 2}
})";

}  // namespace ventris::test
