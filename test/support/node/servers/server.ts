// The tests know a database server by this interface, whichever kind it is.

/** How a test reaches it as its superuser. */
export type Server = { host: string; port: number; username: string; password: string };

/** A server of a test's own. */
export type RunningServer = {
  server: Server;
  /** Breaks it off as a crash would, and starts it again on the same port and data once `meanwhile` has settled. */
  restart(meanwhile?: () => Promise<unknown>): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
};
