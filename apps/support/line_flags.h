#pragma once
#include <CLI/CLI.hpp>
#include <string>

#include "encoding/line_files.h"
#include "support/choices.h"

namespace ventris::apps {

/// The flags of a program that works on lines with an encoder. `input` is the help of --input.
inline void add_line_flags(CLI::App& app, encoding::LineOptions& options, const std::string& input) {
  app.add_option("-i,--input", options.input, input + "; plain or .gz")->type_name("FILE");
  app.add_option("-o,--output", options.output, "Output file, plain or .gz")->type_name("FILE");
  app.add_flag("--strict", options.strict, "Refuse invalid UTF-8 instead of replacing it");
  app.add_option("--device", options.device, "Device: cpu, cuda or cuda:N")->check(offers({"cpu", "cuda"}));
  app.add_option("--threads", options.threads, "Number of threads");
  app.add_option("--mini-batch", options.batch.sentences, "Maximum lines per batch");
  app.add_option("--mini-batch-words", options.batch.tokens, "Maximum padded tokens per batch");
  app.add_option("--maxi-batch", options.window_lines, "Lines read ahead and sorted by length");
}

}  // namespace ventris::apps
