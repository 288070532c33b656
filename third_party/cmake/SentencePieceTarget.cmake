# Makes the target ventris_sentencepiece from PkgConfig::SENTENCEPIECE; here, and in the projects of users.
add_library(ventris_sentencepiece INTERFACE IMPORTED)
target_link_libraries(ventris_sentencepiece INTERFACE PkgConfig::SENTENCEPIECE)
# libsentencepiece and libc10 both export FLAGS_minloglevel, of 32 and of 4 bytes, and a process has only one: that of
# the library that comes first. SentencePiece's constructor in LibTorch's 4 bytes destroys their neighbours (a mutex:
# jit::Method hangs), so its library has to be the first. LibTorch reads the variable only when it is asked to
# configure its logging, which never happens here.
target_link_options(ventris_sentencepiece INTERFACE
  "LINKER:--push-state,--no-as-needed" ${SENTENCEPIECE_LINK_LIBRARIES} "LINKER:--pop-state")
