// Preloaded into a program that `spawnGroup` starts: when its starter is gone, however that ended, its whole group ends
// too.

const starter = Number(process.env.FJORD_WATCHED_PARENT);

if (starter === process.ppid && process.channel) {
  // A program may close its channel itself; only a new parent proves that the starter is dead. Neither the timer nor
  // the channel keeps alive a program that is done.
  process.on("disconnect", () =>
    setInterval(() => process.ppid === starter || process.kill(-process.pid, "SIGKILL"), 100).unref(),
  );
  process.channel.unref();
}
