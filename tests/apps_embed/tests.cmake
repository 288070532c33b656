ventris_test(apps_embed LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/embed_test.cpp LINKS ventris_model)
add_dependencies(test_apps_embed ventris-embed)
