/** PNG pictures made by hand, valid and broken. */
import { crc32, deflateSync } from 'node:zlib';

export interface PngOptions {
  /** 6 is red, green, blue and transparency; 2 has no transparency. */
  readonly colorType?: 2 | 6;
  readonly isInterlaced?: boolean;
  /** The packed rows; valid ones by default. */
  readonly rows?: Buffer;
}

export function pngOf(width: number, height: number, options: PngOptions = {}): Buffer {
  const { colorType = 6, isInterlaced = false } = options;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colorType, 0, 0, isInterlaced ? 1 : 0], 8);
  const samples = colorType === 6 ? 4 : 3;
  const row = Buffer.alloc(1 + width * samples, 0x7f);
  row[0] = 0;
  const rows = options.rows ?? Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

export function uriOf(bytes: Buffer, type = 'image/png'): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}
