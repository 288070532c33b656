ventris_test(encoding
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/expected_family_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/classifier_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/embedder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/input_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/mask_filler_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/npy_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/classify_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/embed_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/fill_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/encoder_pool_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/line_files_test.cpp
  LINKS ventris_encoding)
