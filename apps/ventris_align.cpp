#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "alignment/align_files.h"
#include "core/error.h"
#include "core/json_reader.h"
#include "support/choices.h"
#include "support/run.h"

namespace {

using namespace ventris;

constexpr int kMany = 1 << 26;  // uses of a flag; below 1 << 25, CLI11 gives the first one all values that follow

struct Flags {
  std::vector<std::string> train, train_tsv, input, words;
  std::string tsv;
  std::string symmetrize = "grow-diag-final-and";
  bool tokenized = false;
  int prefix = -1;
  int threads = 0;
  alignment::AlignJob job;
};

void set_input(const Flags& flags, alignment::AlignJob& job) {
  if (!flags.tsv.empty()) {
    if (!flags.input.empty()) fail<ConfigError>("--tsv: cannot be used with the files SRC and TGT; give one of both");
    job.input = data::in_one_file(flags.tsv);
  } else if (flags.input.size() == 2) {
    job.input = data::CorpusFiles{.source = flags.input[0], .target = flags.input[1]};
  } else if (flags.input.size() == 1) {
    fail<ConfigError>("TGT: missing; expected two files, a source and a target, got only ", flags.input[0]);
  }
}

void refuse_learning_flags(const CLI::App& app) {
  for (const char* name : {"--model1-iterations", "--hmm-iterations", "--max-pairs", "--seed"}) {
    if (app.count(name) == 0) continue;
    fail<ConfigError>(name,
                      ": has an effect only while a model is learnt, and --model gives one; leave out one of both");
  }
}

void align(const Flags& flags) {
  alignment::AlignJob job = flags.job;
  for (size_t i = 0; i + 1 < flags.train.size(); i += 2) {
    job.train.push_back({.source = flags.train[i], .target = flags.train[i + 1]});
  }
  for (const std::string& file : flags.train_tsv) job.train.push_back(data::in_one_file(file));
  set_input(flags, job);
  job.words = flags.words;
  if (flags.tokenized) job.division = metrics::Division::kTokenized;
  if (flags.prefix >= 0) job.prefix = flags.prefix;
  for (const auto& [name, value] : alignment::symmetrizations()) {
    if (name == flags.symmetrize) job.options.symmetrization = value;
  }
  job.options.estimation.threads =
      flags.threads > 0 ? flags.threads : static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  alignment::align_files(job);
}

void add_files(CLI::App& app, Flags& flags) {
  app.add_option("--train", flags.train, "Text to learn from: source and target file, plain or .gz (repeatable)")
      ->type_size(2)
      ->expected(1, kMany)
      ->allow_extra_args(false)
      ->type_name("SRC TGT");
  app.add_option("--train-tsv", flags.train_tsv,
                 "Text to learn from in one file, source TAB target or FILE.tmx:en:de (repeatable)")
      ->expected(1, kMany)
      ->allow_extra_args(false)
      ->type_name("FILE");
  app.add_option("-m,--model", flags.job.model, "Model of an earlier --save, instead of text to learn from")
      ->type_name("MODEL");
  app.add_option("files", flags.input, "SRC and TGT: the files to align; default: those of --train")
      ->expected(0, 2)
      ->type_name("FILE");
  app.add_option("--tsv", flags.tsv, "The file to align, source TAB target or FILE.tmx:en:de, instead of SRC and TGT")
      ->type_name("FILE");
  app.add_option("-o,--output", flags.job.output, "File for the links, plain or .gz; - = stdout")->type_name("FILE");
  app.add_option("--save", flags.job.save, "File for the model, plain or .gz")->type_name("MODEL");
  app.add_option("--probabilities", flags.job.probabilities, "File for the probability of each link")
      ->type_name("FILE");
  app.add_option("--words", flags.words, "Two files for the text, with a space between words, as links count them")
      ->expected(2)
      ->type_name("FILE");
}

std::function<void()> set_up(CLI::App& app) {
  const auto flags = std::make_shared<Flags>();
  auto& estimation = flags->job.options.estimation;
  add_files(app, *flags);
  app.add_option("--symmetrize", flags->symmetrize, "How the links of both directions are combined")
      ->check(apps::one_of(core::names_of(alignment::symmetrizations())));
  app.add_flag("--tokenized", flags->tokenized, "Words are what is between white space");
  app.add_flag("--strict", flags->job.strict, "Refuse invalid UTF-8 instead of replacing it");
  app.add_option("--model1-iterations", estimation.model1_iterations, "Iterations of IBM model 1")
      ->check(CLI::Range(1, 100));
  app.add_option("--hmm-iterations", estimation.hmm_iterations, "Iterations of the hidden Markov models")
      ->check(CLI::Range(1, 100));
  app.add_option("--prefix", flags->prefix,
                 "Rare words learn from words with the same first letters: how many; 0 = they do not")
      ->check(CLI::Range(0, 64))
      ->default_str(std::to_string(alignment::kPrefix));
  app.add_option("--max-pairs", estimation.max_pairs, "Learn from a random sample of about this many line pairs")
      ->check(CLI::Range(int64_t{1}, static_cast<int64_t>(data::kMostPairs)));
  app.add_option("--seed", estimation.seed, "Random seed of that sample");
  app.add_option("--threads", flags->threads, "Number of threads; 0 = one per processor; the links do not depend on it")
      ->check(CLI::Range(0, 128));
  return [&app, flags] {
    if (!flags->job.model.empty()) refuse_learning_flags(app);
    align(*flags);
  };
}

}  // namespace

int main(int argc, char** argv) {
  const apps::Program program{"ventris-align", "Finds which words of parallel text translate each other.",
                              "ventris-align --train train.en train.de -o links.txt --save en-de.align.gz\n"
                              "  ventris-align --model en-de.align.gz new.en new.de -o new-links.txt\n"
                              "  ventris-align --tokenized --train train.tok.en train.tok.de --symmetrize intersection",
                              nullptr, true};
  return apps::run(argc, argv, program, set_up);
}
