/**
 * Finds where the rows of a CSV file begin and end, also after a row whose quotes are broken. What
 * it finds depends on the bytes from a row's first one on, so reading can resume at any row.
 */
import { BYTE_ORDER_MARK } from '../../domain/text/csv.ts';

/** A place in a file: bytes before it, and the number of its line, from 1 on. */
export interface FilePosition {
  readonly offset: number;
  readonly line: number;
}

/** A row: its bytes with its line break, and why they cannot be read as cells. */
export interface CutRow {
  /** The line on which the row begins. */
  readonly line: number;
  /** The byte after the row, at which reading can resume, and the number of its line. */
  readonly offset: number;
  readonly nextLine: number;
  /** Empty of a row that is too long. */
  readonly bytes: Buffer;
  /** Null if they can. */
  readonly fault: string | null;
}

export const FILE_START: FilePosition = { offset: 0, line: 1 };

/** The longest row, without its line break. No more of a file than this and a chunk is held. */
export const ROW_LIMIT_BYTES = 65_536;
/** With its line break. */
const HELD_BYTES_MAX = ROW_LIMIT_BYTES + 2;

const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;
const BOM = Buffer.from(BYTE_ORDER_MARK);
const NOTHING = Buffer.alloc(0);

const MISSING_QUOTE = 'the closing quote of a cell is missing';
const TOO_LONG = `the row is longer than ${ROW_LIMIT_BYTES} bytes`;

/** Where the scan is in a cell: `closed` is after a quote inside quotes. */
type CellState = 'begin' | 'plain' | 'quoted' | 'closed';

interface Scan {
  /** Bytes of the row that were scanned. */
  at: number;
  /** Line breaks among them, and where the first one ends. */
  breaks: number;
  firstLineEnd: number;
  state: CellState;
  fault: string | null;
  /** The row's first bytes are no longer held. */
  isCutOff: boolean;
}

/**
 * The rows of a file in UTF-8, from a position on, without those whose cells are all empty and
 * without the byte order mark. A row ends at the first line break (CRLF, LF or CR) outside of quotes.
 * A row with broken quotes, or longer than ROW_LIMIT_BYTES, ends with its first line: the next line
 * begins a row.
 */
export async function* cutRows(
  bytes: AsyncIterable<Uint8Array>,
  from: FilePosition = FILE_START,
): AsyncGenerator<CutRow, undefined> {
  const cut = cutter(from);
  for await (const chunk of bytes) yield* cut(chunk, false);
  yield* cut(NOTHING, true);
}

function cutter(from: FilePosition) {
  let { offset, line } = from;
  let held: Buffer = NOTHING;
  let scan = newScan();
  let mayHaveBom = offset === 0;
  const drop = (count: number): void => {
    held = held.subarray(count);
    offset += count;
  };

  return function* cut(chunk: Uint8Array, isLast: boolean): Generator<CutRow> {
    held = held.length === 0 ? asBuffer(chunk) : Buffer.concat([held, chunk]);
    if (mayHaveBom) {
      if (held.length < BOM.length && !isLast) return;
      if (held.subarray(0, BOM.length).equals(BOM)) drop(BOM.length);
      mayHaveBom = false;
    }
    while (advance(scan, held, isLast)) {
      const { fault, isCutOff } = scan;
      const end = fault !== null && scan.breaks > 0 ? scan.firstLineEnd : scan.at;
      const isKept = fault === null || !(isCutOff || end > HELD_BYTES_MAX);
      const row = { line, bytes: isKept ? held.subarray(0, end) : NOTHING, fault };
      line += fault === null ? scan.breaks : Math.min(scan.breaks, 1);
      drop(end);
      scan = newScan();
      if (fault !== null || !isEmpty(row.bytes)) yield { ...row, offset, nextLine: line };
    }
    // Nothing is kept of a line that is too long: its row ends where the line does.
    if (scan.fault !== null && held.length > HELD_BYTES_MAX) {
      const isAtCr = held[scan.at] === CR;
      drop(isAtCr ? held.length - 1 : held.length);
      scan.at = 0;
      scan.isCutOff = true;
    }
  };
}

function newScan(): Scan {
  return { at: 0, breaks: 0, firstLineEnd: 0, state: 'begin', fault: null, isCutOff: false };
}

/** Scans on; true at the end of a row, false if more bytes are needed or none are left. */
function advance(scan: Scan, held: Buffer, isLast: boolean): boolean {
  while (scan.at < held.length) {
    const byte = held[scan.at];
    if (byte === LF || byte === CR) {
      // A line feed may follow in the next chunk.
      if (byte === CR && scan.at + 1 === held.length && !isLast) return false;
      scan.at += byte === CR && held[scan.at + 1] === LF ? 2 : 1;
      scan.breaks += 1;
      if (scan.breaks === 1) scan.firstLineEnd = scan.at;
      if (scan.state !== 'quoted' || scan.fault !== null) return true;
    } else {
      scan.at += 1;
      if (scan.fault === null) stepInCell(scan, byte);
    }
    if (scan.fault === null && scan.at > ROW_LIMIT_BYTES) {
      scan.fault = scan.state === 'quoted' ? `${TOO_LONG}, or ${MISSING_QUOTE}` : TOO_LONG;
    }
    if (scan.fault !== null && scan.breaks > 0) return true;
  }
  if (!isLast) return false;
  if (scan.state === 'quoted') scan.fault ??= MISSING_QUOTE;
  return scan.at > 0 || scan.fault !== null;
}

function stepInCell(scan: Scan, byte: number | undefined): void {
  const { state } = scan;
  if (byte === QUOTE) {
    if (state === 'plain') scan.fault = 'a quote is inside a cell that does not begin with one';
    scan.state = state === 'quoted' ? 'closed' : 'quoted';
  } else if (state !== 'quoted') {
    if (state === 'closed' && byte !== COMMA) {
      const text = 'text follows the closing quote of a cell';
      scan.fault = scan.breaks === 0 ? text : `${MISSING_QUOTE}, or ${text}`;
    }
    scan.state = byte === COMMA ? 'begin' : 'plain';
  }
}

const EMPTY_CELLS = /^(?:\s*|"\s*")(?:,(?:\s*|"\s*"))*\s*$/;
const LAST_ASCII = 127;

/** Whether no cell of a row has anything but blanks; spreadsheets write such rows at the end. */
function isEmpty(bytes: Buffer): boolean {
  const first = bytes[0] ?? LF;
  // Text begins a row of any other kind, and is not looked at.
  const mayBe = first <= QUOTE || first === COMMA || first > LAST_ASCII;
  return mayBe && EMPTY_CELLS.test(bytes.toString());
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
