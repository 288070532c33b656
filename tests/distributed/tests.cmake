if(VENTRIS_LEARNING)
  ventris_test(distributed TORCH
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/gloo_group_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/gradient_buckets_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/peer_watch_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/process_group_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/ranks_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/sockets_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/store_gate_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/relay_test.cpp
    LINKS ventris_distributed $<TARGET_NAME_IF_EXISTS:ventris_gloo>)
endif()
