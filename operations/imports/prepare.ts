/** Reads a finalized file once, before anything of it is stored: its columns, and how many rows. */
import type { UploadKind } from '../../domain/imports/batch.ts';
import { ImportFileFault } from '../../domain/imports/file-fault.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  type ImportJob,
  beginJob,
  isQueuedInit,
  readChildIds,
  readJob,
  refuseFile,
} from '../../db/queries/imports/jobs.ts';
import { FILE_BYTES_MAX, StorageError } from '../../providers/storage/storage.ts';
import { keyColumns } from './chunk.ts';
import { type SliceHooks, type SliceOptions, watched } from './slice.ts';
import { isUtf8 } from 'node:buffer';
import { checkColumns } from '../../domain/imports/columns.ts';
import { nearest } from '../context/nearest.ts';
import { type CutRow, type FilePosition, cutRows } from './cut-rows.ts';
import { cellsOf, readHeader } from './rows.ts';

export interface PreparedImport {
  /** `init` carries books over, and has no file. */
  readonly kind: UploadKind | 'init';
  /** The jobs of line items. */
  readonly childIds: readonly number[];
  /** 0 of a file that was refused. */
  readonly rowCount: number;
}

export const LOST_FILE = 'The file is no longer the one that was finalized.';

/** Null if there is no such job to be done. Repeating it is harmless. */
export async function prepareImport(
  options: SliceOptions,
  jobId: number,
  hooks: SliceHooks,
): Promise<PreparedImport | null> {
  const { dependencies, tenantId } = options;
  const [job, childIds, isInit] = await inTenant(
    dependencies.db,
    tenantId,
    (tx) => Promise.all([readJob(tx, jobId), readChildIds(tx, jobId), isQueuedInit(tx, jobId)]),
    { readOnly: true },
  );
  if (isInit) return { kind: 'init', childIds: [], rowCount: 0 };
  if (job === null || job.status !== 'Queued') return null;
  const { kind } = job;
  if (job.columns !== null) return { kind, childIds, rowCount: job.rowCount ?? 0 };
  const now = new Date(dependencies.realNow());
  try {
    const { columns, rowCount, start } = await readOnce(options, job, hooks);
    const found = { columns, rowCount, ...start };
    await inTenant(dependencies.db, tenantId, async (tx) => beginJob(tx, jobId, found, now));
    return { kind, childIds, rowCount };
  } catch (error) {
    const message = refusalOf(error);
    if (message === null) throw error;
    await inTenant(dependencies.db, tenantId, async (tx) => refuseFile(tx, jobId, message, now));
    return { kind, childIds, rowCount: 0 };
  }
}

async function readOnce(
  { dependencies: { storage }, tenantId, readers }: SliceOptions,
  { id: batchId, kind, etag }: ImportJob,
  hooks: SliceHooks,
) {
  const file = await storage.get({ tenantId, batchId, kind: 'upload' }, { etag });
  try {
    if (file.size > FILE_BYTES_MAX.upload) {
      throw new ImportFileFault('tooLarge', 'The file is larger than 1 GiB.');
    }
    const rules = { known: readers[kind].columns, key: keyColumns[kind] };
    return await checkFile(watched(file.content, hooks), rules);
  } finally {
    file.content.destroy();
  }
}

/** Why the file cannot be imported; null if the error says nothing about it. */
function refusalOf(error: unknown): string | null {
  if (error instanceof ImportFileFault) return error.message;
  return isLost(error) ? LOST_FILE : null;
}

/** Whether the upload is not the one that was finalized: nothing can be done about it. */
export function isLost(error: unknown): boolean {
  return error instanceof StorageError && (error.kind === 'missing' || error.kind === 'changed');
}

/* Decides before anything is imported whether a file can be imported at all. */

interface CheckedFile {
  readonly columns: readonly string[];
  /** Where the rows begin. */
  readonly start: FilePosition;
  /** How many there are, faulty ones too. */
  readonly rowCount: number;
}

interface FileRules {
  /** The columns that a file may have, and the one that it must have. */
  readonly known: readonly string[];
  readonly key: string;
}

/** Exports have titles and dates above the names of their columns. */
const ROWS_ABOVE_MAX = 20;
/** `email` is a part of `emailPrimary`; fewer letters are a part of too many names. */
const PART_LENGTH_MIN = 4;

/**
 * Reads a whole file once and stores nothing. Throws an ImportFileFault, whose message is for the
 * tenant, if no row of the file can be imported: no rows, not text in UTF-8, wrong columns.
 */
export async function checkFile(
  bytes: AsyncIterable<Uint8Array>,
  rules: FileRules,
): Promise<CheckedFile> {
  const rows = cutRows(textOnly(bytes));
  const { columns, start } = await readHeader(rows);
  let rowCount = 0;
  try {
    try {
      checkColumns(columns, { ...rules, nearest: (name) => nearestOf(name, rules.known) });
    } catch (error) {
      throw columns.includes(rules.key) ? error : ((await headerBelow(rows, rules)) ?? error);
    }
    for await (const _ of rows) rowCount += 1;
  } finally {
    await rows.return(undefined);
  }
  if (rowCount === 0) {
    throw new ImportFileFault('noRows', 'The file names columns, but it has no rows.');
  }
  return { columns, start, rowCount };
}

/** A refusal that says which line names the columns, if it is one of the next. */
async function headerBelow(
  rows: AsyncGenerator<CutRow, undefined>,
  { key }: FileRules,
): Promise<ImportFileFault | null> {
  for (let above = 1; above <= ROWS_ABOVE_MAX; above += 1) {
    const { value: row } = await rows.next();
    if (row === undefined) return null;
    if (row.fault !== null || !cellsOf(row.bytes).includes(key)) continue;
    const text = `The first line should name the columns, which line ${row.line} does.`;
    return new ImportFileFault('header', `${text} Remove the lines above it.`);
  }
  return null;
}

/** A name of other systems is the same but for capitals and signs, or a part of ours. */
function nearestOf(name: string, known: readonly string[]): string | null {
  const plain = plainOf(name);
  const byPlain = new Map(known.map((each) => [plainOf(each), each]));
  const isPart = (each: string): boolean => plain.length >= PART_LENGTH_MIN && each.includes(plain);
  const found = nearest(plain, byPlain.keys()) ?? [...byPlain.keys()].find(isPart);
  return found === undefined ? null : (byPlain.get(found) ?? null);
}

const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/* Checks while a file is read that it is text in UTF-8, whatever its length. */

const LF = 10;
const CR = 13;
const NOTHING = Buffer.alloc(0);

interface Kind {
  /** The first bytes of such files. */
  readonly begins: readonly Buffer[];
  readonly is: string;
  /** How it becomes a file that can be imported. */
  readonly way: string;
}

const AS_UTF8 = 'Save it as "CSV UTF-8", or convert it to UTF-8.';
const UNPACK = 'Unpack it, and upload what is in it.';

const plain = (...texts: readonly string[]): Buffer[] => texts.map((text) => Buffer.from(text));
const hex = (...texts: readonly string[]): Buffer[] =>
  texts.map((text) => Buffer.from(text, 'hex'));

const utf16: Kind = { begins: hex('fffe', 'feff'), is: 'text in UTF-16', way: AS_UTF8 };

/** Files that people take for CSV; the longer beginning comes first. */
const kinds: readonly Kind[] = [
  {
    begins: plain('PK\u0003\u0004', 'PK\u0005\u0006'),
    is: 'a workbook or another ZIP archive',
    way: 'Save the sheet as "CSV UTF-8"; unpack an archive.',
  },
  {
    begins: hex('d0cf11e0'),
    is: 'a workbook of an old Excel',
    way: 'Save the sheet as "CSV UTF-8".',
  },
  {
    begins: plain('<'),
    is: 'HTML or XML',
    way: 'Open it in a spreadsheet, and save it as "CSV UTF-8".',
  },
  { begins: plain('[{', '{"'), is: 'JSON', way: 'Export it as CSV.' },
  { begins: plain('%PDF', '{\\rt'), is: 'a document', way: 'Export the data as CSV.' },
  { begins: hex('1f8b'), is: 'a gzip archive', way: UNPACK },
  {
    begins: [...hex('28b52ffd', 'fd377a58', '377abcaf'), ...plain('BZh', 'Rar!')],
    is: 'an archive',
    way: UNPACK,
  },
  { begins: hex('fffe0000', '0000feff'), is: 'text in UTF-32', way: AS_UTF8 },
  utf16,
];
const SIGNATURE_BYTES = 4;

/**
 * The same bytes. Throws an ImportFileFault at the first byte that is no text, which names its
 * line, and for files of other kinds and encodings, with the way out.
 */
async function* textOnly(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
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
  const found = kinds.find(({ begins }) =>
    begins.some((bytes) => start.subarray(0, bytes.length).equals(bytes)),
  );
  const kind = found ?? (isUnmarkedUtf16(start) ? utf16 : null);
  if (kind === null) return;
  const reason = kind.way === AS_UTF8 ? 'notUtf8' : 'binary';
  throw new ImportFileFault(reason, `The file is ${kind.is}, not CSV in UTF-8. ${kind.way}`);
}

/** Names of columns have plain letters, of which each second byte is zero then. */
function isUnmarkedUtf16([first, second, third, fourth]: Buffer): boolean {
  const isZero = [first, second, third, fourth].map((byte) => byte === 0).join();
  return isZero === 'false,true,false,true' || isZero === 'true,false,true,false';
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
  if (wrong < 0) return;
  const text = `Line ${line} is not text in UTF-8: the file is in another encoding`;
  throw new ImportFileFault('notUtf8', `${text}, often Windows-1252. ${AS_UTF8}`);
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
