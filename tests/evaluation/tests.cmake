ventris_test(evaluation
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/alignment_error_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/evaluation_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/inputs_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/metric_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/score_report_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/systems_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/test_sets_test.cpp
  LINKS ventris_evaluation)
