#include <memory>

#include "encoding/fill_file.h"
#include "support/choices.h"
#include "support/line_flags.h"
#include "support/run.h"
#include "translation/scorer_loader.h"

namespace {

using ventris::encoding::FillFormat;
using ventris::encoding::FillOptions;

std::function<void()> set_up(CLI::App& app) {
  const auto options = std::make_shared<FillOptions>();
  const auto format = std::make_shared<std::string>("text");
  app.add_option("-m,--model", options->model, "Bundle folder of a BERT")->required()->type_name("BUNDLE");
  ventris::apps::add_line_flags(app, options->lines, "File with one text per line, in which [MASK] is a hidden piece");
  app.add_option("-n,--n-best", options->n_best, "Words for each [MASK]");
  app.add_option("--format", *format, "Output format: text or jsonl")->check(ventris::apps::one_of({"text", "jsonl"}));
  return [options, format] {
    options->format = *format == "jsonl" ? FillFormat::kJsonl : FillFormat::kText;
    ventris::encoding::fill_file(*options);
  };
}

}  // namespace

int main(int argc, char** argv) {
  const ventris::apps::Program program{"ventris-fill", "Predicts the words that stand for [MASK], with a BERT.",
                                       "echo 'two dogs [MASK] in the snow' | ventris-fill -m bert/best -n 3",
                                       ventris::translation::describe_backend, true};
  return ventris::apps::run(argc, argv, program, set_up);
}
