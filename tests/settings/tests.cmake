ventris_test(settings
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/config_checks_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_config_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/data_config_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/further_corpus_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/idle_settings_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/memory_size_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/modifier_list_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/period_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/resumable_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/settings_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/suggestion_test.cpp
  LINKS ventris_settings)
