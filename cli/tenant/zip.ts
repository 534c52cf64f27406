/** Writes files into a zip archive, one after the other, whatever they are together. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { Zip, ZipDeflate } from 'fflate';

interface FileOfZip {
  readonly path: string;
  readonly content: string | Buffer;
}

/** Returns how many files the archive has. */
export async function zipTo(target: string, files: AsyncIterable<FileOfZip>): Promise<number> {
  const stream = createWriteStream(target, { flags: 'wx' });
  const written = finished(stream);
  // A failure is thrown by the last line, and nobody else awaits it before.
  written.catch(() => undefined);
  const zip = new Zip((error, chunk, isLast) => {
    if (error) stream.destroy(error);
    else stream.write(chunk);
    if (isLast) stream.end();
  });
  let count = 0;
  for await (const { path, content } of files) {
    const file = new ZipDeflate(path);
    zip.add(file);
    file.push(Buffer.from(content), true);
    count += 1;
    if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), written]);
  }
  zip.end();
  await written;
  return count;
}
