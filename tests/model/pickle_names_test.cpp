#include "model/pickle_names.h"

#include <gtest/gtest.h>

namespace ventris::model {
namespace {

TEST(PickleNames, SettingsVocabulariesAndTensorsAreData) {
  for (const char* name : {"argparse\nNamespace", "collections\nOrderedDict", "torch\nFloatStorage", "builtins\nint",
                           "omegaconf.dictconfig\nDictConfig", "torchtext.data.field\nField", "torchtext.vocab\nVocab",
                           "onmt.inputters.text_dataset\nTextMultiField", "fairseq.meters\nAverageMeter"}) {
    EXPECT_TRUE(is_data_name(name)) << name;
  }
}

TEST(PickleNames, NothingElseIs) {
  for (const char* name :
       {"os\nsystem", "posix\nsystem", "builtins\neval", "builtins\nexec", "builtins\ngetattr", "__builtin__\neval",
        "subprocess\nPopen", "omegaconf\nX", "argparse\nNamespaceX", "argparse\nNamespace\n", "torch\nload",
        "torchtextdata.field\nField", "fairseq.meters2\nX", "", "\n", "builtins", "torch\nhub"}) {
    EXPECT_FALSE(is_data_name(name)) << name;
  }
}

TEST(PickleNames, InMessagesTheyArePrintableAndNotLong) {
  EXPECT_EQ(dotted_name("os\nsystem"), "os.system");
  EXPECT_EQ(dotted_name("a\x01\xff\n b"), "a??.?b");
  EXPECT_EQ(dotted_name(std::string(1000, 'x')).size(), 80U);
}

}  // namespace
}  // namespace ventris::model
