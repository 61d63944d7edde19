// Files that the Worker's bundle holds as modules, as `wrangler.toml` and wrangler's defaults have them.

declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "*.ttf" {
  const bytes: ArrayBuffer;
  export default bytes;
}

declare module "*.html" {
  const text: string;
  export default text;
}
