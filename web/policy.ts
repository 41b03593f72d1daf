/** What the page may do, as the browser enforces it. Workers made from a blob are bound by it too. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "worker-src blob:",
  "connect-src 'none'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** What a site with a policy of its own must allow for the widgets; ORIGIN is where the script comes from. */
export const HOST_POLICY = ["script-src ORIGIN 'wasm-unsafe-eval'", "worker-src blob:"] as const;
