#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/tiny_bert.h"

/// A BERT on its way to Hugging Face's transformers and back.
namespace ventris::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ImportProgram : public testing::Test {
 protected:
  ImportProgram() { write_tiny_bert(bert); }

  Outcome export_to(const std::string& model, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"-m", model, "-o", exported, "--format", "huggingface"};
    all.insert(all.end(), more.begin(), more.end());
    return run_program("ventris-export", all);
  }

  TempFolder folder;
  std::string bert = folder.path("bert"), exported = folder.path("exported"), imported = folder.path("imported");
};

TEST_F(ImportProgram, ABertComesBackFromTransformersAsItWas) {
  const Outcome out = export_to(bert);
  ASSERT_EQ(out.code, 0) << out.err;
  const Outcome back = run_program("ventris-import", {"-m", exported, "-o", imported});
  ASSERT_EQ(back.code, 0) << back.err;
  EXPECT_EQ(file_bytes(imported + "/model.safetensors"), file_bytes(bert + "/model.safetensors"));
  const std::string input = "The [MASK] man\n";
  EXPECT_EQ(run_program("ventris-fill", {"-m", imported}, input).out,
            run_program("ventris-fill", {"-m", bert}, input).out);
}

TEST_F(ImportProgram, MistakesHaveTheirExitCodes) {
  EXPECT_EQ(export_to(bert, {"--verify", "text"}).code, 2);
  EXPECT_FALSE(fs::exists(exported));
  write_tiny_bundle(folder.path("other"));
  EXPECT_EQ(export_to(folder.path("other")).code, 4);
  EXPECT_THAT(run_program("ventris-export", {"-m", bert, "-o", bert, "--format", "huggingface"}).err,
              HasSubstr("is a file of the model"));
  ASSERT_EQ(export_to(bert).code, 0);
  EXPECT_EQ(run_program("ventris-import", {"-m", exported, "-o", exported}).code, 2);
  EXPECT_EQ(run_program("ventris-import", {"-m", folder.path("none"), "-o", imported}).code, 4);
  const Outcome missing =
      run_program("ventris-import", {"-m", exported, "-o", imported, "--tokenizer", folder.path("none")});
  EXPECT_EQ(missing.code, 3) << missing.err;
  fs::create_directory(imported);
  folder.file("imported/notes", "mine");
  const Outcome taken = run_program("ventris-import", {"-m", exported, "-o", imported});
  EXPECT_EQ(taken.code, 2);
  EXPECT_THAT(taken.err, HasSubstr("exists and is not a model folder"));
}

}  // namespace
}  // namespace ventris::test
