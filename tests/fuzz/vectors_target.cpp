#include <cmath>

#include "fuzz/targets.h"
#include "preparation/word_vectors.h"
#include "support/model_writer.h"

/// Files of word vectors.
namespace ventris::fuzz {
namespace {

void read_vectors(std::string_view input) {
  static const text::Tokenizer kTokenizer(
      test::written_model(12) + test::piece_field("\u2581bread") + test::piece_field("\u2581never"), "tokenizer");
  const auto vectors = preparation::read_vectors(file_with(input, "file.vec"), kTokenizer, 2);
  require(vectors.values.size() == 2 * vectors.ids.size(), "each piece has a vector");
  for (const float value : vectors.values) require(std::isfinite(value), "values are finite");
}

const Registration kVectors("vectors", read_vectors);

}  // namespace
}  // namespace ventris::fuzz
