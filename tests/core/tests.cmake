ventris_test(core
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/ascii_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/available_memory_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/fields_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/human_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/json_problem_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/json_reader_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/json_shape_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/small_numbers_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/log_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/parallel_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/printable_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/process_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/progress_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/random_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/resources_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/rethrow_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/shared_bytes_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/special_ids_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/suggest_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/terminal_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/utf8_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/../engine/counted_memory.cpp
  LINKS ventris_core)
# Its variables have the name of a type of other files.
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/json_reader_test.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
