ventris_test(apps_align LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/align_test.cpp LINKS ventris_core)
add_dependencies(test_apps_align ventris-align ventris-evaluate)
