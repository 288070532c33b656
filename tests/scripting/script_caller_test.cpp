#include "scripting/script_caller.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "scripting/script_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_script.h"

namespace ventris::scripting {
namespace {

TEST(ScriptFactory, AFileThatIsNoTorchScriptIsNamed) {
  const test::TempFolder folder;
  const std::string missing = folder.path("none.pt"), text = folder.file("text.pt", "not an archive");
  const std::string whole = test::file_bytes(test::write_tiny_script(folder.path("whole.pt")));
  const std::string cut = folder.file("cut.pt", whole.substr(0, whole.size() / 2));
  for (const std::string& path : {missing, text, cut, folder.path()}) {
    EXPECT_FAILS(load_script_model(path, path, 8, torch::kCPU), ModelError,
                 path + ": LibTorch cannot load this TorchScript file: ");
  }
}

/// A module whose methods do not give what a model's would.
std::string write_odd_script(const std::string& path, const std::string& encode, bool with_generator) {
  torch::jit::Module model("Odd");
  if (with_generator) {
    torch::jit::Module generator("OddGenerator");
    generator.define("\ndef forward(self, x: Tensor) -> Tensor:\n    return x\n");
    model.register_module("generator", generator);
  }
  model.define("\ndef encode(self, src: Tensor, src_mask: Tensor) -> Tensor:\n    " + encode + "\n");
  model.save(path);
  return path;
}

TEST(ScriptModel, MethodsThatFailOrGiveOtherShapesAreTheFilesFault) {
  const test::TempFolder folder;
  const auto src = torch::tensor({{5, 6, 3}});
  const auto load = [&](const std::string& encode, bool with_generator) {
    return load_script_model(write_odd_script(folder.path("odd.pt"), encode, with_generator), "odd.pt", 8, torch::kCPU);
  };
  EXPECT_FAILS(load("return torch.ones([2, 3]).matmul(torch.ones([5, 7]))", false)->encode(src, {}), ModelError,
               "odd.pt: its encode failed; was the file changed? LibTorch says: ");
  EXPECT_FAILS(load("return src", false)->encode(src, {}), ModelError,
               "odd.pt: its encode returned a tensor of shape [1, 3], expected [1, 3] states; was the file changed?");
  EXPECT_FAILS(load("return src", false)->decode({}, src, {}), ModelError, "odd.pt: its decode failed");
  EXPECT_FAILS(load("return src", false)->log_probs(torch::ones({1, 4})), ModelError, "odd.pt: its generator failed");
  EXPECT_FAILS(load("return src", true)->log_probs(torch::ones({1, 4})), ModelError,
               "odd.pt: its generator returned a tensor of shape [1, 4], expected 8 log-probabilities per state");
}

TEST(ScriptCaller, ATableHasTheRowsAndColumnsThatAreAskedFor) {
  const test::TempFolder folder;
  const ScriptCaller script(write_odd_script(folder.path("odd.pt"), "return src", false), "odd.pt", torch::kCPU);
  const auto src = torch::tensor({{5, 6, 3}});
  EXPECT_TRUE(torch::equal(script.table("encode", {src, src}, 1, 3), src));
  EXPECT_FAILS(script.table("encode", {src, src}, 1, 4), ModelError,
               "odd.pt: its encode returned a tensor of shape [1, 3], expected [1, 4]; was the file changed?");
  EXPECT_FAILS(script.call("none", {}), ModelError, "odd.pt: its none failed; was the file changed?");
}

TEST(ScriptCaller, MemoryThatThereIsNotIsNoFaultOfTheFile) {
  const test::TempFolder folder;
  const ScriptCaller script(
      write_odd_script(folder.path("odd.pt"), "assert False, 'cannot allocate memory'\n    return src", false),
      "odd.pt", torch::kCPU);
  const auto src = torch::tensor({{5, 6, 3}});
  try {
    script.call("encode", {src, src});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const ModelError& error) {
    ADD_FAILURE() << error.what();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("allocate memory"), std::string::npos);
  }
}

}  // namespace
}  // namespace ventris::scripting
