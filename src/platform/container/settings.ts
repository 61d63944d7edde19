// This installation's settings of a container's program are the Worker's variables of its settings' names, as they are.

/** Empty ones are left out: they are not set, and an image may have set something. */
export function settingsIn<Name extends string>(
  env: { readonly [name in NoInfer<Name>]?: string },
  kinds: Readonly<Record<Name, unknown>>,
): { [name in Name]?: string } {
  const set: { [name in Name]?: string } = {};
  for (const name of Object.keys(kinds) as Name[]) if (env[name]) set[name] = env[name];
  return set;
}
