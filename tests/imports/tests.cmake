ventris_test(imports
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/config_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/argos_package_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ctranslate2_model_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ctranslate2_refused_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ctranslate2_variables_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/hostile_ctranslate2_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/damage.cpp
    ${CMAKE_CURRENT_LIST_DIR}/feature_order_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/hostile_folder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/huggingface_marian_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/import_model_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/marian_model_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/state_dict_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/vocabulary_test.cpp
  LINKS ventris_imports ventris_engine)
