export function unlzma(packed: Uint8Array, size: number, lc: number, pb: number): Uint8Array;
