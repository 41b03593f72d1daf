/**
 * Writes messages of Protocol Buffers (Google, "Encoding"): the two kinds of fields that ONNX files are made of here. Reading
 * is not needed, nor any schema, so that this is smaller than the least part of any library that writes them.
 */

/** A field that is ready to stand in a message. */
export type Field = Uint8Array;

export function message(...fields: readonly (Field | readonly Field[])[]): Uint8Array {
  const parts = fields.flat() as Field[];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Seven bits a byte, the lowest first; of whole numbers from 0 to 2^53. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

const key = (number: number, wire: number) => varint(number * 8 + wire);

/** A whole number from 0 to 2^53. */
export const integer = (number: number, value: number): Field =>
  Uint8Array.from([...key(number, 0), ...varint(value)]);

/** A text, bytes, or a message. */
export function bytes(number: number, value: string | Uint8Array): Field {
  const content = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return message(Uint8Array.from([...key(number, 2), ...varint(content.length)]), content);
}
