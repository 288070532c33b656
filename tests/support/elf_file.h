#pragma once
#include <elf.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "files/mapped_file.h"

namespace ventris::test {

/// What a program or a shared library says to the loader.
struct ElfFile {
  std::vector<std::string> run_paths;  ///< DT_RPATH and DT_RUNPATH, each as it is
  std::vector<std::string> needed;     ///< names of libraries
  bool is_elf = false;                 ///< otherwise the rest is empty

  /// The elements of all run paths; an empty one is the current folder.
  std::vector<std::string> run_path_elements() const {
    std::vector<std::string> all;
    for (const std::string& path : run_paths) {
      size_t begin = 0;
      for (size_t end = path.find(':'); end != std::string::npos; end = path.find(':', begin)) {
        all.push_back(path.substr(begin, end - begin));
        begin = end + 1;
      }
      all.push_back(path.substr(begin));
    }
    return all;
  }
};

/// Reads a file for this kind of processor.
inline ElfFile read_elf(const std::string& path) {
  ElfFile file;
  if (!std::filesystem::is_regular_file(path)) return file;
  const core::SharedBytes mapped = files::MappedFile(path).map();
  const std::string_view bytes = mapped.view();
  Elf64_Ehdr header{};
  if (!bytes.starts_with(ELFMAG) || bytes.size() < sizeof header || bytes[EI_CLASS] != ELFCLASS64) return file;
  std::memcpy(&header, bytes.data(), sizeof header);
  file.is_elf = header.e_type == ET_EXEC || header.e_type == ET_DYN;
  for (size_t i = 0; file.is_elf && i < header.e_shnum; ++i) {
    Elf64_Shdr section{}, strings{};
    std::memcpy(&section, bytes.data() + header.e_shoff + i * header.e_shentsize, sizeof section);
    if (section.sh_type != SHT_DYNAMIC) continue;
    std::memcpy(&strings, bytes.data() + header.e_shoff + size_t{section.sh_link} * header.e_shentsize, sizeof strings);
    for (size_t at = 0; at < section.sh_size; at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry{};
      std::memcpy(&entry, bytes.data() + section.sh_offset + at, sizeof entry);
      const char* text = bytes.data() + strings.sh_offset + entry.d_un.d_val;
      if (entry.d_tag == DT_NEEDED) file.needed.emplace_back(text);
      if (entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH) file.run_paths.emplace_back(text);
    }
  }
  return file;
}

/// All programs and shared libraries in a folder and the folders in it, by their paths. Links are not followed.
inline std::map<std::string, ElfFile> elf_files_in(const std::filesystem::path& folder) {
  std::map<std::string, ElfFile> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.is_symlink()) continue;
    std::string start(SELFMAG, '\0');
    std::ifstream(entry.path(), std::ios::binary).read(start.data(), SELFMAG);
    if (start != ELFMAG) continue;
    ElfFile file = read_elf(entry.path().string());
    if (file.is_elf) found[entry.path().string()] = std::move(file);
  }
  return found;
}

}  // namespace ventris::test
