#include <memory>

#include "core/error.h"
#include "encoding/embed_file.h"
#include "support/choices.h"
#include "support/line_flags.h"
#include "support/run.h"
#include "translation/scorer_loader.h"

namespace {

using ventris::encoding::EmbedFormat;
using ventris::encoding::EmbedOptions;
using ventris::encoding::Pooling;

struct Flags {
  EmbedOptions options;
  std::string format = "auto", pooling = "mean";
};

void embed(Flags& flags) {
  EmbedOptions& options = flags.options;
  options.format = flags.format == "npy"     ? EmbedFormat::kNpy
                   : flags.format == "jsonl" ? EmbedFormat::kJsonl
                                             : EmbedFormat::kAuto;
  options.vectors.pooling = flags.pooling == "cls"      ? Pooling::kCls
                            : flags.pooling == "pooler" ? Pooling::kPooler
                                                        : Pooling::kMean;
  ventris::encoding::embed_file(options);
}

std::function<void()> set_up(CLI::App& app) {
  const auto flags = std::make_shared<Flags>();
  EmbedOptions& options = flags->options;
  app.add_option("-m,--model", options.model, "Bundle folder of a BERT, a classifier, or a model that translates")
      ->required()
      ->type_name("BUNDLE");
  ventris::apps::add_line_flags(app, options.lines, "File with one text per line");
  app.add_flag("--words", options.vectors.words, "A vector for each word instead of one for each line");
  app.add_option("--pooling", flags->pooling,
                 "Vector of a line: mean of its pieces; for a BERT also cls (the state of [CLS]) or pooler")
      ->check(ventris::apps::one_of({"mean", "cls", "pooler"}));
  app.add_option("--layer", options.vectors.layer,
                 "Layer of the encoder, counted from 1; 0 = the embeddings of a BERT; default: the encoder's output");
  app.add_option("--format", flags->format, "Output format: jsonl or npy; auto = npy if the output ends in .npy")
      ->check(ventris::apps::one_of({"auto", "jsonl", "npy"}));
  return [flags] { embed(*flags); };
}

}  // namespace

int main(int argc, char** argv) {
  const ventris::apps::Program program{"ventris-embed",
                                       "Writes vectors of sentences or words, from the encoder of a model.",
                                       "ventris-embed -m bert/best -i text.en -o vectors.npy\n"
                                       "  ventris-embed -m run/best -i text.en --words > words.jsonl",
                                       ventris::translation::describe_backend, true};
  return ventris::apps::run(argc, argv, program, set_up);
}
