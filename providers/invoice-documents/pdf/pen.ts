/** Draws on the current page in its own terms: lines of text from their tops, rules, boxes. */
import { setImmediate } from 'node:timers/promises';
import type { Picture } from '../logo.ts';
import { colors, leading, margins, rise } from './styles.ts';
import type { TextLine, TextStyle, Typesetter } from './typesetter.ts';
import type { PdfDocument } from './readable-font.ts';

export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Pen {
  /** The height of the paper. */
  readonly height: number;
  /** Between the margins. */
  readonly left: number;
  readonly width: number;
  readonly right: number;
  readonly typesetter: Typesetter;
  /** Draws the lines from the top down; they end at `right` if that is given. */
  readonly lines: (
    lines: readonly TextLine[],
    style: TextStyle,
    at: { readonly left: number; readonly top: number; readonly right?: number },
  ) => void;
  /** One line; what does not fit into the width is left out. */
  readonly text: (
    text: string,
    style: TextStyle,
    at: { readonly left: number; readonly top: number; readonly width?: number },
  ) => void;
  /** One line that ends at the right margin. */
  readonly textEnding: (
    text: string,
    style: TextStyle,
    at: { readonly top: number; readonly width: number },
  ) => void;
  readonly rule: (at: {
    readonly top: number;
    readonly left?: number;
    readonly right?: number;
    readonly isStrong?: boolean;
  }) => void;
  readonly box: (area: Area, color: string) => void;
  readonly frame: (area: Area, color: string) => void;
  readonly picture: (picture: OpenPicture, area: Area) => void;
}

/** A picture that is part of a document already. */
export interface OpenPicture {
  readonly width: number;
  readonly height: number;
}

interface LibraryPicture extends OpenPicture {
  readonly embed: (document: PdfDocument) => void;
  /** Null once the pixels of a picture with transparency are unpacked; a JPEG has none. */
  readonly image?: unknown;
}

/**
 * Adds a picture to the document. It waits for another thread to unpack transparency, so that the
 * order of a document's parts is always the same.
 */
export async function openPicture(document: PdfDocument, { bytes }: Picture): Promise<OpenPicture> {
  const { openImage } = document as unknown as { openImage: (bytes: Buffer) => LibraryPicture };
  const picture = openImage.call(document, bytes);
  picture.embed(document);
  while (picture.image !== null && picture.image !== undefined) await setImmediate();
  return picture;
}

export function createPen(
  document: PdfDocument,
  typesetter: Typesetter,
  paper: { readonly width: number; readonly height: number },
): Pen {
  const left = margins.side;
  const right = paper.width - margins.side;
  const lines: Pen['lines'] = (drawn, style, at) => {
    for (const [index, line] of drawn.entries()) {
      const x = at.right === undefined ? at.left : at.right - line.width;
      typesetter.draw(line, style, { x, y: at.top + index * leading(style) + rise(style) });
    }
  };
  const first = (text: string, style: TextStyle, width: number) =>
    typesetter.lines(text, style, width).slice(0, 1);
  return {
    height: paper.height,
    left,
    right,
    width: right - left,
    typesetter,
    lines,
    text(text, style, { left: from, top, width = right - from }) {
      lines(first(text, style, width), style, { left: from, top });
    },
    textEnding(text, style, { top, width }) {
      lines(first(text, style, width), style, { left, top, right });
    },
    rule({ top, left: from = left, right: to = right, isStrong = false }) {
      document.lineWidth(isStrong ? 1 : 0.5).strokeColor(isStrong ? colors.ink : colors.rule);
      document.moveTo(from, top).lineTo(to, top).stroke();
    },
    box({ left: x, top, width, height }, color) {
      document.rect(x, top, width, height).fill(color);
    },
    frame({ left: x, top, width, height }, color) {
      document.lineWidth(1.2).strokeColor(color).roundedRect(x, top, width, height, 3).stroke();
    },
    picture(picture, { left: x, top, width, height }) {
      document.image(picture as unknown as PDFKit.Mixins.ImageSrc, x, top, { width, height });
    },
  };
}
