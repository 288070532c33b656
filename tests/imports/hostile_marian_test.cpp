#include <gtest/gtest.h>

#include "files/files.h"
#include "imports/damage.h"
#include "imports/marian_model.h"
#include "imports/marian_writer.h"
#include "support/temp_folder.h"

/// Damaged models of Marian, with their vocabularies and shortlists.
namespace ventris::imports {
namespace {

const std::string kMarianForDamage = VENTRIS_SOURCE "/tests/imports/data/marian/";

void check_damaged(const std::string& model, const std::string& vocabulary, const std::string& shortlist = "") {
  const test::TempFolder folder;
  for (const std::string& name : {model, vocabulary}) folder.file(name, files::read_file(kMarianForDamage + name));
  if (!shortlist.empty()) folder.file("lex.bin", shortlist);
  check_damaged_folders(folder.path(), [&](const std::string& copy) {
    MarianVocabularyFiles files;
    (vocabulary.ends_with(".spm") ? files.tokenizers : files.vocabularies).push_back(copy + "/" + vocabulary);
    from_marian_file(copy + "/" + model, files, shortlist.empty() ? "" : copy + "/lex.bin");
  });
}

TEST(HostileMarianFile, IsRefusedOrImported) {
  check_damaged("post.npz", "both.yml", marian_shortlist(std::vector<std::vector<uint32_t>>(26, {2, 3}), 3, true));
  check_damaged("layers.npz", "both.yml");
  check_damaged("ssru_bergamot.bin", "both.spm");
  check_damaged("ssru.bin", "both.spm");
}

}  // namespace
}  // namespace ventris::imports
