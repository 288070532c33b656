#pragma once
#include <CLI/CLI.hpp>
#include <string>

#include "encoding/line_files.h"
#include "filters/computing_fields.h"
#include "support/choices.h"

namespace ventris::apps {

/// A flag that takes one of the names of `choices`.
template <typename E>
void add_choice(CLI::App& app, const char* flag, E& value, const core::Choices<E>& choices, const char* help) {
  const auto take = [&value, &choices](const std::string& name) {
    for (const auto& [known, meaning] : choices) {
      if (name == known) value = meaning;
    }
  };
  app.add_option_function<std::string>(flag, take, help)->check(one_of(core::names_of(choices)));
}

/// The flags of a program that works on lines with an encoder. `input` is the help of --input.
inline void add_line_flags(CLI::App& app, encoding::LineOptions& options, const std::string& input) {
  app.add_option("-i,--input", options.input, input + "; plain or .gz")->type_name("FILE");
  app.add_option("-o,--output", options.output, "Output file, plain or .gz")->type_name("FILE");
  app.add_flag("--strict", options.strict, "Refuse invalid UTF-8 instead of replacing it");
  app.add_option("--device", options.computing.device, "Device: cpu, cuda or cuda:N")->check(offers(kDevices));
  add_choice(app, "--backend", options.computing.backend, filters::backends(),
             "What computes the model: auto, engine (a CPU, without LibTorch) or torch; default: auto");
  add_choice(app, "--precision", options.computing.precision, filters::precisions(),
             "Matrix products of the engine: auto, fast, f32, bf16 or int8; default: auto");
  app.add_option("--threads", options.threads, "Number of threads");
  app.add_option("--mini-batch", options.batch.sentences, "Maximum lines per batch");
  app.add_option("--mini-batch-words", options.batch.tokens, "Maximum padded tokens per batch");
  app.add_option("--maxi-batch", options.window_lines, "Lines read ahead and sorted by length");
}

}  // namespace ventris::apps
