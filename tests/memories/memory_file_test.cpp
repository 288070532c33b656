#include "memories/memory_file.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::memories {
namespace {

TEST(MemoryFile, TheEndingSaysWhetherItIsOne) {
  for (const char* yes : {"a.tmx", "a/B.TMX", "a.tmx.gz"}) EXPECT_TRUE(is_memory(yes)) << yes;
  for (const char* no : {"a.tsv", "tmx", "a.tmx.bak", "", "-"}) EXPECT_FALSE(is_memory(no)) << no;
}

TEST(MemoryFile, LanguagesFollowTheName) {
  for (const char* name : {"a.tmx:en:pt-BR", "a/b:c/d.TMX.gz:en:de"}) EXPECT_EQ(name_of(parse_memory(name)), name);
  const NamedMemory memory = parse_memory("a.tmx:x.tmx.gz:en:pt-BR");
  EXPECT_EQ(memory.path, "a.tmx:x.tmx.gz");
  EXPECT_EQ(memory.languages.source, "en");
  EXPECT_EQ(memory.languages.target, "pt-BR");
  for (const char* name : {"a.tmx", "a.tsv", "a.tsv:en:de", "-", ""}) {
    EXPECT_EQ(parse_memory(name).path, name);
    EXPECT_EQ(parse_memory(name).languages.source, "");
  }
  for (const char* name : {"a.tmx:", "a.tmx:en", "a.tmx:en:", "a.tmx::de", "a.tmx:en:de:fr"}) {
    EXPECT_FAILS(parse_memory(name), ConfigError,
                 "expected a source and a target language behind the name of the file, such as a.tmx:en:de")
        << name;
  }
}

TEST(MemoryFile, ALanguageFitsItsKinds) {
  EXPECT_EQ(language_match("de", "de"), 2);
  EXPECT_EQ(language_match("DE", "de"), 2);
  EXPECT_EQ(language_match("pt-br", "pt_BR"), 2);
  EXPECT_EQ(language_match("de", "de-AT"), 1);
  EXPECT_EQ(language_match("de-AT", "de"), 0);
  EXPECT_EQ(language_match("de", "den"), 0);
  EXPECT_EQ(language_match("de", ""), 0);
}

}  // namespace
}  // namespace ventris::memories
