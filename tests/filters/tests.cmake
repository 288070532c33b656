ventris_test(filters
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/document_bytes_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/file_progress_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/finished_lines_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/json_lines_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/model_choice_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/moses_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/open_translation_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/output_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/resumable_output_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_record_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/score_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/score_settings_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/settings_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/translate_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/translation_report_test.cpp
  LINKS ventris_filters)
