#include "translation/scorer_loader.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "installation/libtorch.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "translation/open_scorers.h"

namespace ventris::translation {
namespace {

/// Each case is a process of its own under CTest, yet must not disturb the others when run together.
class ScorerLoader : public testing::Test {
 protected:
  void SetUp() override { setenv("VENTRIS_BACKEND", COPYING_BACKEND, 1); }
  void TearDown() override { unsetenv("VENTRIS_BACKEND"); }

  test::TempFolder folder;
};

TEST_F(ScorerLoader, AFactoryOfTheLibraryWorksHere) {
  const auto factory = open_backend_scorers(
      {opened(model::read_model(test::write_copying_bundle(folder.path("bundle")))), "cpu", false});
  const auto scorer = factory->make();
  EXPECT_EQ(scorer->info().max_length, 64);
  const std::vector<decoding::Sentence> sentences{{{5, 6, 3}, {}, 0}};
  EXPECT_EQ(decoding::search(*scorer, sentences, {}).front().front().ids, (test::Ids{5, 6}));
}

TEST_F(ScorerLoader, ErrorsOfTheLibraryKeepTheirKind) {
  EXPECT_FAILS(open_backend_scorers({{"model", "{}"}, "cpu", false}), ModelError, "model: format_version: missing");
  EXPECT_FAILS(open_backend_scorers({{"model", "{}"}, "cuda", false}), ConfigError,
               "device cuda: this backend copies on the CPU only");
}

TEST_F(ScorerLoader, ABundleThatIsReplacedMeanwhileStaysTheOneThatWasOpened) {
  const std::string path = test::write_copying_bundle(folder.path("bundle"));
  model::LoadedModel loaded = model::read_model(path);
  const auto weights = loaded.weights;
  std::filesystem::remove_all(path);
  const decoding::OpenedModel handed = opened(std::move(loaded));
  EXPECT_EQ(handed.weights.view().data(), weights.view().data()) << "the very bytes, not a copy";
  EXPECT_EQ(open_backend_scorers({handed, "cpu", false})->make()->info().max_length, 64);
}

TEST_F(ScorerLoader, TheDescriptionIsTheLibrarysOwn) { EXPECT_EQ(describe_backend(), "copying backend"); }

TEST_F(ScorerLoader, AMissingLibraryIsNamedWithThePlacesLookedAt) {
  setenv("VENTRIS_BACKEND", folder.path("none.so").c_str(), 1);
  EXPECT_FAILS(open_backend_scorers({{"model"}, "cpu", false}), ConfigError,
               "not found (looked at " + folder.path("none.so"));
  EXPECT_THAT(describe_backend(), testing::HasSubstr("not found"));
}

TEST_F(ScorerLoader, ANameWithoutAFolderIsAFileOfTheWorkingFolder) {
  std::filesystem::copy(COPYING_BACKEND, folder.path("libventris_backend.so"));
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  setenv("VENTRIS_BACKEND", "libventris_backend.so", 1);
  EXPECT_EQ(describe_backend(), "copying backend");
  std::filesystem::current_path(before);
}

TEST_F(ScorerLoader, AFileThatIsNoLibraryIsNamed) {
  setenv("VENTRIS_BACKEND", folder.file("text.so", "no library").c_str(), 1);
  EXPECT_FAILS(open_backend_scorers({{"model"}, "cpu", false}), ConfigError,
               "text.so: the translation backend cannot be loaded");
}

TEST_F(ScorerLoader, AnotherLibraryIsRefusedByTheEntryItHasNot) {
  Dl_info libc{};
  ASSERT_NE(dladdr(dlsym(RTLD_DEFAULT, "gnu_get_libc_version"), &libc), 0);
  setenv("VENTRIS_BACKEND", libc.dli_fname, 1);
  EXPECT_FAILS(open_backend_scorers({{"model"}, "cpu", false}), ConfigError,
               "the translation backend has no entry ventris_scorer_interface; it is of another build");
  EXPECT_THAT(describe_backend(), testing::HasSubstr("has no entry ventris_scorer_interface"));
}

TEST_F(ScorerLoader, ANamedLibTorchThatDoesNotFitIsRefused) {
  setenv("VENTRIS_LIBTORCH", folder.path("none").c_str(), 1);
  const std::string expected = "but " + folder.path("none") + " does not exist; name an unpacked LibTorch";
  EXPECT_FAILS(open_backend_scorers({{"model"}, "cpu", false}), installation::NoLibTorchError, expected);
  EXPECT_THAT(describe_backend(), testing::HasSubstr(expected));
  const model::LoadedModel model = model::read_model(test::write_copying_bundle(folder.path("bundle")));
  EXPECT_FAILS(open_scorers(model, {.backend = Backend::kTorch}), installation::NoLibTorchError,
               "LibTorch is needed (backend torch), but VENTRIS_LIBTORCH: expected the folder of a LibTorch");
  unsetenv("VENTRIS_LIBTORCH");
}

TEST_F(ScorerLoader, ALibraryOfAnotherBuildIsRefused) {
  setenv("COPYING_BACKEND_INTERFACE", "of an older build", 1);
  EXPECT_FAILS(open_backend_scorers({{"model"}, "cpu", false}), ConfigError, "is of another build than this program");
  EXPECT_THAT(describe_backend(), testing::HasSubstr("is of another build than this program"));
  unsetenv("COPYING_BACKEND_INTERFACE");
  EXPECT_EQ(describe_backend(), "copying backend");
}

}  // namespace
}  // namespace ventris::translation
