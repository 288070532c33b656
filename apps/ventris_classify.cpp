#include <memory>

#include "encoding/classify_file.h"
#include "support/choices.h"
#include "support/line_flags.h"
#include "support/run.h"
#include "translation/scorer_loader.h"

namespace {

using ventris::encoding::ClassifyFormat;
using ventris::encoding::ClassifyOptions;

std::function<void()> set_up(CLI::App& app) {
  const auto options = std::make_shared<ClassifyOptions>();
  const auto format = std::make_shared<std::string>("text");
  app.add_option("-m,--model", options->model, "Bundle folder of a classifier")->required()->type_name("BUNDLE");
  ventris::apps::add_line_flags(app, options->lines, "File with one text per line");
  app.add_option("-n,--n-best", options->n_best,
                 "Write this number of the most probable labels with their probabilities; 0 = the best label alone, in "
                 "jsonl all labels");
  app.add_flag("--gold", options->gold,
               "The input has a label and a TAB before each text, as in training: log the accuracy");
  app.add_flag("--summary", options->summary,
               "With --gold: write only the accuracy, and precision, recall and F1 of each label");
  app.add_option("--format", *format, "Output format: text or jsonl")->check(ventris::apps::one_of({"text", "jsonl"}));
  return [options, format] {
    options->format = *format == "jsonl" ? ClassifyFormat::kJsonl : ClassifyFormat::kText;
    ventris::encoding::classify_file(*options);
  };
}

}  // namespace

int main(int argc, char** argv) {
  const ventris::apps::Program program{"ventris-classify", "Predicts the labels of texts, with a classifier.",
                                       "ventris-classify -m run/best -i texts.en -o labels\n"
                                       "  ventris-classify -m run/best -i test.tsv --gold --summary",
                                       ventris::translation::describe_backend, true};
  return ventris::apps::run(argc, argv, program, set_up);
}
