#include "fuzz/targets.h"
#include "imports/marian_shortlist.h"
#include "imports/marian_writer.h"
#include "model/lexicon.h"

/// Lexicons for shortlists, ours and those of Bergamot.
namespace ventris::fuzz {
namespace {

void read_lexicon(std::string_view input) {
  const auto lexicon = model::Lexicon::parse(input, "lexicon");
  const auto vocab = lexicon.tokenizers();
  const auto in_vocabulary = [&](std::span<const int32_t> ids) {
    for (const int32_t id : ids)
      require(id >= 0 && static_cast<uint32_t>(id) < vocab.target_vocab, "ids are in the vocabulary");
  };
  in_vocabulary(lexicon.frequent());
  for (uint32_t id = 0; id < vocab.source_vocab; ++id) in_vocabulary(lexicon.pieces(static_cast<int32_t>(id)));
  require(model::Lexicon::parse(lexicon.bytes(), "again").bytes() == lexicon.bytes(), "a lexicon comes back");
}

std::vector<std::string> lexicon_seeds() {
  return {model::Lexicon({3, 5, 1, 2}, {4, 3}, {{1, 2}, {}, {4}}).bytes(),
          model::Lexicon({2, 70000, 0, 0}, {69999}, {{0, 69999}, {5}}).bytes()};
}

constexpr int64_t kRows = 8;

imports::NewVocabulary vocabulary() {
  imports::NewVocabulary made;
  for (int64_t row = 0; row < kRows; ++row) {
    made.texts.push_back("t" + std::to_string(row));
    made.rows.push_back(row);
  }
  made.own_rows = kRows;
  return made;
}

/// The bytes with the checksum that they should have, which is the second number of 64 bits.
std::string with_checksum(std::string bytes) {
  constexpr size_t kPlace = 8, kCovered = 16;
  uint64_t sum = 0;
  for (size_t at = kCovered; at + 8 <= bytes.size(); at += 8) {
    uint64_t number = 0;
    bytes.copy(reinterpret_cast<char*>(&number), 8, at);
    sum ^= number + 0x9e3779b9 + (sum << 6U) + (sum >> 2U);
  }
  if (bytes.size() >= kCovered) bytes.replace(kPlace, 8, reinterpret_cast<const char*>(&sum), 8);
  return bytes;
}

void read_shortlist(std::string_view input) {
  const imports::Sides sides{kRows, kRows, vocabulary(), vocabulary()};
  const auto lexicon = imports::read_marian_shortlist(with_checksum(std::string(input)), "lex.s2t.bin", sides, {});
  require(!lexicon.bytes().empty(), "a shortlist becomes a lexicon");
}

std::vector<std::string> shortlist_seeds() {
  using imports::marian_shortlist;
  return {marian_shortlist(std::vector<std::vector<uint32_t>>(kRows, {2, 3}), 3, true),
          marian_shortlist(std::vector<std::vector<uint32_t>>(kRows), 0, false)};
}

const Registration kLexicon("lexicon", read_lexicon, lexicon_seeds);
const Registration kShortlist("shortlist", read_shortlist, shortlist_seeds);

}  // namespace
}  // namespace ventris::fuzz
