#pragma once
#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ventris::test {

/// What a disk loses when the power fails: what was written to a file since it was last synced, and changes of the
/// names in a folder since that folder was last synced. Changes of names are lost from the last one backwards, as with
/// a journal. Descriptors and folders are remembered, so all paths must be on the same file system.
class UnsyncedChanges {
 public:
  /// `kept`: a folder for what has no name any more.
  explicit UnsyncedChanges(const std::string& kept);

  /// After a call: a file was opened to be written, written to, or synced, or a folder was synced.
  void opened(int descriptor);
  void written(int descriptor);
  void synced(int descriptor);

  /// In place of a call that removes a folder: an empty one is moved away, and can come back with what was in it.
  /// False: it is not empty, or there is none.
  bool remove_folder(int folder, const std::string& path);

  /// Before a call that takes a name away, or gives it to something else: what it had is kept. Then, after the call.
  void before_removal(int folder, const std::string& path);
  void removed();
  void added(int folder, const std::string& path);  ///< of a file, folder or link
  void swapped(int from_folder, const std::string& from, int to_folder, const std::string& to);
  void renamed(int from_folder, const std::string& from, int to_folder, const std::string& to);

  /// Loses what was not synced. Of the changes of names, this share is on the disk nevertheless: the first ones.
  void lose(double share_of_names);

 private:
  using Inode = std::pair<dev_t, ino_t>;
  struct File {
    int descriptor = -1;
    off_t synced_size = 0;
    bool unsynced = false;
  };
  /// A name in a folder, also when the folder is renamed.
  struct Place {
    int folder = -1;
    std::string name;
  };
  struct Change {
    std::vector<Inode> folders;  // on the disk as soon as one of them is synced
    std::function<void()> undo;
  };

  static Inode inode_of(int descriptor);
  static Place place_of(int folder, const std::string& path);
  void add(const std::vector<Place>& places, std::function<void()> undo);

  int kept_ = -1;
  size_t last_kept_ = 0;
  std::map<Inode, File> files_;
  std::vector<Change> changes_;
  std::function<void()> restore_;  // what the next call takes away
  std::vector<Place> restored_places_;
};

}  // namespace ventris::test
