/// Settings of jemalloc, which looks for this name when a process begins. A training step takes and gives back hundreds
/// of large blocks: memory that goes back to the system in between comes again as page faults, up to 29 % of the time.
/// So what is freed is kept; the peak of a step is what a run needs anyway.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "dirty_decay_ms:-1,muzzy_decay_ms:-1";
}
