/** Checks while a file is read that it is text in UTF-8, whatever its length. */
import { isUtf8 } from 'node:buffer';
import { ImportFileFault } from '../../domain/imports/file-fault.ts';

const LF = 10;
const CR = 13;
const NOTHING = Buffer.alloc(0);

/** The first bytes of files that people take for CSV, and what these files are. */
const signatures: readonly (readonly [bytes: Buffer, what: string])[] = [
  [Buffer.from('PK\u0003\u0004'), 'a ZIP archive or a workbook'],
  [Buffer.from('PK\u0005\u0006'), 'an empty ZIP archive'],
  [Buffer.from([0x1f, 0x8b]), 'a gzip archive'],
  [Buffer.from([0xff, 0xfe]), 'text in UTF-16'],
  [Buffer.from([0xfe, 0xff]), 'text in UTF-16'],
];
const SIGNATURE_BYTES = 4;

/**
 * The same bytes. Throws an ImportFileFault at the first byte that is no text, which names its
 * line, and for archives and UTF-16.
 */
export async function* textOnly(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const countLines = lineCounter();
  let isStart = true;
  let held: Buffer = NOTHING;
  for await (const chunk of bytes) {
    held = Buffer.concat([held, chunk]);
    if (isStart && held.length < SIGNATURE_BYTES) continue;
    if (isStart) refuseSignatures(held);
    isStart = false;
    const whole = held.subarray(0, endOfWhole(held));
    refuseOthers(whole, countLines);
    yield whole;
    held = held.subarray(whole.length);
  }
  if (isStart) refuseSignatures(held);
  refuseOthers(held, countLines);
  if (held.length > 0) yield held;
}

function refuseSignatures(start: Buffer): void {
  const found = signatures.find(([bytes]) => start.subarray(0, bytes.length).equals(bytes));
  if (found === undefined) return;
  const reason = found[1].startsWith('text') ? 'notUtf8' : 'binary';
  throw new ImportFileFault(reason, `The file is ${found[1]}, not CSV in UTF-8.`);
}

function refuseOthers(bytes: Buffer, countLines: (bytes: Buffer) => number): void {
  const zero = bytes.indexOf(0);
  const wrong = isUtf8(bytes) ? -1 : invalidAt(bytes);
  const isBinary = zero >= 0 && (wrong < 0 || zero < wrong);
  const at = isBinary ? zero : wrong;
  const line = countLines(at < 0 ? bytes : bytes.subarray(0, at));
  if (isBinary) {
    throw new ImportFileFault('binary', `The file is not text: line ${line} has a zero byte.`);
  }
  if (wrong >= 0) throw new ImportFileFault('notUtf8', `Line ${line} is not text in UTF-8.`);
}

/** The index of a byte that cannot follow those before it; the length, if bytes are missing. */
function invalidAt(bytes: Buffer): number {
  let [valid, invalid] = [0, bytes.length + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    const start = bytes.subarray(0, middle);
    if (isUtf8(start.subarray(0, endOfWhole(start)))) valid = middle;
    else invalid = middle;
  }
  return invalid - 1;
}

/** Where the last whole character ends. */
function endOfWhole(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (isContinuation) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Takes the bytes of a file one after the other; returns the line on which the next one is. */
function lineCounter(): (bytes: Buffer) => number {
  let line = 1;
  let isAfterCr = false;
  return (bytes) => {
    // The iterator of a buffer is ten times as slow.
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index];
      if (byte === CR || (byte === LF && !isAfterCr)) line += 1;
      isAfterCr = byte === CR;
    }
    return line;
  };
}
