ventris_test(translation
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/backend_choice_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/alignment_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/window_batches_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ensemble_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/finisher_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/languages_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/invariance_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/lending_pool_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/mbr_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/model_text_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/open_model_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/open_scorers_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ordered_windows_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/phrases_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/suggested_terms_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/scorer_loader_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/serving_translator_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/text_scorer_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/translator_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/window_queue_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/workspace_needs_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/open_encoder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/translator_checks_test.cpp
  LINKS ventris_translation)

add_dependencies(test_translation copying_backend)
target_compile_definitions(test_translation PRIVATE COPYING_BACKEND="$<TARGET_FILE:copying_backend>")
