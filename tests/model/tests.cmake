ventris_test(model
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/average_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/config_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/corruption_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/exported_files_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/finite_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/floats_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/inspection_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/lexicon_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/package_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/parameters_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/pickle_reader_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/report_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/reseal_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/safetensors_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/zip_archive_test.cpp
  LINKS ventris_model)
