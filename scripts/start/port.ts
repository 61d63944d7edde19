// The port is checked to be free, before anything that would fail on it less clearly.

import { createServer } from "node:net";

/** Throws an Error that says how to choose another port. */
export async function refuseTakenPort(port: number): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const probe = createServer().on("error", resolve);
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(undefined)));
  });
  if (error?.code === "EADDRINUSE")
    throw new Error(
      `Port ${port} is taken by another program. Stop that one, or choose another port: ` +
        `FJORD_PORT=${port + 1} npm start`,
    );
  if (error) throw new Error(`Port ${port} can't be listened on: ${error.message}`);
}
