#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

/// The structure of lib/: wings, their rooms, and what each may use. All of it is read from the CMakeLists.txt of the
/// wings; the includes and the tables of lib/README.md are compared with it.
namespace ventris::test {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

struct Room {
  std::string wing;
  Names links;  ///< rooms it is linked to, and "torch" for LibTorch
};

struct Wing {
  std::string name;
  Names uses;  ///< other wings, without those that these use
};

struct Structure {
  std::vector<Wing> wings;  ///< lowest first, as in lib/CMakeLists.txt
  std::map<std::string, Room> rooms;
};

const fs::path kLibrary = fs::path(VENTRIS_SOURCE) / "lib";

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The first groups of all matches.
std::vector<std::string> all(const std::string& pattern, const std::string& text) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) found.push_back((*it)[1]);
  return found;
}

Names names(const std::string& pattern, const std::string& text) {
  const auto found = all(pattern, text);
  return {found.begin(), found.end()};
}

void add_rooms(Structure& structure, const std::string& wing, const std::string& text) {
  const std::regex library(R"(ventris_library\((\w+)( TORCH)?[^)]*?LINKS([^)]*)\))");
  for (std::sregex_iterator it(text.begin(), text.end(), library), end; it != end; ++it) {
    Room& room = structure.rooms[(*it)[1]];
    room = {wing, names(R"(ventris_(\w+))", (*it)[3])};
    room.links.erase("sentencepiece");  // a target for a library of others
    if ((*it)[2].matched) room.links.insert("torch");
  }
}

Structure structure() {
  Structure found;
  for (const std::string& wing : all(R"(add_subdirectory\((\w+)\))", text_of(kLibrary / "CMakeLists.txt"))) {
    const std::string text = text_of(kLibrary / wing / "CMakeLists.txt");
    const auto uses = all(R"(ventris_wing\(\w+(?: USES)?([^)]*)\))", text);
    found.wings.push_back({wing, uses.empty() ? Names{} : names(R"((\w+))", uses.front())});
    add_rooms(found, wing, text);
  }
  return found;
}

/// `start` and all that follow from it.
template <typename Next>
Names reach(const std::string& start, const Next& next) {
  Names reached;
  std::vector<std::string> open{start};
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    if (!reached.insert(name).second) continue;
    for (const std::string& further : next(name)) open.push_back(further);
  }
  return reached;
}

Names linked_to(const Structure& library, const std::string& room) {
  return reach(room, [&](const std::string& name) {
    const auto found = library.rooms.find(name);
    return found == library.rooms.end() ? Names{} : found->second.links;
  });
}

Names usable_from(const Structure& library, const std::string& wing) {
  return reach(wing,
               [&](const std::string& name) { return std::ranges::find(library.wings, name, &Wing::name)->uses; });
}

/// What a header belongs to: a room, "torch", or nothing of both ("").
std::string owner_of(const std::string& header, const Structure& library) {
  for (const char* torch : {"torch/", "ATen/", "c10/"}) {
    if (header.starts_with(torch)) return "torch";
  }
  const std::string folder = header.substr(0, header.find('/'));
  return library.rooms.contains(folder) ? folder : "";
}

/// Each include of the files of a room: the path of the file, and the header.
std::vector<std::pair<std::string, std::string>> includes_of(const std::string& name, const Room& room) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& entry : fs::directory_iterator(kLibrary / room.wing / name)) {
    for (const std::string& header : all(R"(#include [<"]([^>"]+)[>"])", text_of(entry.path()))) {
      found.emplace_back(entry.path().string(), header);
    }
  }
  return found;
}

TEST(Arrows, EachFolderOfAWingIsOneOfItsRooms) {
  const Structure library = structure();
  ASSERT_EQ(library.wings.size(), 8U);
  Names folders, rooms;
  for (const Wing& wing : library.wings) {
    for (const auto& entry : fs::directory_iterator(kLibrary / wing.name)) {
      if (entry.is_directory()) folders.insert(wing.name + "/" + entry.path().filename().string());
    }
  }
  for (const auto& [name, room] : library.rooms) rooms.insert(room.wing + "/" + name);
  EXPECT_EQ(folders, rooms);
}

TEST(Arrows, NoRoomIncludesOneThatItIsNotLinkedTo) {
  const Structure library = structure();
  size_t checked = 0;
  for (const auto& [name, room] : library.rooms) {
    const Names allowed = linked_to(library, name);
    for (const auto& [file, header] : includes_of(name, room)) {
      const std::string owner = owner_of(header, library);
      EXPECT_TRUE(owner.empty() || allowed.contains(owner)) << file << " includes " << header;
      ++checked;
    }
  }
  EXPECT_GT(checked, 1000U);
}

TEST(Arrows, EveryLinkIsUsedByAnInclude) {
  const Structure library = structure();
  for (const auto& [name, room] : library.rooms) {
    Names used;
    for (const auto& [file, header] : includes_of(name, room)) used.insert(owner_of(header, library));
    for (const std::string& link : room.links) EXPECT_TRUE(used.contains(link)) << name << " does not need " << link;
  }
}

TEST(Arrows, BetweenWingsTheyGoDown) {
  const Structure library = structure();
  Names lower;
  for (const Wing& wing : library.wings) {
    EXPECT_TRUE(std::ranges::includes(lower, wing.uses)) << wing.name << " uses a wing that is not below it";
    lower.insert(wing.name);
  }
  for (const auto& [name, room] : library.rooms) {
    const Names usable = usable_from(library, room.wing);
    for (const std::string& link : room.links) {
      if (link == "torch") continue;
      EXPECT_TRUE(usable.contains(library.rooms.at(link).wing)) << name << " links to " << link;
    }
  }
}

TEST(Arrows, EachWingNeedsTheWingsThatItUses) {
  const Structure library = structure();
  std::map<std::string, Names> needed;
  for (const auto& [name, room] : library.rooms) {
    for (const std::string& link : room.links) {
      if (link != "torch") needed[room.wing].insert(library.rooms.at(link).wing);
    }
  }
  for (const Wing& wing : library.wings) {
    for (const std::string& used : wing.uses) EXPECT_TRUE(needed[wing.name].contains(used)) << wing.name << ' ' << used;
  }
}

TEST(Arrows, OnlyTheLastTwoWingsSeeLibTorch) {
  const Structure library = structure();
  for (const auto& [name, room] : library.rooms) {
    const bool upper = room.wing == "modules" || room.wing == "learning";
    EXPECT_TRUE(upper || !linked_to(library, name).contains("torch")) << name;
  }
}

TEST(Names, LeadToOneFileOfTheLibrary) {
  std::map<std::string, Names> places;  // name without its ending -> rooms
  for (const auto& entry : fs::recursive_directory_iterator(kLibrary)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".h" && path.extension() != ".cpp") continue;
    places[path.stem().string()].insert(path.parent_path().filename().string());
  }
  EXPECT_GT(places.size(), 400U);
  for (const auto& [name, rooms] : places) EXPECT_EQ(rooms.size(), 1U) << name << ", also in " << *rooms.begin();
}

/// The files that name tensors of a Transformer in texts. Each other list of tensors follows from
/// architecture/transformer_parts.h; a new entry here needs a reason.
const std::map<std::string, std::string>& files_that_name_tensors() {
  static const std::map<std::string, std::string> kReasons{
      {"architecture/transformer_parts.cpp", "the list of the parts"},
      {"architecture/bert_layers.cpp", "the parts of a BERT under both names"},
      {"architecture/bert_layers.h", "an example in a comment"},
      {"architecture/transformer_options.h", "the embeddings, for word vectors"},
      {"architecture/transformer_nat_options.h", "the same"},
      {"model/parameter_groups.cpp", "groups for listings"},
      {"exports/ctranslate2.cpp", "names of another program"},
      {"exports/marian_parameters.cpp", "names of another program"},
      {"exports/seq2seq_folder.cpp", "names of another program"},
      {"imports/huggingface_seq2seq.cpp", "names of another program"},
      {"imports/huggingface_t5.cpp", "names of another program"},
      {"exports/pytorch_names.cpp", "names of other code"},
      {"imports/pytorch_model.cpp", "finds out which code it is"},
      {"imports/ctranslate2_transformer.cpp", "names of another program"},
      {"imports/marian_model.cpp", "names of another program"},
      {"imports/layer_weights.cpp", "the names of ours, for several programs"},
      {"imports/joeynmt_model.cpp", "names of another program"},
      {"imports/opennmt_model.cpp", "names of another program"},
      {"imports/opennmt_parts.cpp", "names of two other programs"},
      {"imports/fairseq_model.cpp", "names of another program"},
      {"imports/fairseq_tensors.cpp", "names of another program"},
      {"layers/packed_parts.h", "lists the parts of packed models"},
      {"families/transformer_layers.cpp", "registers the modules"},
      {"scripting/transformer_script.cpp", "registers the modules of an export"},
      {"scripting/transformer_script_source.cpp", "calls the modules of an export"},
      {"backend/encoder_weights.cpp", "starts an encoder from a BERT"}};
  return kReasons;
}

TEST(Names, OfTensorsAreInFewFiles) {
  const std::regex in_a_text(R"re("[^"\n]*(self_attn|src_attn|feed_forward\.w_|\.lut\b|sublayer\.)[^"\n]*")re");
  Names found;
  for (const auto& entry : fs::recursive_directory_iterator(kLibrary)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".h" && path.extension() != ".cpp") continue;
    if (std::regex_search(text_of(path), in_a_text)) {
      found.insert((path.parent_path().filename() / path.filename()).string());
    }
  }
  for (const std::string& name : found) EXPECT_TRUE(files_that_name_tensors().contains(name)) << name;
  for (const auto& [name, reason] : files_that_name_tensors()) EXPECT_TRUE(found.contains(name)) << name << " no more";
}

/// The rows of the tables between two headings, as cells.
std::vector<std::vector<std::string>> rows_of(const std::string& page, const std::string& heading) {
  const size_t start = page.find("\n" + heading + "\n"), end = page.find("\n## ", start + 1);
  const std::string part = page.substr(start, end - start);
  const std::regex row(R"(\n\| \[?`(\w+)`[^|]*\| (.*) \| (.*) \|)");
  std::vector<std::vector<std::string>> rows;
  for (std::sregex_iterator it(part.begin(), part.end(), row), none; it != none; ++it) {
    rows.push_back({(*it)[1], (*it)[2], (*it)[3]});
  }
  return rows;
}

TEST(Arrows, TheFirstTableOfTheReadmeHasTheWings) {
  const Structure library = structure();
  const auto rows = rows_of("\n" + text_of(kLibrary / "README.md"), "# The library");
  ASSERT_EQ(rows.size(), library.wings.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][0], library.wings[i].name);
    EXPECT_EQ(names(R"(`(\w+)`)", rows[i][2]), library.wings[i].uses) << rows[i][0];
  }
}

TEST(Arrows, TheTablesOfTheReadmeHaveTheRoomsLowestFirstWithTheirLinks) {
  const Structure library = structure();
  const std::string page = text_of(kLibrary / "README.md");
  Names lower;  // the rooms of the rows so far
  for (const Wing& wing : library.wings) {
    for (const auto& row : rows_of(page, "## " + wing.name)) {
      const std::string& room = row[0];
      ASSERT_TRUE(library.rooms.contains(room)) << "the build has no library " << room;
      EXPECT_EQ(library.rooms.at(room).wing, wing.name) << room;
      Names links = library.rooms.at(room).links;
      links.erase("torch");
      EXPECT_EQ(names(R"(`(\w+)`)", row[2]), links) << "what " << room << " may include";
      EXPECT_TRUE(std::ranges::includes(lower, links)) << room << " stands above a room that it may include";
      lower.insert(room);
    }
  }
  for (const auto& [name, room] : library.rooms) EXPECT_TRUE(lower.contains(name)) << name << " has no row";
}

}  // namespace
}  // namespace ventris::test
