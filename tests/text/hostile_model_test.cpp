#include <gtest/gtest.h>
#include <sentencepiece_trainer.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "core/error.h"
#include "support/model_mutator.h"
#include "support/temp_folder.h"
#include "support/tiny_text.h"
#include "text/charsmap.h"
#include "text/double_array.h"
#include "text/model_check.h"
#include "text/piece_encoder.h"
#include "text/tokenizer.h"
#include "text/valid_utf8.h"

/// No model whatever makes its library read what is not its own: mutants of real models are refused, or encode and
/// decode nasty texts. VENTRIS_MUTANTS sets how many are made, VENTRIS_FIRST_MUTANT from which on: mutant N is always
/// the same. Each thousand runs in a process of its own, and a crash names its mutant.
namespace ventris::text {
namespace {

int64_t from_environment(const char* name, int64_t otherwise) {
  const char* wanted = std::getenv(name);
  return wanted != nullptr ? std::atoll(wanted) : otherwise;
}

class Sentences : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  bool done() const override { return next_ >= lines_.size(); }
  void Next() override { ++next_; }
  const std::string& value() const override { return lines_[next_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::vector<std::string> lines_;
  size_t next_ = 0;
};

/// As spm_train makes them, with each kind of model, of rules, and of settings that its library knows.
std::vector<std::string> real_models() {
  using Flags = std::unordered_map<std::string, std::string>;
  const test::TempFolder folder;
  const std::string rules = folder.file("rules.tsv", "61\t78 79\n61 62\t7A\nE9\t65\n1F600\t3A 29\n20 20\t20\n");
  const std::vector<Flags> kinds{
      {{"model_type", "unigram"}, {"byte_fallback", "true"}},
      {{"model_type", "bpe"}, {"byte_fallback", "true"}},
      {{"model_type", "unigram"}, {"normalization_rule_tsv", rules}, {"self_test_sample_size", "5"}},
      {{"model_type", "bpe"}, {"normalization_rule_tsv", rules}, {"denormalization_rule_tsv", rules}},
      {{"model_type", "unigram"}, {"normalization_rule_name", "nfkc_cf"}, {"treat_whitespace_as_suffix", "true"}},
      {{"model_type", "bpe"},
       {"normalization_rule_name", "identity"},
       {"user_defined_symbols", "<a>,<ab>,the,th,\u00e9"}},
      {{"model_type", "unigram"}, {"normalization_rule_name", "nfkc"}, {"user_defined_symbols", "an,a"}},
      {{"model_type", "word"}, {"normalization_rule_name", "nmt_nfkc_cf"}},
      {{"model_type", "char"}, {"normalization_rule_tsv", rules}, {"control_symbols", "<c>"}}};
  std::vector<std::string> models;
  for (Flags flags : kinds) {
    flags.insert({{"pad_id", "0"}, {"unk_id", "1"}, {"bos_id", "2"}, {"eos_id", "3"}, {"minloglevel", "4"}});
    flags.insert({{"vocab_size", "400"}, {"hard_vocab_limit", "false"}});
    Sentences sentences(test::tiny_text());
    const auto status = sentencepiece::SentencePieceTrainer::Train(flags, &sentences, &models.emplace_back());
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  return models;
}

/// Texts that meet every rule and piece, and their neighbours.
std::vector<std::string> nasty_texts() {
  std::vector<std::string> texts{
      "",
      "The old man is waiting for the bridge.",
      "a aa ab abab <a> <ab> the th \u00e9 e\u0301 \U0001F600",
      "</s><unk><pad><0x41><c>",
      "\uFB01\u2460\u00BD\uFF21\u3000\uFDFA\u0130\u1E9B\u0323 \u200B\uFEFF\u0085\u2581\u2585",
      std::string("\0a\x01\x7F", 4),
      "\xFF\xC3\xE2\x96\xF0\x9F\x98",
      std::string(300, 'a'),
      std::string(100, ' ')};
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  texts.push_back(all);
  return texts;
}

/// Follows the rules as the library does, with every step looked at. Whether it stays inside, and finds no more rules
/// than the library has room for.
bool stays_inside(std::string_view map, std::string_view text) {
  const size_t table = read_u32(map, 0);
  const std::string_view units = map.substr(4, table), texts = map.substr(4 + table);
  const auto unit = [&](size_t at) { return TrieUnit{read_u32(units, 4 * at)}; };
  const auto inside = [&](size_t at) { return 4 * at + 4 <= units.size(); };
  if (!inside(0)) return false;
  size_t at = unit(0).offset(), found = 0;
  for (const char byte : text) {
    at ^= static_cast<uint8_t>(byte);
    if (!inside(at)) return false;
    const TrieUnit here = unit(at);
    if (here.is_value() || here.label() != static_cast<uint8_t>(byte)) return true;
    at ^= here.offset();
    if (!here.has_value()) continue;
    if (!inside(at) || unit(at).value() >= texts.size()) return false;
    if (texts.find('\0', unit(at).value()) == std::string_view::npos || ++found > kMostNestedRules) return false;
  }
  return true;
}

/// Texts that some rule looks for, or nearly: ways from the root at random.
std::vector<std::string> ways_through(std::string_view map, size_t count, test::Draws& draws) {
  const DoubleArray units(map.substr(4, read_u32(map, 0)));
  std::vector<std::string> ways(count);
  for (std::string& way : ways) {
    for (uint32_t unit = 0; way.size() < 2 * kLongestRule && units.leads_inside(unit);) {
      const auto [first, last] = units.children(unit);
      if (first == last) break;
      unit = units.child(first + static_cast<uint32_t>(draws.below(last - first)));
      way += static_cast<char>(units[unit].label());
    }
  }
  return ways;
}

void use(const Tokenizer& tokenizer, const std::string& text) {
  const auto ids = tokenizer.encode(text);
  EXPECT_TRUE(is_valid_utf8(tokenizer.decode(ids)));
  tokenizer.places(text);
  for (const double alpha : {0.0, 0.3}) tokenizer.decode(tokenizer.sample(text, alpha, 5));
}

void decode_all(const Tokenizer& tokenizer) {
  std::vector<int32_t> all(static_cast<size_t>(tokenizer.size()));
  for (size_t id = 0; id < all.size(); ++id) all[id] = static_cast<int32_t>(id);
  const auto placed = tokenizer.decode_placed(all, {"", "</s>"});
  for (const ByteRange& place : placed.places) EXPECT_LE(place.begin, place.end);
}

void use(const PieceEncoder& encoder, const std::string& text) {
  std::string joined;
  for (const std::string& piece : encoder.encode(text)) joined += piece;
  EXPECT_TRUE(is_valid_utf8(joined));
}

/// A model that the check lets pass. The library may still refuse it with a sentence.
void use(const std::string& bytes, const ModelProto& model, test::Draws& draws) {
  auto texts = nasty_texts();
  for (const std::string_view map : model.charsmaps) {
    for (std::string& way : ways_through(map, 10, draws)) texts.push_back(std::move(way));
    for (const std::string& text : texts) EXPECT_TRUE(stays_inside(map, text)) << text;
  }
  for (int i = 0; i < 5; ++i) texts.emplace_back(model.pieces[draws.below(model.pieces.size())].text);
  std::optional<Tokenizer> tokenizer;
  try {
    tokenizer.emplace(bytes, "mutant");
  } catch (const ModelError&) {
    const PieceEncoder encoder(bytes, "mutant");
    for (const std::string& text : texts) use(encoder, text);
    return;
  }
  decode_all(*tokenizer);
  for (const std::string& text : texts) use(*tokenizer, text);
}

/// How far a run of mutants is; in memory that its process shares with ours.
struct Progress {
  int64_t mutant = -1;
  int64_t accepted = 0;
};

class HostileModel : public testing::Test {
 protected:
  ~HostileModel() override { munmap(progress, sizeof *progress); }

  void try_one(int64_t mutant) {
    test::Draws draws(static_cast<uint64_t>(mutant));
    const std::string bytes = test::mutated(models[draws.below(models.size())], models, draws);
    std::optional<ModelProto> model;
    try {
      model = check_model(bytes, "mutant");
    } catch (const ModelError&) {
      return;
    }
    ++progress->accepted;
    try {
      use(bytes, *model, draws);
    } catch (const ModelError&) {  // by the library
    }
  }

  /// In a process of its own.
  void try_each(int64_t first, int64_t end) {
    const pid_t child = fork();
    if (child == 0) {
      for (int64_t mutant = first; mutant < end && !HasFailure(); ++mutant) {
        progress->mutant = mutant;
        try_one(mutant);
      }
      _exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << "mutant " << progress->mutant << (WIFSIGNALED(status) ? " ended with signal " : " failed: ")
                         << (WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status))
                         << "; again: VENTRIS_MUTANTS=1 VENTRIS_FIRST_MUTANT=" << progress->mutant;
  }

  const std::vector<std::string> models = real_models();
  Progress* progress =
      new (mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Progress;
};

TEST_F(HostileModel, RealModelsPass) {
  for (const std::string& bytes : models) {
    test::Draws draws(1);
    EXPECT_NO_THROW(use(bytes, check_model(bytes, "real"), draws));
  }
}

TEST_F(HostileModel, MutantsAreRefusedOrHarmless) {
  constexpr int64_t kBatch = 1000;
  const int64_t first = from_environment("VENTRIS_FIRST_MUTANT", 0);
  const int64_t end = first + from_environment("VENTRIS_MUTANTS", 1000);
  for (int64_t at = first; at < end && !HasFailure(); at += kBatch) try_each(at, std::min(end, at + kBatch));
  if (end - first >= kBatch) {  // the mutator makes both kinds
    EXPECT_GT(progress->accepted, (end - first) / 20);
    EXPECT_LT(progress->accepted, (end - first) * 19 / 20);
  }
  RecordProperty("accepted", std::to_string(progress->accepted));
}

}  // namespace
}  // namespace ventris::text
