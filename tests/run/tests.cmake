ventris_test(run
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/checkpoint_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/kept_models_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/model_keeper_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/observer_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_folder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_lines_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_reporter_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/saver_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/validation_result_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/validation_score_test.cpp
  LINKS ventris_run)
