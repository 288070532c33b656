if(VENTRIS_LEARNING)
  ventris_test(parity TOGETHER 3 TORCH LABEL parity
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/attention_variants_test.cpp ${CMAKE_CURRENT_LIST_DIR}/bert_test.cpp
            ${CMAKE_CURRENT_LIST_DIR}/bert_classifier_test.cpp
            ${CMAKE_CURRENT_LIST_DIR}/rnn_test.cpp ${CMAKE_CURRENT_LIST_DIR}/transformer_nat_test.cpp
            ${CMAKE_CURRENT_LIST_DIR}/transformer_test.cpp
    LINKS ventris_training nlohmann_json::nlohmann_json)
endif()
ventris_test(parity_metrics LABEL parity
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/corpora_test.cpp ${CMAKE_CURRENT_LIST_DIR}/metrics_test.cpp
  LINKS ventris_evaluation)
