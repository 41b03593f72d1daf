/** What the page may do, as the browser enforces it. Workers made from a blob are bound by it too. */
const DIRECTIVES = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "worker-src blob:",
  "connect-src 'none'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
];

/** In each page itself, which is all that some hosts allow. */
export const POLICY = DIRECTIVES.join("; ");

/** What no page of ours needs from the browser, and what would let a script reach a device, a place or a purse. */
const UNUSED = [
  "accelerometer",
  "browsing-topics",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "identity-credentials-get",
  "microphone",
  "midi",
  "payment",
  "publickey-credentials-get",
  "serial",
  "usb",
];

/**
 * What a server should send with every answer, those about missing files included: a page without the policy, opened
 * beside ours from the same server, could send what ours may not. Pages of others may load the widgets' script, and
 * none may put our pages into a frame of its own.
 */
export const HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": `${POLICY}; frame-ancestors 'none'`,
  "Permissions-Policy": UNUSED.map((feature) => `${feature}=()`).join(", "),
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Access-Control-Allow-Origin": "*",
};

/** The same as static hosts read it from a file of that name, and as our own server does. */
export const HEADERS_FILE = `/*\n${Object.entries(HEADERS)
  .map(([name, value]) => `  ${name}: ${value}\n`)
  .join("")}`;

/** What a site with a policy of its own must allow for the widgets; ORIGIN is where the script comes from. */
export const HOST_POLICY = ["script-src ORIGIN 'wasm-unsafe-eval'", "worker-src blob:"] as const;
