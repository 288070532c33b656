#pragma once
#include <string>

#include "filters/computing_fields.h"
#include "support/choices.h"
#include "support/settings.h"

namespace ventris::apps {

/// The help of the flags of batches, in the words of a program.
struct BatchHelp {
  std::string mini_batch;
  std::string mini_batch_words;
  std::string maxi_batch;
};

/// The flags of what computes a model.
inline void add_device_flags(Settings& settings, const char* group) {
  settings.flag<std::string>("--device", "/device", "Device: cpu, cuda or cuda:N", group)->check(offers(kDevices));
  settings
      .flag<std::string>("--backend", "/backend",
                         "What computes the model: auto, engine (a CPU, without LibTorch) or torch", group)
      ->check(offers(core::names_of(filters::backends())));
  settings
      .flag<std::string>("--precision", "/precision", "Matrix products of the engine: auto, fast, f32, bf16 or int8",
                         group)
      ->check(offers(core::names_of(filters::precisions())));
}

/// The same, with the flags of batches.
inline void add_computing_flags(Settings& settings, const char* group, const BatchHelp& help) {
  add_device_flags(settings, group);
  settings.flag<int64_t>("--threads", "/threads", "Number of threads", group);
  settings.flag<int64_t>("--mini-batch", "/mini_batch", help.mini_batch, group);
  settings.flag<int64_t>("--mini-batch-words", "/mini_batch_words", help.mini_batch_words, group);
  settings.flag<int64_t>("--maxi-batch", "/maxi_batch", help.maxi_batch, group);
}

}  // namespace ventris::apps
