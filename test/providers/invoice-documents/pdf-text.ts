/** Extracts the text of each page of a PDF, as lines from the top down. */
import { getDocumentProxy } from 'unpdf';

interface Item {
  readonly str: string;
  readonly width: number;
  readonly transform: readonly number[];
}

export interface ReadPdf {
  readonly title: string;
  readonly pages: readonly (readonly string[])[];
}

/** Texts on one baseline become one line from left to right, with blanks for gaps. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { info } = await document.getMetadata();
  const pages: string[][] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(
      linesOf(items.filter((item): item is (typeof items)[number] & Item => 'str' in item)),
    );
  }
  const { Title } = info as { readonly Title?: unknown };
  return { title: String(Title), pages };
}

const GAP_POINTS_MIN = 1.2;

function linesOf(items: readonly Item[]): string[] {
  const lines = new Map<number, Item[]>();
  for (const item of items) {
    if (item.str.trim() === '') continue;
    const baseline = Math.round(item.transform[5] ?? 0);
    // Smaller text beside larger text may be a fraction of a point off.
    const near = [baseline, baseline - 1, baseline + 1].find((each) => lines.has(each)) ?? baseline;
    lines.set(near, [...(lines.get(near) ?? []), item]);
  }
  return [...lines].toSorted(([a], [b]) => b - a).map(([, parts]) => joined(parts));
}

function joined(parts: readonly Item[]): string {
  let text = '';
  let end = 0;
  for (const { str, width, transform } of parts.toSorted((a, b) => leftOf(a) - leftOf(b))) {
    const isApart = text !== '' && leftOf({ transform }) - end > GAP_POINTS_MIN;
    text += isApart ? ` ${str}` : str;
    end = leftOf({ transform }) + width;
  }
  // This reader returns a control character for the second glyph of a letter, which is not text.
  return text.replaceAll(/\p{Cc}/gu, '').replaceAll(/\s+/g, ' ');
}

function leftOf({ transform }: Pick<Item, 'transform'>): number {
  return transform[4] ?? 0;
}
