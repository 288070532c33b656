#include "model/exported_files.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/zip.h"

namespace ventris::model {
namespace {

using namespace std::string_literals;

std::string text(const std::string& value) {
  return "X" + std::string(1, static_cast<char>(value.size())) + "\0\0\0"s + value;
}

std::string number(size_t value) { return "K" + std::string(1, static_cast<char>(value)); }

/// A tensor of bytes as torch.jit.save pickles it.
struct Bytes {
  std::string storage;
  size_t offset = 0, count = 0, stride = 1;
  std::string type = "ByteStorage";

  std::string pickled() const {
    return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\n" + type + "\n" + text(storage) +
           text("cpu") + number(count) + "tQ" + number(offset) + "(" + number(count) + "t(" + number(stride) +
           "t\x89)tR";
  }
};

/// A module whose attribute `extra_files` has these files.
std::string module(const std::vector<std::pair<std::string, Bytes>>& files) {
  std::string pickle = "\x80\x02"s + "c__torch__\nModel\n)\x81}(" + text("training") + "\x89" + text("extra_files") +
                       "ctorch.jit._pickle\nrestore_type_tag\n}(";
  for (const auto& [name, bytes] : files) pickle += text(name) + bytes.pickled();
  return pickle + "u" + text("Dict[str, Tensor]") + "\x86Rub.";
}

class ExportedFilesTest : public testing::Test {
 protected:
  ExportedFiles open(const std::vector<std::pair<std::string, std::string>>& entries) const {
    test::write_zip(path, entries);
    return {path, "m.pt"};
  }

  const test::TempFolder folder;
  const std::string path = folder.path("m.pt");
};

TEST_F(ExportedFilesTest, AreTheExtraFiles) {
  ExportedFiles files = open({{"m/data.pkl", "not looked into"}, {"m/extra/config.json", "{}"}});
  EXPECT_EQ(files.at("config.json"), "{}");
}

TEST_F(ExportedFilesTest, ThoseThatWereLostAreTakenFromTheModule) {
  const std::string pickle =
      module({{"config.json", {"1", 0, 4}}, {"source.spm", {"2", 1, 3}}, {"target.spm", {"2", 0, 1}}});
  ExportedFiles files = open({{"m/data.pkl", pickle},
                              {"m/data/0", "weights"},
                              {"m/data/1", "lost"},
                              {"m/data/2", "\0abc"s},
                              {"m/extra/source.spm", ""},
                              {"m/extra/target.spm", "given"}});
  EXPECT_EQ(files.at("config.json"), "lost");
  EXPECT_EQ(files.at("source.spm"), "abc");
  EXPECT_EQ(files.at("target.spm"), "given");
  EXPECT_FAILS(files.at("tensors.json"), ModelError,
               "m.pt: has no tensors.json; expected a TorchScript file of ventris-export");
}

TEST_F(ExportedFilesTest, FilesOfTheModuleDoNotShareBytes) {
  const std::string pickle = module({{"config.json", {"1", 0, 4}}, {"source.spm", {"1", 1, 3}}});
  ExportedFiles files = open({{"m/data.pkl", pickle}, {"m/data/1", "lost"}});
  EXPECT_FAILS(files.at("config.json"), ModelError,
               "m.pt: damaged: extra_files['source.spm'] of its module shares its bytes with another file");
}

TEST_F(ExportedFilesTest, AFileThatIsEmptyEverywhereIsEmpty) {
  EXPECT_EQ(open({{"m/data.pkl", module({})}, {"m/extra/config.json", ""}}).at("config.json"), "");
}

TEST_F(ExportedFilesTest, OtherFilesHaveNone) {
  const std::string message = "m.pt: has no config.json; expected a TorchScript file of ventris-export";
  EXPECT_FAILS(open({{"m/data.pkl", "of another program"}}).at("config.json"), ModelError, message);
  EXPECT_FAILS(open({{"m/code/a.py", ""}}).at("config.json"), ModelError, message);
  EXPECT_FAILS(open({{"m/data.pkl", module({})}}).at("config.json"), ModelError, message);
}

TEST_F(ExportedFilesTest, TensorsThatAreNotInTheirStorageAreRefused) {
  const std::vector<Bytes> wrong{{"1", 0, 5}, {"1", 5, 0},    {"1", 3, 2},
                                 {"9", 0, 1}, {"1", 0, 2, 2}, {"1", 0, 1, 1, "FloatStorage"}};
  for (const Bytes& bytes : wrong) {
    EXPECT_FAILS(open({{"m/data.pkl", module({{"config.json", bytes}})}, {"m/data/1", "lost"}}).at("config.json"),
                 ModelError, "m.pt: damaged: extra_files['config.json'] of its module is not whole");
  }
}

}  // namespace
}  // namespace ventris::model
