// Preloaded into every supervised program: it ends, with its whole process group, when the supervisor is gone.
// Standard input is a pipe only the supervisor holds, so its end is the supervisor's end, a `kill -9` included.

// A program's own children inherit the preload, not the watchdog: they are ended with the group.
if (String(process.ppid) === process.env.SUPERVISOR_PID) {
  const end = () => {
    try {
      process.kill(-process.pid, "SIGKILL");
    } catch {
      process.exit(1);
    }
  };
  process.stdin.on("end", end).on("error", end).resume();
  // The watchdog must not keep a program alive that has nothing left to do.
  if ("unref" in process.stdin) process.stdin.unref();
}
