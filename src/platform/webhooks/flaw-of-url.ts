import { WEBHOOK_LIMITS } from "./limits.ts";
import { flawOfPublicUrl } from "../../core/public-url.ts";
/** The settings that decide. */
type Named = { settings: { readonly isLoopbackAllowed: boolean; readonly ownHosts: string[] } };

/** Why nothing is sent to a URL; undefined where it may be. It is asked again before each attempt. */
export const flawOfUrl = ({ settings: { isLoopbackAllowed, ownHosts } }: Named, url: string): string | undefined =>
  flawOfPublicUrl(url, { isLoopbackAllowed, ownHosts, charactersMax: WEBHOOK_LIMITS.urlCharactersMax });
