# A program of libFuzzer for each file of fuzz targets (scripts/fuzz.sh).
include(${CMAKE_CURRENT_LIST_DIR}/targets.cmake)
add_library(fuzz_main OBJECT ${CMAKE_CURRENT_LIST_DIR}/fuzzer.cpp ${CMAKE_CURRENT_LIST_DIR}/no_checksums.cpp
  ${CMAKE_CURRENT_LIST_DIR}/targets.cpp)
target_include_directories(fuzz_main PUBLIC ${PROJECT_SOURCE_DIR}/tests)
target_compile_definitions(fuzz_main PUBLIC VENTRIS_SOURCE="${PROJECT_SOURCE_DIR}")
target_link_libraries(fuzz_main PUBLIC ventris_core ZLIB::ZLIB PRIVATE ventris_flags)
foreach(name IN LISTS VENTRIS_FUZZ_FILES)
  add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/${name}_target.cpp)
  target_link_libraries(fuzz_${name} PRIVATE fuzz_main ${fuzz_links_${name}} ventris_flags)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endforeach()
