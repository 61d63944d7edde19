// An address may bring a credential in its fragment, which is never sent to a server. It is taken out of the address at
// once, so that no history and no copied address keeps it.

import { useEffect, useState } from "react";
import type { Credential } from "../../api/identity/sign-in.ts";

const LINK = /^[A-Za-z0-9]{32}$/;
const KEY = /^[0-9a-f-]{36}-[A-Za-z0-9]{32}$/i;

/** Takes the credential out of the address; undefined where there is none. */
function takeCredential(): Credential | undefined {
  const text = location.hash.slice(1);
  const credential = KEY.test(text) ? { api_key: text } : LINK.test(text) ? { link: text } : undefined;
  if (credential) history.replaceState(history.state, "", location.pathname + location.search);
  return credential;
}

/** The credential that the address brought last, be the page new or open already, and how it is dropped. */
export function useCredential(): [Credential | undefined, () => void] {
  const [credential, setCredential] = useState(takeCredential);
  useEffect(() => {
    const take = () => setCredential((before) => takeCredential() ?? before);
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, []);
  return [credential, () => setCredential(undefined)];
}
