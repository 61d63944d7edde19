// Webhooks of other people may be sent to public URLs only. Pure: names are looked up where the request goes out.

/** Top-level names that the public internet does not have, and those that networks use among themselves. */
const INNER_NAMES =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|arpa|test|example|invalid|onion|alt)$/;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Below these are mail, shells and their like. */
const PORT_MIN = 1_024;

/** Whether a URL leads to this machine itself. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.test(hostname);

export type PublicUrlRules = {
  /** Whether this machine may be sent to as well, by `http` too: for development. */
  isLoopbackAllowed: boolean;
  charactersMax: number;
  /** Hosts that are the platform's own, as {@link hostWithPort} spells them. */
  ownHosts: string[];
};

/** A host in one spelling: its port is always named, no dot ends it, and this machine has one name. */
export function hostWithPort({ protocol, hostname, port }: URL): string {
  const name = hostname.replace(/\.$/, "");
  return `${LOOPBACK.test(name) ? "localhost" : name}:${port || (protocol === "http:" ? 80 : 443)}`;
}

/** Why nothing is sent to a URL; undefined where it may be. */
export function flawOfPublicUrl(text: string, rules: PublicUrlRules): string | undefined {
  if (text.length > rules.charactersMax) return `Send a URL of at most ${rules.charactersMax} characters.`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return "Send a whole URL, such as https://alerts.example.com/fjord.";
  if (url.username !== "" || url.password !== "") return "Send a URL without user name and password.";
  if (url.hash !== "") return "Send a URL without a fragment.";
  if (rules.ownHosts.includes(hostWithPort(url))) return "The platform sends nothing to itself.";
  if (rules.isLoopbackAllowed && isLoopback(url) && /^https?:$/.test(url.protocol)) return undefined;
  if (url.protocol !== "https:") return "Send a URL that begins with https://.";
  if (url.port !== "" && Number(url.port) < PORT_MIN) return `Use port 443, or one from ${PORT_MIN} on.`;
  return isPublicName(url.hostname) ? undefined : "Send the name of a host on the public internet; no address.";
}

/** URLs spell hosts one way: lower case, IDNA, and every form of an IPv4 address as four numbers. */
function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  const labels = name.split(".");
  return (
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1)!) &&
    !INNER_NAMES.test(name)
  );
}
