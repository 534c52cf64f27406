/** Decodes a data: URI to a picture, validated so that drawing it cannot fail. */
import { inflateSync } from 'node:zlib';

export interface Picture {
  readonly type: 'image/png' | 'image/jpeg';
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The limits of a picture: its text, and its pixels once unpacked. */
export const LOGO_TEXT_LENGTH_MAX = 500_000;
const PIXELS_MAX = 4_000_000;

const dataUri = /^data:(image\/png|image\/jpeg);base64,([A-Za-z0-9+/]+={0,2})$/;

/** Undefined unless the text is a data: URI of a PNG or JPEG that can be drawn. */
export function pictureOf(uri: string): Picture | undefined {
  if (uri.length > LOGO_TEXT_LENGTH_MAX) return undefined;
  const [, type, encoded = ''] = dataUri.exec(uri) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  const size = type === 'image/png' ? pngSize(bytes) : jpegSize(bytes);
  if (size === undefined || size.width * size.height > PIXELS_MAX) return undefined;
  return { type: type === 'image/png' ? type : 'image/jpeg', bytes, ...size };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
/** Samples of a pixel by the PNG's colour type. */
const pngSamples = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/** The size of a complete PNG, whose unpacked length matches its header. */
function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(pngSignature)) return undefined;
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const samples = pngSamples.get(bytes.readUInt8(25));
  const isInterlaced = bytes.readUInt8(28) !== 0;
  if (width * height === 0 || width * height > PIXELS_MAX || samples === undefined)
    return undefined;
  if (isInterlaced) return undefined;
  const rowBytes = 1 + Math.ceil((width * samples * bytes.readUInt8(24)) / 8);
  const packed = pngData(bytes);
  if (packed === undefined) return undefined;
  try {
    const unpacked = inflateSync(packed, { maxOutputLength: rowBytes * height });
    if (unpacked.length !== rowBytes * height) return undefined;
    // Each row begins with the number of one of five filters.
    for (let at = 0; at < unpacked.length; at += rowBytes) {
      if (unpacked.readUInt8(at) > 4) return undefined;
    }
    return { width, height };
  } catch {
    return undefined;
  }
}

function pngData(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  let isPaletteNeeded = bytes.readUInt8(25) === 3;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (at + 12 + length > bytes.length) return undefined;
    if (kind === 'PLTE') isPaletteNeeded = false;
    if (kind === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length));
    if (kind === 'IEND') return isPaletteNeeded ? undefined : Buffer.concat(parts);
    at += 12 + length;
  }
  return undefined;
}

/** The size from the frame header; the viewer unpacks the pixels. */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
      return size.width * size.height === 0 ? undefined : size;
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
