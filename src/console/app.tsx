// The application: theme, cached answers, and either the sign-in or the shell with its screens.

import { QueryClient, QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Router, useLocation } from "wouter";
import { asProblem, mayRetry } from "./api/problem.ts";
import { ME_KEY, useMaybeMe } from "./api/me.ts";
import { isConsent } from "./api/identity/agents.ts";
import { isCommandLine } from "./api/identity/command-line.ts";
import { isCallback } from "./api/identity/oidc.ts";
import { onSignedOut } from "./api/session.ts";
import { CommandLine } from "./screens/consent/command-line.tsx";
import { Consent } from "./screens/consent/consent.tsx";
import { Callback } from "./screens/sign-in/callback.tsx";
import { useCredential } from "./screens/sign-in/credential.ts";
import { SignIn } from "./screens/sign-in/sign-in.tsx";
import { Shell } from "./shell/shell.tsx";
import { ErrorNote, LoadingLines } from "./ui/feedback/states.tsx";
import { Toaster } from "./ui/feedback/toasts.tsx";
import { ThemeProvider } from "./ui/theme/provider.tsx";

const SIGN_IN_PATH = "/sign-in";

const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, retry: mayRetry, throwOnError: false } },
});

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <ThemeProvider>
        <Router base="/app">
          <Entrance />
        </Router>
        <Toaster />
      </ThemeProvider>
    </QueryClientProvider>
  );
}

function Entrance() {
  const cache = useQueryClient();
  const [path, navigate] = useLocation();
  const me = useMaybeMe();
  // Whoever opens an address with a credential wants to sign in, even where somebody is signed in already.
  const [credential, dropCredential] = useCredential();
  /** The page of signing in is none of the screens. */
  const enter = (to: string) => {
    if (to.startsWith(SIGN_IN_PATH)) navigate("/", { replace: true });
    else if (to !== path) navigate(to, { replace: true });
    return cache.resetQueries();
  };
  // A session that ends while a screen is open leaves its drafts where they are: they are the browser's own. Where
  // nobody was signed in none has ended, and asking again would be answered alike for ever.
  useEffect(
    () =>
      onSignedOut(() => {
        if (cache.getQueryData(ME_KEY) !== undefined) void cache.resetQueries({ queryKey: ME_KEY });
      }),
    [cache],
  );
  if (isCallback(path)) return <Callback onEnded={enter} />;
  if (me.data && !credential) {
    if (isConsent(path)) return <Consent me={me.data} />;
    return isCommandLine(path) ? <CommandLine me={me.data} /> : <Shell />;
  }
  if (me.isPending) return <LoadingLines />;
  if (me.error && asProblem(me.error).status !== 401)
    return <ErrorNote error={me.error} onRetry={() => void me.refetch()} />;
  return (
    <SignIn
      credential={credential}
      current={me.data}
      onSignedIn={() => {
        dropCredential();
        void enter(path);
      }}
      onCredentialDropped={() => {
        dropCredential();
        if (me.data && path.startsWith(SIGN_IN_PATH)) navigate("/", { replace: true });
      }}
    />
  );
}
