// Intel's tile instructions (AMX) on machines that lack them: each raises SIGILL there, and a handler does by
// the manual what the instruction would have done. Slow, a few microseconds each, and only for tests: so the
// AMX code of llama.cpp is tried on any x86-64 machine, in the very bytes that the compiler made of it.
#pragma once

namespace logit_audit::test {

// Emulates from now on, in all threads. An instruction that a processor would refuse (a tile that is not
// configured, shapes that do not fit) ends the process by SIGILL, after a line that says why.
void emulate_amx();

// Tile instructions emulated so far. 0: none ran, or the processor has them itself.
long emulated_instructions();

}  // namespace logit_audit::test
