#include <fcntl.h>
#include <sentencepiece_trainer.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "core/error.h"
#include "core/process.h"
#include "core/random.h"
#include "text/model_check.h"
#include "text/model_proto.h"
#include "text/normalisation_rules.h"
#include "text/piece_counting.h"
#include "text/tokenizer.h"
#include "text/valid_utf8.h"

namespace ventris::text {
namespace {

constexpr size_t kLongestSentence = 16384;  // bytes; a longer line is divided into parts
constexpr uint64_t kSampleStream = 0x766f636162;
constexpr int32_t kBytePieces = 256;
constexpr std::string_view kTrainerMark = "\u2585";  // the trainer skips a whole sentence that contains it

/// Sentences for the trainer, in the given order.
class Sentences : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(const std::vector<std::string>& sentences) : sentences_(sentences) {}
  bool done() const override { return next_ >= sentences_.size(); }
  void Next() override { ++next_; }
  const std::string& value() const override { return sentences_[next_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  const std::vector<std::string>& sentences_;
  size_t next_ = 0;
};

/// Keeps a uniform sample of at most `limit` sentences (reservoir sampling). If there are no more than `limit`, they
/// stay in the order of the text.
class Reservoir {
 public:
  Reservoir(int64_t limit, uint64_t seed) : limit_(static_cast<uint64_t>(limit)), random_(seed, kSampleStream) {}

  void offer(std::string_view sentence) {
    const uint64_t index = seen_++;
    if (index < limit_) {
      kept_.emplace_back(sentence);
    } else if (const uint64_t place = random_.below(index, index + 1); place < limit_) {
      kept_[place] = sentence;
    }
  }
  const std::vector<std::string>& kept() const { return kept_; }

 private:
  uint64_t limit_;
  core::RandomStream random_;
  uint64_t seen_ = 0;
  std::vector<std::string> kept_;
};

std::string as_text(bool value) { return value ? "true" : "false"; }

std::string joined(const std::vector<std::string>& pieces) {
  std::string list;
  for (const std::string& piece : pieces) list += (list.empty() ? "" : ",") + piece;
  return list;
}

std::unordered_map<std::string, std::string> trainer_flags(const TokenizerTraining& training) {
  const core::SpecialIds special;
  return {
      {"model_type", training.kind == TokenizerKind::kBpe ? "bpe" : "unigram"},
      {"vocab_size", std::to_string(training.vocab_size)},
      {"hard_vocab_limit", as_text(training.exact_size)},
      {"byte_fallback", as_text(training.byte_fallback)},
      {"character_coverage", std::to_string(training.character_coverage)},
      {"num_threads", std::to_string(std::clamp(training.threads, 1, 128))},
      {"max_sentence_length", std::to_string(2 * kLongestSentence)},
      {"shuffle_input_sentence", "false"},
      {"user_defined_symbols", joined(training.user_pieces)},
      {"minloglevel", "4"},  // log nothing: errors are returned as a status
      {"pad_id", std::to_string(special.pad)},
      {"unk_id", std::to_string(special.unk)},
      {"bos_id", std::to_string(special.bos)},
      {"eos_id", std::to_string(special.eos)},
  };
}

/// The number after `before` in the library's message; empty if there is none.
std::string number_after(const std::string& text, const std::string& before) {
  const size_t found = text.find(before);
  if (found == std::string::npos) return "";
  const size_t start = found + before.size();
  return text.substr(start, text.find_first_not_of("0123456789", start) - start);
}

[[noreturn]] void explain(const std::string& message, const TokenizerTraining& training) {
  const int32_t size = training.vocab_size;
  if (const auto limit = number_after(message, "Please set it to a value <= "); !limit.empty()) {
    fail<ConfigError>("vocabulary size ", size, ": the text gives at most ", limit,
                      " pieces; use a smaller size or more text, or do not require the exact size");
  }
  if (const auto least = number_after(message, "required_chars. " + std::to_string(size) + " vs "); !least.empty()) {
    fail<ConfigError>(
        "vocabulary size ", size, ": the text needs at least ", least,
        " pieces for its characters and the special ids; use a larger size or a lower character coverage");
  }
  fail<DataError>("no tokenizer can be learnt from this text: ", message);
}

void check(const std::vector<std::string>& user_pieces) {
  for (const std::string& piece : user_pieces) {
    if (piece.empty() || piece.size() > kLongestPiece) {
      fail<ConfigError>("tag: expected 1 to ", kLongestPiece, " bytes, got ", piece.size());
    }
    if (piece.find(',') != std::string::npos) {  // SentencePiece would make two pieces of it
      fail<ConfigError>("tag: expected a word without commas, got \"", piece, "\"");
    }
  }
  const size_t nested = deepest_nesting({user_pieces.begin(), user_pieces.end()});
  if (nested > kMostNestedPieces) {
    fail<ConfigError>("tags: expected at most ", kMostNestedPieces,
                      " tags each of which begins with the previous one, got ", nested);
  }
}

void check(const TokenizerTraining& training) {
  const int32_t least = 5 + (training.byte_fallback ? kBytePieces : 0);
  if (training.vocab_size < least) {
    fail<ConfigError>("vocabulary size ", training.vocab_size, ": expected at least ", least,
                      training.byte_fallback ? " (special ids, bytes and one piece)" : " (special ids and one piece)");
  }
  if (!(training.character_coverage > 0.9 && training.character_coverage <= 1.0)) {
    fail<ConfigError>("character coverage: expected a number in (0.9, 1], got ", training.character_coverage);
  }
  if (training.max_sentences < 1) {
    fail<ConfigError>("sentences to learn from: expected at least 1, got ", training.max_sentences);
  }
  if (training.byte_fallback && training.kind == TokenizerKind::kPieces) {
    fail<ConfigError>(
        "byte fallback: a tokenizer of pieces takes words as they are, so none is written as bytes; leave ", "it out");
  }
  check(training.user_pieces);
}

using Flags = std::unordered_map<std::string, std::string>;

std::string train(const std::vector<std::string>& text, const TokenizerTraining& training, const Flags& rules = {}) {
  Sentences sentences(text);
  std::string bytes;
  Flags flags = trainer_flags(training);
  flags.insert(rules.begin(), rules.end());
  const auto status = sentencepiece::SentencePieceTrainer::Train(flags, &sentences, &bytes);
  if (!status.ok()) explain(status.ToString(), training);
  return bytes;
}

/// The smallest possible model. The library compiles rules and normalises only while it makes a model or with one.
std::string smallest_model(const Flags& rules = {}) { return train({"a"}, {}, rules); }

/// A pipe with a text, because the library reads rules only from a file. (A temporary file would need room on a disk,
/// and limits of the size of files hold even for one in memory.)
class TextPipe {
 public:
  explicit TextPipe(std::string text) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw std::system_error(errno, std::generic_category(), "a pipe cannot be made");
    }
    reader_ = ends[0];
    writer_ = std::thread([text = std::move(text), end = ends[1]] { write_all(text, end); });
  }
  ~TextPipe() {
    close(reader_);  // what was not read ends the writer
    writer_.join();
  }
  TextPipe(const TextPipe&) = delete;
  TextPipe& operator=(const TextPipe&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(reader_); }

 private:
  static void write_all(std::string_view text, int end) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);  // a reader that closes the pipe is no error
    while (!text.empty()) {
      const ssize_t written = write(end, text.data(), text.size());
      if (written <= 0) break;
      text.remove_prefix(static_cast<size_t>(written));
    }
    close(end);
  }

  int reader_ = -1;
  std::thread writer_;
};

std::string charsmap_of(const std::string& model) {
  return std::string(parse_model_proto(model).value().charsmaps.at(0));
}

/// The library's rules (nmt_nfkc), changed so that they drop invisible characters.
std::string compile_rules() {
  const NormalisationRules usual = rules_of(charsmap_of(smallest_model()));
  const TextPipe table(as_rule_table(without_invisible(usual)));
  return charsmap_of(smallest_model({{"normalization_rule_tsv", table.path()}}));
}

Flags rule_flags(const TokenizerTraining& training) {
  if (!training.drop_invisible) return {};
  static const std::string compiled = compile_rules();
  return {{"normalization_rule_name", "nmt_nfkc_visible"}, {"precompiled_charsmap", compiled}};
}

void replace_trainer_mark(std::string& sentence) {
  for (size_t at = sentence.find(kTrainerMark); at != std::string::npos; at = sentence.find(kTrainerMark, at)) {
    sentence.replace(at, kTrainerMark.size(), " ");
  }
}

/// Whether at least one sentence is not empty after normalisation; otherwise the trainer would end the whole process.
/// If this is not obvious from the text, the smallest possible model normalises it.
bool something_is_left(const std::vector<std::string>& sentences, const Flags& rules) {
  const auto visible = [](char c) { return c > ' ' && c <= '~'; };
  const auto plain = [&](const std::string& sentence) {
    return std::any_of(sentence.begin(), sentence.end(), visible);
  };
  if (std::any_of(sentences.begin(), sentences.end(), plain)) return true;
  const Tokenizer smallest(smallest_model(rules), "the smallest tokenizer");
  const auto encodes = [&](const std::string& sentence) { return !smallest.encode(sentence).empty(); };
  return std::any_of(sentences.begin(), sentences.end(), encodes);
}

}  // namespace

std::string learn_tokenizer(const LineSource& lines, const TokenizerTraining& training) {
  check(training);
  if (training.kind == TokenizerKind::kPieces) return count_pieces(lines, training);
  Reservoir reservoir(training.max_sentences, training.seed);
  std::string line;
  while (lines(line)) {
    replace_trainer_mark(line);
    for (std::string_view rest = line; !is_blank(rest);) {
      const std::string_view part = cut_utf8(rest, kLongestSentence);
      if (!is_blank(part)) reservoir.offer(part);
      rest.remove_prefix(part.size());
    }
  }
  const Flags rules = rule_flags(training);
  if (!something_is_left(reservoir.kept(), rules)) {
    fail<DataError>("the text to learn a tokenizer from is empty: expected lines with at least one visible character");
  }
  const core::StopsAtOnce at_once;  // this may take minutes, and the library cannot be stopped
  core::throw_if_stopped("learning a tokenizer");
  return train(reservoir.kept(), training, rules);
}

}  // namespace ventris::text
