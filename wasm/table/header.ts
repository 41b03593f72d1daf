/** The names of a table's columns from its header line alone: no byte behind that line is read. */
import { Refusal } from "../engine/refusal.ts";
import type { Format } from "./format.ts";
import { isBlankRow, parse } from "./parse.ts";
import { refuseOtherFiles } from "./sniff.ts";
import { encodingOf, type Source, streamed, unreadable } from "./source.ts";
import { cellsOf, Tokeniser } from "./tokenise.ts";

/** In bytes. */
const LONGEST_HEADER = 4 * 1024 * 1024;

async function* blobBytes(blob: Blob): AsyncGenerator<number> {
  for (let at = 0; at < blob.size; at++)
    yield new Uint8Array(await blob.slice(at, at + 1).arrayBuffer())[0] as number;
}

/** A stream of bytes is asked for one at a time; of any other the rest of a chunk comes with it, and is not looked at. */
async function* streamBytes(stream: ReadableStream<Uint8Array>): AsyncGenerator<number> {
  const reader = byteReader(stream);
  try {
    for (let chunk = await reader.next(); chunk; chunk = await reader.next()) yield* chunk;
  } finally {
    reader.release();
  }
}

function byteReader(stream: ReadableStream<Uint8Array>) {
  // At its end a stream of bytes gives the room for the next one back.
  const given = ({ done, value }: ReadableStreamReadResult<Uint8Array>) => (done ? undefined : value);
  const failed = (error: unknown): never => {
    throw unreadable(error);
  };
  try {
    const reader = stream.getReader({ mode: "byob" });
    const next = () => reader.read(new Uint8Array(1)).then(given, failed);
    return { next, release: () => reader.releaseLock() };
  } catch (error) {
    if (!(error instanceof TypeError) || stream.locked) throw error;
    const reader = stream.getReader();
    return { next: () => reader.read().then(given, failed), release: () => reader.releaseLock() };
  }
}

/** Bytes up to the end of a line, that included; the last line may lack it. */
async function* lines(
  bytes: AsyncGenerator<number>,
  encoding: Format["encoding"],
  newline: Format["newline"],
) {
  const [width, end] = [encoding.startsWith("utf-16") ? 2 : 1, newline.charCodeAt(0)];
  const unit = encoding === "utf-16be" ? [0, end] : [end, 0].slice(0, width);
  let line: number[] = [];
  for await (const byte of bytes) {
    line.push(byte);
    if (line.length > LONGEST_HEADER) {
      const rule = `has a first line of more than ${LONGEST_HEADER} bytes`;
      throw new Refusal("range", "file", "its first bytes", rule, { shown: true });
    }
    const isWhole = line.length % width === 0;
    if (!isWhole || !unit.every((one, i) => line[line.length - width + i] === one)) continue;
    yield Uint8Array.from(line);
    line = [];
  }
  if (line.length > 0) yield Uint8Array.from(line);
}

/** The header row as text, with the blank lines before it. */
async function headerText(source: Source, format: Format): Promise<string> {
  const bytes = streamed(source);
  const encoding = encodingOf(source, format.encoding);
  const decoder = new TextDecoder(encoding);
  const tokeniser = new Tokeniser(format);
  let text = "";
  const all = bytes instanceof Blob ? blobBytes(bytes) : streamBytes(bytes);
  for await (const line of lines(all, encoding, format.newline)) {
    if (text === "") refuseOtherFiles(line);
    const piece = decoder.decode(line, { stream: true });
    text += piece;
    if (tokeniser.push(piece).rows.some((row) => !isBlankRow(cellsOf(row, format.delimiter)))) break;
  }
  return text;
}

/** The names in a table's header, blanks around them taken off, as a fit would know its columns. */
export async function headerNames(source: Source, format: Format): Promise<readonly string[]> {
  const text = await headerText(source, format);
  for await (const { names } of parse(text, { ...format, header: true })) return names;
  return [];
}
