#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>

#include "text/tokenizer.h"

namespace ventris::torchscript {
namespace {

/// third_party/cmake/VentrisDependencies.cmake says what happens otherwise: exports that hang when they are run.
TEST(Libraries, SentencePiecesVariableDoesNotLieInLibTorchs) {
  (void)&text::Tokenizer::from_file;
  void* const variable = dlsym(RTLD_DEFAULT, "FLAGS_minloglevel");
  if (variable == nullptr) GTEST_SKIP() << "this SentencePiece has no such variable";
  Dl_info owner{};
  ASSERT_NE(dladdr(variable, &owner), 0);
  EXPECT_NE(std::string(owner.dli_fname).find("sentencepiece"), std::string::npos) << owner.dli_fname;
}

}  // namespace
}  // namespace ventris::torchscript
