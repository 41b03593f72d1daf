/** Unpacks WebAssembly that LZMA packed, by a decoder that is WebAssembly too. pack.mjs copies this text into the modules. */

/** So many bytes a step: a browser goes on with faster code, once it has compiled that, only where a call begins. */
const STEP = 4096;
const PAGE = 65536;

/** A loop over the text: Uint8Array.from with a function takes five times as long. */
export function bytes(base64) {
  const text = atob(base64);
  const result = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) result[i] = text.charCodeAt(i);
  return result;
}

export function unlzma(decoder, base64, size, lc, pb) {
  const { memory, begin, more } = new WebAssembly.Instance(new WebAssembly.Module(bytes(decoder))).exports;
  const packed = bytes(base64);
  const from = memory.buffer.byteLength;
  const into = from + packed.length;
  memory.grow(Math.ceil((packed.length + size) / PAGE));
  new Uint8Array(memory.buffer, from).set(packed);
  begin(from, into, lc, pb);
  for (let end = STEP; end < size + STEP; end += STEP) more(Math.min(end, size));
  return new Uint8Array(memory.buffer, into, size);
}
