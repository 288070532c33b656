ventris_test(apps_translate LABEL e2e
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/linking_test.cpp ${CMAKE_CURRENT_LIST_DIR}/translate_test.cpp
  LINKS ventris_engine)
add_dependencies(test_apps_translate ventris-translate ventris-serve ventris-vocab copying_backend refused_threads)
target_compile_definitions(test_apps_translate PRIVATE COPYING_BACKEND="$<TARGET_FILE:copying_backend>" TEST_PYTHON="${Python3_EXECUTABLE}"
  REFUSED_THREADS="$<TARGET_FILE:refused_threads>" SANITIZED=$<OR:$<BOOL:${VENTRIS_SANITIZE}>,$<BOOL:${VENTRIS_SANITIZE_THREADS}>>)
