#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <memory>
#include <optional>

#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "core/process.h"
#include "core/progress.h"
#include "core/random.h"
#include "files/files.h"
#include "files/output_name.h"
#include "lexicon/lexicon_file.h"
#include "support/choices.h"
#include "support/run.h"
#include "text/line_reader.h"
#include "text/line_sequence.h"
#include "text/piece_parser.h"
#include "text/tokenizer.h"
#include "text/valid_utf8.h"

namespace {

using namespace ventris;

constexpr const char* kLearning = "Learning a tokenizer";
constexpr int kMany = 1 << 20;  // values of a flag

struct LearnFlags {
  std::vector<std::string> inputs;
  std::string output;
  bool strict = false;
  std::string kind = "unigram";
  text::TokenizerTraining training{.drop_invisible = true};
};

struct FilterFlags {
  std::string model;
  std::string input = "-";
  std::string output = "-";
  bool strict = false;
  bool ids = false;
  double sample = -1;  // negative = no sampling
  uint64_t seed = 1;
};

struct LexiconFlags {
  std::vector<std::string> train, train_tsv;
  lexicon::LexiconJob job;
};

std::string listed(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

void learn(const LearnFlags& flags) {
  if (flags.inputs.empty()) fail<ConfigError>("--input: missing; give the text files to learn from");
  if (flags.output.empty()) fail<ConfigError>("--output: missing; give the file to write, for example tokenizer.spm");
  files::check_is_no_input(flags.output, flags.inputs);
  files::OutputFile output(flags.output);  // a wrong path fails before the tokenizer is learnt
  const double start = core::seconds_now();
  text::LineSequence corpus(flags.inputs, {.strict = flags.strict}, text::warn_about);
  std::string bytes;
  try {
    core::Progress progress("reading", "lines");
    const text::LineSource lines = [&](std::string& line) {
      const bool more = corpus.next(line);
      more ? progress.add() : progress.phase("learning a tokenizer");
      return more;
    };
    bytes = text::learn_tokenizer(lines, flags.training);
  } catch (const ConfigError& error) {
    fail<ConfigError>(listed(flags.inputs), ": ", error.what());
  } catch (const DataError& error) {
    if (!corpus.finished()) throw;  // a reader's error names its file already
    fail<DataError>(listed(flags.inputs), ": ", error.what());
  }
  const text::Tokenizer tokenizer(bytes, flags.output);
  if (tokenizer.size() < flags.training.vocab_size) {
    core::log_warning(
        fmt::format("the text gives only {} pieces of the {} requested", tokenizer.size(), flags.training.vocab_size));
  }
  output.write(bytes);
  output.commit();
  core::log_info(fmt::format("{}: {} pieces learnt from {} {} in {:.1f} s", flags.output, tokenizer.size(),
                             corpus.lines(), core::plural(corpus.lines(), "line"), core::seconds_now() - start));
}

/// Whether neither the input nor the output is a terminal. There, a progress line would mix with the text.
bool is_batch_job(const FilterFlags& flags) {
  return (flags.input != "-" || isatty(STDIN_FILENO) == 0) && (flags.output != "-" || !core::stdout_is_terminal());
}

/// Calls each(line, reader) for every input line and writes the result as a line. If the input is slow, the output is
/// flushed after each line.
template <typename Each>
void filter_lines(const FilterFlags& flags, const Each& each) {
  files::check_is_no_input(flags.output, {flags.input, flags.model});
  text::LineReader reader(flags.input, {.strict = flags.strict});
  files::OutputFile output(flags.output, files::Packing::kBySuffix);
  text::announce_terminal(flags.input);
  std::optional<core::Progress> progress;
  if (is_batch_job(flags)) progress.emplace("reading " + reader.path(), "lines");
  for (std::string line; reader.next(line);) {
    output.write(each(line, reader) + '\n');
    if (progress) progress->add();
    if (!reader.ready()) output.flush();
  }
  progress.reset();
  text::warn_about(reader);
  output.commit();
}

text::Notation notation_of(const FilterFlags& flags) {
  return flags.ids ? text::Notation::kIds : text::Notation::kPieces;
}

void encode(const FilterFlags& flags) {
  if (std::isnan(flags.sample)) fail<ConfigError>("--sample: expected a number from 0 to 1000, got nan");
  const auto tokenizer = text::Tokenizer::from_file(flags.model);
  filter_lines(flags, [&](const std::string& line, const text::LineReader& reader) {
    const auto number = static_cast<uint64_t>(reader.counts().lines);
    const auto ids = flags.sample < 0 ? tokenizer.encode(line)
                                      : tokenizer.sample(line, flags.sample, core::derive_seed(flags.seed, number));
    return text::write_ids(tokenizer, ids, notation_of(flags));
  });
}

void decode(const FilterFlags& flags) {
  const auto tokenizer = text::Tokenizer::from_file(flags.model);
  const text::PieceParser parser(tokenizer, notation_of(flags));
  filter_lines(flags, [&](const std::string& line, const text::LineReader& reader) {
    std::string text = tokenizer.decode(parser.parse(line, fmt::format("{}:{}", reader.path(), reader.counts().lines)));
    text::remove_line_ends(text);
    return text;
  });
}

void list(const FilterFlags& flags) {
  files::check_is_no_input(flags.output, {flags.model});
  const auto tokenizer = text::Tokenizer::from_file(flags.model);
  files::OutputFile output(flags.output, files::Packing::kBySuffix);
  for (int32_t id = 0; id < tokenizer.size(); ++id) output.write(fmt::format("{}\t{}\n", id, tokenizer.piece(id)));
  output.commit();
}

void learn_lexicon(const LexiconFlags& flags) {
  core::install_stop_handlers();  // learning a tokenizer cannot stop gracefully
  lexicon::LexiconJob job = flags.job;
  for (size_t i = 0; i + 1 < flags.train.size(); i += 2) {
    job.options.corpora.push_back({flags.train[i], flags.train[i + 1]});
  }
  for (const std::string& file : flags.train_tsv) job.options.corpora.push_back(data::in_one_file(file));
  lexicon::make_lexicon(job);
}

void add_learn_flags(CLI::App& app, LearnFlags& flags) {
  auto& training = flags.training;
  const auto add = [&](auto* option) { return option->group(kLearning); };
  add(app.add_option("-i,--input", flags.inputs,
                     "Text files to learn from, one sentence per line (plain or .gz; - = stdin)"))
      ->type_name("FILE...");
  add(app.add_option("-o,--output", flags.output, "File for the tokenizer (a SentencePiece model)"))->type_name("FILE");
  add(app.add_option("--size", training.vocab_size, "Maximum number of pieces, including special tokens"));
  add(app.add_option("--kind", flags.kind,
                     "Algorithm: unigram, bpe, or pieces, which takes the most frequent words between spaces")
          ->check(apps::one_of({"unigram", "bpe", "pieces"})));
  add(app.add_flag("--exact-size", training.exact_size, "Fail if the text gives fewer pieces than --size"));
  add(app.add_option("--user-pieces", training.user_pieces, "Words that always become one piece, such as [MASK]")
          ->expected(1, kMany)
          ->allow_extra_args(false)  // otherwise CLI11 reads [MASK] as a list with the value MASK
          ->type_name("PIECE..."));
  const auto keep_invisible = [&training](int64_t /*count*/) { training.drop_invisible = false; };
  add(app.add_flag("--keep-invisible", std::function<void(int64_t)>(keep_invisible),
                   "Encode soft hyphens, signs of direction and the like, too"));
  add(app.add_flag("--byte-fallback", training.byte_fallback, "Encode unknown characters as bytes (256 more pieces)"));
  add(app.add_option("--character-coverage", training.character_coverage,
                     "Share of the text's characters that get a piece"));
  add(app.add_option("--max-sentences", training.max_sentences,
                     "Learn from a random sample of at most this many lines"));
  add(app.add_option("--seed", training.seed, "Random seed of that sample"));
  add(app.add_option("--threads", training.threads, "Number of threads; the last digits of unigram scores depend on it")
          ->check(CLI::Range(1, 128)));
  add(app.add_flag("--strict", flags.strict, "Refuse invalid UTF-8 instead of replacing it"));
}

/// A command whose help has an example of its own, instead of those of the program.
CLI::App* add_with_example(CLI::App& app, const std::string& name, const std::string& purpose,
                           const std::string& example) {
  CLI::App* command = app.add_subcommand(name, purpose);
  command->footer("Example:\n  ventris-vocab " + name + " " + example);
  return command;
}

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& purpose, const std::string& example,
                      FilterFlags& flags) {
  CLI::App* command = add_with_example(app, name, purpose, example);
  command->fallthrough();  // for the common flags
  command->add_option("-m,--model", flags.model, "Tokenizer (a .spm file)")->required()->type_name("FILE");
  command->add_option("-o,--output", flags.output, "Output file, plain or .gz; - = stdout")->type_name("FILE");
  if (name == "list") return command;
  command->add_option("-i,--input", flags.input, "Input file; - = stdin")->type_name("FILE");
  command->add_flag("--ids", flags.ids, "Use ids instead of pieces");
  command->add_flag("--strict", flags.strict, "Refuse invalid UTF-8 instead of replacing it");
  if (name == "encode") {
    command
        ->add_option("--sample", flags.sample,
                     "Draw random segmentations: smoothing (unigram) or merge dropout (bpe); default: off")
        ->check(CLI::Range(0.0, 1000.0))
        ->default_str("");
    command->add_option("--seed", flags.seed, "Random seed of the segmentations");
  }
  return command;
}

CLI::App* add_lexicon_command(CLI::App& app, LexiconFlags& flags) {
  CLI::App* command = add_with_example(app, "lexicon", "Learns from a parallel corpus which pieces translate which",
                                       "-m run/best --train train.en train.de -o lexicon.bin");
  command->fallthrough();  // for the common flags
  auto& options = flags.job.options;
  command->add_option("-m,--model", flags.job.model, "Bundle folder, or a tokenizer (a .spm file) for both sides")
      ->required()
      ->type_name("MODEL");
  command->add_option("--target-model", flags.job.target_model, "Tokenizer of the target, if it has its own")
      ->type_name("FILE");
  auto* files = command->add_option("--train", flags.train, "Corpus: source and target file (repeatable)");
  files->type_size(2)->expected(1, kMany)->allow_extra_args(false)->type_name("SRC TGT");
  command
      ->add_option("--train-tsv", flags.train_tsv,
                   "Corpus in one file, source TAB target or FILE.tmx:en:de (repeatable)")
      ->expected(1, kMany)
      ->allow_extra_args(false)
      ->type_name("FILE");
  command->add_option("-o,--output", flags.job.output, "File for the lexicon")->required()->type_name("FILE");
  command->add_option("--best", options.best, "How many target pieces to keep for each source piece, at most 1000");
  command->add_option("--iterations", options.iterations, "Iterations of the estimation (IBM model 1)");
  command->add_option("--max-pairs", options.max_pairs, "Learn from a random sample of this many pairs");
  command->add_option("--seed", options.seed, "Random seed of that sample");
  command->add_option("--threads", options.threads, "Number of threads; the result does not depend on it")
      ->check(CLI::Range(1, 128));
  return command;
}

void refuse_learning_flags(const CLI::App& app, const std::string& command) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() == kLearning && option->count() > 0) {
      fail<ConfigError>(option->get_name(), ": cannot be used with ", command, "; it is for learning a tokenizer");
    }
  }
}

std::function<void()> set_up(CLI::App& app) {
  const auto learning = std::make_shared<LearnFlags>();
  const auto filter = std::make_shared<FilterFlags>();
  const auto lexicon = std::make_shared<LexiconFlags>();
  add_learn_flags(app, *learning);
  app.require_subcommand(0, 1);
  const std::vector<std::pair<CLI::App*, void (*)(const FilterFlags&)>> commands{
      {add_command(app, "encode", "Turns text into pieces, line by line", "-m tokenizer.spm < test.en", *filter),
       encode},
      {add_command(app, "decode", "Turns pieces into text, line by line", "-m tokenizer.spm < test.pieces", *filter),
       decode},
      {add_command(app, "list", "Lists all ids and their pieces", "-m tokenizer.spm", *filter), list}};
  const CLI::App* lexicon_command = add_lexicon_command(app, *lexicon);
  return [&app, learning, filter, commands, lexicon, lexicon_command] {
    if (lexicon_command->parsed()) {
      refuse_learning_flags(app, "lexicon");
      return learn_lexicon(*lexicon);
    }
    for (const auto& [command, work] : commands) {
      if (!command->parsed()) continue;
      refuse_learning_flags(app, command->get_name());
      return work(*filter);
    }
    learning->training.kind = learning->kind == "bpe"      ? text::TokenizerKind::kBpe
                              : learning->kind == "pieces" ? text::TokenizerKind::kPieces
                                                           : text::TokenizerKind::kUnigram;
    learn(*learning);
  };
}

}  // namespace

int main(int argc, char** argv) {
  const apps::Program program{
      "ventris-vocab", "Learns a tokenizer from text; encodes and decodes text, and lists pieces; learns a lexicon.",
      "ventris-vocab -i train.en train.de -o tokenizer.spm --size 8000\n"
      "  ventris-vocab encode -m tokenizer.spm < test.en",
      nullptr};
  return apps::run(argc, argv, program, set_up);
}
