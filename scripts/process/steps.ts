// Progress for people: a line when a step begins, and how long it took when that was worth knowing.

export async function step<T>(label: string, work: (report: (progress: string) => void) => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  console.log(`${label} …`);
  let last = "";
  const result = await work((progress) => {
    if (progress !== last) console.log(`  ${progress}`);
    last = progress;
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  if (seconds >= 1) console.log(`  done in ${seconds.toFixed(1)} s`);
  return result;
}
