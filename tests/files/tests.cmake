ventris_test(files
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/files_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/folders_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/gzip_packer_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/json_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/mapped_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/mapped_ranges_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/output_name_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/partial_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/paths_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/placing_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/replacing_test.cpp
  LINKS ventris_files)
