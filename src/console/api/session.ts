// A session lasts while somebody is signed in. A request that is answered 401 says that nobody is any more.

type Listener = () => void;

const listeners = new Set<Listener>();

/** Calls the listener each time the session turns out to have ended; answers how it stops. */
export function onSignedOut(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function announceSignedOut(): void {
  for (const listener of listeners) listener();
}
