#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json_reader.h"
#include "files/json_file.h"

namespace ventris::plotting {

/// The objects of the list "points" in a file that a script of benchmarks/ wrote, each read by `read`. Throws
/// ConfigError for a file that cannot be read, has no points or has other content.
template <typename Point>
std::vector<Point> measured_points(const std::string& file, const std::string& script,
                                   Point (*read)(core::JsonReader&)) {
  const nlohmann::json json = files::read_json_file(file);
  core::JsonReader reader(json, file);
  std::vector<Point> points;
  for (core::JsonReader& entry : reader.sections("points")) points.push_back(read(entry));
  if (points.empty()) fail<ConfigError>(file, ": expected measured points, found none; give a file of ", script);
  return points;
}

}  // namespace ventris::plotting
