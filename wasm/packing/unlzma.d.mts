/** The bytes that base64 stands for. */
export function bytes(base64: string): Uint8Array<ArrayBuffer>;

/** `size` bytes of what was packed with that lc and pb; `decoder` is the compiled unlzma.cpp, in base64 too. */
export function unlzma(decoder: string, base64: string, size: number, lc: number, pb: number): Uint8Array;
