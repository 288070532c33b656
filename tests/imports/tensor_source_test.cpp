#include "imports/tensor_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "imports/tensors_in_memory.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

const std::string kMarianTensors = VENTRIS_SOURCE "/tests/imports/data/marian_shared/model.safetensors";

TEST(RenamedTensors, HaveTheirNewNamesAndNoOthers) {
  const auto tensors = renamed(open_safetensors(kMarianTensors), [](const std::string& name) {
    return name.starts_with("model.decoder.") ? name.substr(std::string("model.").size()) : "";
  });
  EXPECT_EQ(tensors->shape("decoder.layers.0.encoder_attn.q_proj.weight"), (std::vector<int64_t>{16, 16}));
  EXPECT_FALSE(tensors->contains("model.decoder.layers.0.encoder_attn.q_proj.weight"));
  EXPECT_FAILS(tensors->floats("model.shared.weight"), ModelError, "has no tensor 'model.shared.weight'");
  EXPECT_EQ(layers_of(*tensors, "decoder.layers."), 1);
  EXPECT_EQ(layers_of(*tensors, "encoder.layers."), 0);
  EXPECT_FAILS(renamed(open_safetensors(kMarianTensors), [](const std::string&) { return "same"; }), ModelError,
               "has the tensor 'same' twice, as '");
}

TEST(TensorSource, LayersAreCountedFrom0UpToTheFirstThatIsMissing) {
  TensorsInMemory tensors;
  for (const char* name : {"e.0.w", "e.1.w", "e.3.w", "e.x.w", "e.00.w", "f.2"}) tensors.add(name, {1}, {1});
  EXPECT_EQ(layers_of(tensors, "e."), 2);
  EXPECT_EQ(layers_of(tensors, "f."), 0);
  tensors.add("e.2", {1}, {1});
  EXPECT_EQ(layers_of(tensors, "e."), 4) << "a number may end the name";
}

TEST(TensorSource, AMatrixHasTwoLengthsFrom1) {
  TensorsInMemory tensors;
  tensors.add("m", {2, 3}, {});
  tensors.add("empty", {2, 0}, {});
  tensors.add("v", {2}, {});
  EXPECT_EQ(matrix_shape(tensors, "m"), (std::pair<int64_t, int64_t>{2, 3}));
  EXPECT_FAILS(matrix_shape(tensors, "empty"), ModelError,
               "file: tensor 'empty': expected a matrix, found shape [2, 0]");
  EXPECT_FAILS(matrix_shape(tensors, "v"), ModelError, "found shape [2]");
  EXPECT_FAILS(matrix_shape(tensors, "none"), ModelError, "file: has no tensor 'none'");
}

TEST(TensorSource, ATensorOfAnotherShapeIsRefusedThoughItHasAsManyElements) {
  TensorsInMemory tensors;
  tensors.add("m", {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(floats_of_shape(tensors, "m", {2, 3}).size(), 6U);
  EXPECT_FAILS(floats_of_shape(tensors, "m", {3, 2}), ModelError, "tensor 'm': expected shape [3, 2], found [2, 3]");
}

TEST(TensorSource, TheFirstBytesAreFewerInAShorterFile) {
  const test::TempFolder folder;
  EXPECT_EQ(first_bytes(folder.file("a", "text"), 2), "te");
  EXPECT_EQ(first_bytes(folder.path("a"), 9), "text");
  EXPECT_EQ(first_bytes(folder.path("none"), 2), "");
  EXPECT_EQ(first_bytes(folder.path(), 2), "") << "a folder cannot be read";
}

}  // namespace
}  // namespace ventris::imports
