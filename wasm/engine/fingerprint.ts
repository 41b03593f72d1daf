/** By which things that were made for each other know each other. Not a secret, and no proof against forgery: 64 bits (FNV-1a). */
export function fingerprintOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}
