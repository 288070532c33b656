#include "installation/libtorch.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "support/errors.h"
#include "support/fake_libtorch.h"
#include "support/temp_folder.h"

namespace ventris::installation {
namespace {

namespace fs = std::filesystem;

const WantedLibTorch kWanted{"2.13", {"libc10.so", "libtorch.so"}};

class FindLibTorch : public testing::Test {
 protected:
  std::string make(const std::string& name, const std::string& version = "2.13.0+cpu", bool package = false) {
    return test::fake_libtorch(folder.path(name), version, kWanted.libraries, package);
  }

  test::TempFolder folder;
};

TEST_F(FindLibTorch, AnArchiveAndAPythonPackageAreLibTorchs) {
  const std::string archive = make("archive"), package = make("package", "2.13.1", true);
  EXPECT_EQ(find_libtorch({archive, {}, ""}, kWanted), archive + "/lib");
  EXPECT_EQ(find_libtorch({package, {}, ""}, kWanted), package + "/lib");
  EXPECT_EQ(find_libtorch({package + "/lib", {}, ""}, kWanted), package + "/lib") << "its lib/ may be named";
  EXPECT_EQ(find_libtorch({package + "/lib/", {}, ""}, kWanted), package + "/lib");
}

TEST_F(FindLibTorch, TheNamedFolderIsTheOnlyPlace) {
  const std::string named = make("named"), near = make("near");
  EXPECT_EQ(find_libtorch({named, {near}, ""}, kWanted), named + "/lib");
  EXPECT_FAILS(find_libtorch({folder.path("none"), {near}, ""}, kWanted), NoLibTorchError,
               "VENTRIS_LIBTORCH: expected the folder of a LibTorch 2.13, but " + folder.path("none") +
                   " does not exist; name an unpacked LibTorch or the folder of the Python package torch");
}

TEST_F(FindLibTorch, ANamedFolderThatDoesNotFitIsRefusedWithTheReason) {
  EXPECT_FAILS(find_libtorch({make("old", "2.9.1"), {}, ""}, kWanted), NoLibTorchError, "/old has version 2.9.1;");
  EXPECT_FAILS(find_libtorch({make("later", "2.130.0"), {}, ""}, kWanted), NoLibTorchError, "has version 2.130.0;");
  fs::remove(make("without") + "/lib/libc10.so");
  EXPECT_FAILS(find_libtorch({folder.path("without"), {}, ""}, kWanted), NoLibTorchError, "has no lib/libc10.so;");
  fs::remove(make("silent") + "/build-version");
  EXPECT_FAILS(find_libtorch({folder.path("silent"), {}, ""}, kWanted), NoLibTorchError,
               "has no file build-version or version.py that states its version;");
}

TEST_F(FindLibTorch, WithoutAWantedVersionAnyFits) {
  const std::string old = make("old", "1.13.0");
  EXPECT_EQ(find_libtorch({old, {}, ""}, {"", {"libtorch.so"}}), old + "/lib");
}

TEST_F(FindLibTorch, FoldersComeBeforePythonAndAnUnfitOneIsPassedOver) {
  const std::string old = make("old", "2.9.1"), near = make("near"), package = make("package", "2.13.0", true);
  test::fake_python(folder.path(), package);
  const std::string python = folder.path("python3");
  EXPECT_EQ(find_libtorch({"", {folder.path("none"), old, near}, python}, kWanted), near + "/lib");
  EXPECT_EQ(find_libtorch({"", {folder.path("none"), old}, python}, kWanted), package + "/lib");
}

TEST_F(FindLibTorch, TheMessageNamesEachPlaceAndWhatIsWrongThere) {
  const std::string old = make("old", "2.9.1"), none = folder.path("none");
  EXPECT_FAILS(find_libtorch({"", {none, old}, folder.path("no-python")}, kWanted), NoLibTorchError,
               "LibTorch 2.13 was not found (looked at " + none + ", " + old +
                   " (it has version 2.9.1), the packages of " + folder.path("no-python") +
                   "); activate a Python that has the package torch 2.13, or name the folder of LibTorch in the "
                   "environment variable VENTRIS_LIBTORCH");
  test::fake_python(folder.path(), old);
  EXPECT_FAILS(find_libtorch({"", {none}, folder.path("python3")}, kWanted), NoLibTorchError,
               "(looked at " + none + ", " + old + " (it has version 2.9.1)); activate");
}

TEST(LibTorchPlaces, AreBesideTheProgramAndInItsInstallationAndThenThePythonInUse) {
  setenv("VENTRIS_LIBTORCH", "/named", 1);
  EXPECT_EQ(libtorch_places("/opt/v/bin/program").named, "/named");
  unsetenv("VENTRIS_LIBTORCH");
  const LibTorchPlaces places = libtorch_places("/opt/v/bin/program");
  EXPECT_EQ(places.named, "");
  EXPECT_EQ(places.python, "python3");
  ASSERT_GE(places.folders.size(), 3U);
  EXPECT_EQ(places.folders[0], "/opt/v/bin/libtorch");
  EXPECT_EQ(places.folders[1], "/opt/v/libtorch");
  EXPECT_EQ(places.folders[2], "/opt/v/lib/libtorch");
}

TEST_F(FindLibTorch, AFileThatIsNoLibraryIsNamed) {
  EXPECT_FAILS(load_libtorch(make("empty") + "/lib"), ConfigError,
               "/empty/lib/libtorch.so: LibTorch cannot be loaded: ");
}

}  // namespace
}  // namespace ventris::installation
