ventris_test(apps_score LABEL e2e
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/score_test.cpp
  LINKS ventris_model ventris_decoding)
add_dependencies(test_apps_score ventris-score ventris-translate copying_backend)
target_compile_definitions(test_apps_score PRIVATE COPYING_BACKEND="$<TARGET_FILE:copying_backend>")
