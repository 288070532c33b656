#include "text/tokenizer.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>
#include <stdexcept>

#include "core/error.h"
#include "core/random.h"
#include "files/files.h"
#include "text/model_proto.h"
#include "text/processor.h"
#include "text/segmentation.h"
#include "text/valid_utf8.h"

namespace ventris::text {
namespace {

constexpr int kByteValues = 256;

/// SentencePiece's time grows with the square of the length of a run of unknown characters. Therefore longer texts are
/// encoded in blocks.
constexpr size_t kLongestBlock = 1 << 14;  // bytes

void check_special_ids(const sentencepiece::SentencePieceProcessor& processor, const std::string& where) {
  const core::SpecialIds expected;
  if (processor.pad_id() == expected.pad && processor.unk_id() == expected.unk && processor.bos_id() == expected.bos &&
      processor.eos_id() == expected.eos) {
    return;
  }
  fail<ModelError>(where, ": expected the special ids pad ", expected.pad, ", unk ", expected.unk, ", bos ",
                   expected.bos, ", eos ", expected.eos, "; found pad ", processor.pad_id(), ", unk ",
                   processor.unk_id(), ", bos ", processor.bos_id(), ", eos ", processor.eos_id(),
                   " (-1 = none); learn a tokenizer with ventris-vocab");
}

/// The value of a byte piece, which looks like "<0x0A>".
char byte_of(const std::string& piece) {
  constexpr size_t kDigitsAt = 3;
  unsigned value = 0;
  std::from_chars(piece.data() + kDigitsAt, piece.data() + piece.size(), value, 16);
  return static_cast<char>(value);
}

std::invalid_argument outside(int32_t id, int32_t size) {
  return std::invalid_argument("token id " + std::to_string(id) + " is outside the vocabulary of " +
                               std::to_string(size));
}

}  // namespace

struct Tokenizer::Model {
  std::string bytes;
  TokenizerKind kind = TokenizerKind::kUnigram;
  sentencepiece::SentencePieceProcessor processor;
  ForeignRules foreign;

  // Only sampling needs these; they are made on first use, so that translating starts fast.
  mutable std::once_flag sampling_ready;
  mutable Segmentation segmentation;
  mutable std::array<int32_t, kByteValues> byte_ids{};
  mutable bool byte_fallback = false;
  mutable std::vector<int32_t> user_defined;  // ascending

  /// A part of a normalised text: a piece that is never split, or the text between two of them (id -1).
  struct Stretch {
    std::string text;
    int32_t id;
  };

  void prepare_sampling() const {
    user_defined = user_defined_pieces(bytes);
    for (int id = 0; id < processor.GetPieceSize(); ++id) {
      const std::string& piece = processor.IdToPiece(id);
      if (processor.IsByte(id)) {
        byte_ids[static_cast<uint8_t>(byte_of(piece))] = id;
        byte_fallback = true;
      } else if (!processor.IsControl(id) && !processor.IsUnknown(id) && !processor.IsUnused(id) &&
                 !is_user_defined(id)) {
        segmentation.add_piece(piece, id, processor.GetScore(id));
      }
    }
  }

  /// Whether a text looks like a piece that does not stand for its own characters: "</s>", "<unk>", "<0x41>".
  bool is_special(const std::string& text) const {
    const int id = processor.PieceToId(text);
    return processor.IdToPiece(id) == text &&
           (processor.IsControl(id) || processor.IsUnknown(id) || processor.IsByte(id));
  }

  /// The id of a run of unknown characters.
  int32_t id_of_unknown(const std::string& text) const {
    const int32_t unknown = core::SpecialIds{}.unk;
    if (!foreign.looks_up_unknown || is_special(text)) return unknown;
    return processor.PieceToId(text);  // unk if no piece has this text
  }

  bool is_user_defined(int32_t id) const { return std::binary_search(user_defined.begin(), user_defined.end(), id); }

  /// The text as the model sees it: normalised, with U+2581 for each space.
  std::vector<Stretch> normalised(std::string_view text) const {
    std::vector<Stretch> stretches;
    const auto encoded = processor.EncodeAsImmutableProto(text);
    for (const auto& piece : encoded.pieces()) {
      const auto id = static_cast<int32_t>(piece.id());
      if (is_user_defined(id)) {
        stretches.push_back({piece.piece(), id});
        continue;
      }
      if (stretches.empty() || stretches.back().id >= 0) stretches.push_back({"", -1});
      if (processor.IsByte(id)) {
        stretches.back().text += byte_of(piece.piece());
      } else {
        stretches.back().text += piece.piece();
      }
    }
    return stretches;
  }

  /// The id of a piece that was found in a text.
  int32_t id_of_found(int32_t id) const {
    const bool in_vocabulary = foreign.unknown_from == 0 || static_cast<uint64_t>(id) < foreign.unknown_from;
    return in_vocabulary ? id : core::SpecialIds{}.unk;
  }

  /// The words of a text, each with the spaces before it.
  static std::vector<ByteRange> words_of(std::string_view text) {
    std::vector<ByteRange> words;
    for (size_t begin = 0; begin < text.size();) {
      const size_t word = std::min(text.find_first_not_of(' ', begin), text.size());
      const size_t end = std::min(text.find(' ', word), text.size());
      if (word < end) words.push_back({begin, end});
      begin = end;
    }
    return words;
  }

  /// A word as a piece.
  static std::string piece_of_word(std::string_view text, const ByteRange& place) {
    const std::string_view word = text.substr(place.begin, place.end - place.begin);
    return "\u2581" + std::string(word.substr(word.find_first_not_of(' ')));
  }

  void add_words(std::string_view text, std::vector<int32_t>& ids) const {
    for (const ByteRange& place : words_of(text)) {
      ids.push_back(id_of_found(processor.PieceToId(piece_of_word(text, place))));  // unk if there is none
    }
  }

  /// Adds the ids of a text, by the rules in `foreign`.
  void add_by_rules(std::string_view text, std::vector<int32_t>& ids) const {
    const auto encoded = processor.EncodeAsImmutableProto(text);
    for (const auto& piece : encoded.pieces()) {
      const auto id = static_cast<int32_t>(piece.id());
      ids.push_back(id_of_found(processor.IsUnknown(id) ? id_of_unknown(piece.piece()) : id));
    }
  }

  std::vector<Segmentation::Part> sample(const std::vector<Stretch>& stretches, double alpha, uint64_t seed) const {
    std::vector<Segmentation::Part> parts;
    for (size_t i = 0; i < stretches.size(); ++i) {
      const auto& [text, id] = stretches[i];
      if (id >= 0) {
        parts.push_back({text, id});
        continue;
      }
      const uint64_t own = i == 0 ? seed : core::derive_seed(seed, i);
      const auto drawn = kind == TokenizerKind::kBpe ? segmentation.sample_bpe(text, alpha, own)
                                                     : segmentation.sample_unigram(text, alpha, own);
      parts.insert(parts.end(), drawn.begin(), drawn.end());
    }
    return parts;
  }

  std::vector<int32_t> ids_of(const std::vector<Segmentation::Part>& parts) const {
    std::vector<int32_t> ids;
    std::string run;  // of unknown characters, which becomes one id, as in encode()
    const auto end_run = [&] {
      if (!run.empty()) ids.push_back(id_of_found(id_of_unknown(run)));
      run.clear();
    };
    for (const auto& part : parts) {
      if (part.id >= 0) {
        end_run();
        ids.push_back(id_of_found(part.id));
      } else if (byte_fallback) {
        for (const char byte : part.text) ids.push_back(byte_ids[static_cast<uint8_t>(byte)]);
      } else {
        run += part.text;
      }
    }
    end_run();
    return ids;
  }
};

Tokenizer::Tokenizer(std::string bytes, const std::string& where) {
  auto model = std::make_shared<Model>();
  const ModelProto proto = load_processor(model->processor, bytes, where);
  const ModelType type = proto.type;
  if (type != ModelType::kUnigram && type != ModelType::kBpe) {
    fail<ModelError>(where, ": expected a unigram or BPE model, found a word or character model");
  }
  check_special_ids(model->processor, where);
  model->kind = proto.foreign.whole_words ? TokenizerKind::kPieces
                : type == ModelType::kBpe ? TokenizerKind::kBpe
                                          : TokenizerKind::kUnigram;
  model->foreign = proto.foreign;
  model->bytes = std::move(bytes);
  model_ = std::move(model);
}

Tokenizer Tokenizer::from_file(const std::string& path) { return {files::read_file(path), path}; }

std::vector<int32_t> Tokenizer::encode(std::string_view text, size_t most) const {
  std::vector<int32_t> ids;
  if (is_blank(text)) return ids;
  if (model_->foreign.whole_words) {
    model_->add_words(text, ids);
    return ids;
  }
  for (const std::string_view block : blocks_of(text, kLongestBlock)) {
    if (ids.size() >= most) break;
    if (model_->foreign.any()) {
      model_->add_by_rules(block, ids);
      continue;
    }
    std::vector<int> found;
    const auto status = model_->processor.Encode(block, &found);
    if (!status.ok()) throw std::runtime_error("SentencePiece cannot encode: " + status.ToString());
    ids.insert(ids.end(), found.begin(), found.end());
  }
  return ids;
}

std::vector<std::string> Tokenizer::pieces(std::string_view text) const {
  std::vector<std::string> pieces;
  if (is_blank(text)) return pieces;
  if (model_->foreign.whole_words) {
    for (const ByteRange& place : Model::words_of(text)) pieces.push_back(Model::piece_of_word(text, place));
    return pieces;
  }
  for (const std::string_view block : blocks_of(text, kLongestBlock)) {
    const auto encoded = model_->processor.EncodeAsImmutableProto(block);
    for (const auto& piece : encoded.pieces()) pieces.push_back(piece.piece());
  }
  return pieces;
}

std::vector<ByteRange> Tokenizer::places(std::string_view text, size_t most) const {
  std::vector<ByteRange> places;
  if (is_blank(text)) return places;
  if (model_->foreign.whole_words) return Model::words_of(text);
  for (const std::string_view block : blocks_of(text, kLongestBlock)) {
    if (places.size() >= most) break;
    const auto begin = static_cast<size_t>(block.data() - text.data());
    const auto encoded = model_->processor.EncodeAsImmutableProto(block);
    for (const auto& piece : encoded.pieces()) places.push_back({begin + piece.begin(), begin + piece.end()});
  }
  return places;
}

std::vector<int32_t> Tokenizer::sample(std::string_view text, double alpha, uint64_t seed) const {
  if (is_blank(text)) return {};
  const bool plain = (kind() == TokenizerKind::kBpe && alpha <= 0) || kind() == TokenizerKind::kPieces;
  if (plain || text.size() > kLongestSampledText) return encode(text);
  std::call_once(model_->sampling_ready, [this] { model_->prepare_sampling(); });
  const auto stretches = model_->normalised(text);
  return model_->ids_of(model_->sample(stretches, alpha, seed));
}

std::string Tokenizer::decode(std::span<const int32_t> ids) const {
  const core::SpecialIds special;
  std::vector<int> wanted;
  for (const int32_t id : ids) {
    if (id < 0 || id >= size()) throw outside(id, size());
    if (id != special.pad && id != special.bos && id != special.eos) wanted.push_back(id);
  }
  std::string text;
  const auto status = model_->processor.Decode(wanted, &text);
  if (!status.ok()) throw std::runtime_error("SentencePiece cannot decode: " + status.ToString());
  return text;
}

PlacedText Tokenizer::decode_placed(std::span<const int32_t> ids, const std::vector<std::string>& unknowns) const {
  std::vector<std::string> pieces;
  std::vector<size_t> first(1, 0);  // of the pieces of each id, and the end
  for (size_t i = 0; i < ids.size(); ++i) {
    const bool given = ids[i] == core::SpecialIds{}.unk && i < unknowns.size() && !unknowns[i].empty();
    const std::string& text = given ? unknowns[i] : piece(ids[i]);
    const size_t apart = given && model_->is_special(text) ? first_character(text).size() : 0;
    if (apart > 0) pieces.push_back(text.substr(0, apart));  // two halves of "</s>" are decoded as text
    pieces.push_back(text.substr(apart));
    first.push_back(pieces.size());
  }
  const auto decoded = model_->processor.DecodePiecesAsImmutableProto(pieces);
  if (decoded.pieces_size() != pieces.size()) throw std::runtime_error("SentencePiece cannot decode");
  PlacedText placed{decoded.text(), {}};
  for (size_t i = 0; i < ids.size(); ++i) {
    placed.places.push_back(
        {decoded.pieces(static_cast<int>(first[i])).begin(), decoded.pieces(static_cast<int>(first[i + 1]) - 1).end()});
  }
  return placed;
}

int32_t Tokenizer::size() const { return model_->processor.GetPieceSize(); }

const std::string& Tokenizer::piece(int32_t id) const {
  if (id < 0 || id >= size()) throw outside(id, size());
  return model_->processor.IdToPiece(id);
}

float Tokenizer::score(int32_t id) const {
  if (id < 0 || id >= size()) throw outside(id, size());
  return model_->processor.GetScore(id);
}

int32_t Tokenizer::id_of(std::string_view text) const {
  for (int32_t id = 0; id < size(); ++id) {
    if (piece(id) == text) return id;
  }
  return -1;
}

TokenizerKind Tokenizer::kind() const { return model_->kind; }
bool Tokenizer::has_foreign_rules() const { return model_->foreign.any(); }
const std::string& Tokenizer::bytes() const { return model_->bytes; }

}  // namespace ventris::text
