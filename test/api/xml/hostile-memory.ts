/**
 * Entry: reads each hostile document, 8 MiB of it, several times, and prints how it was refused.
 * The parent process limits its memory.
 */
import { documents, readingOf } from './hostile-documents.ts';

const BYTES = 8 * 1024 * 1024;
const ROUNDS = 5;

for (const [name, make] of Object.entries(documents)) {
  const document = Buffer.from(make(BYTES));
  const readings = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) readings.add(readingOf(document));
  console.log(name, [...readings].join());
}
