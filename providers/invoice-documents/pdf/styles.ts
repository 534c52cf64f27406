/** The look of the PDF: its papers, margins, colours and sizes of type. */
import type { InvoicePage } from '../../../domain/invoices/page.ts';
import type { TextStyle } from './typesetter.ts';

/** The sizes of a page, in points. */
export const papers: Readonly<
  Record<InvoicePage['paper'], { readonly width: number; readonly height: number }>
> = {
  a4: { width: 595.28, height: 841.89 },
  letter: { width: 612, height: 792 },
};

export const margins = { side: 50, top: 48, bottom: 64 } as const;
export const logoBox = { width: 170, height: 56 } as const;

export const colors = {
  ink: '#1d2733',
  soft: '#5b6876',
  rule: '#d5dbe1',
  tint: '#f3f5f7',
  paid: '#1c7a43',
  cancelled: '#b3261e',
  carriedOver: '#7a5a00',
} as const;

const style = (size: number, weight: TextStyle['weight'], color: string): TextStyle => ({
  size,
  weight,
  color,
});

export const styles = {
  title: style(22, 700, colors.ink),
  name: style(11, 700, colors.ink),
  body: style(9, 400, colors.ink),
  bold: style(9, 700, colors.ink),
  soft: style(9, 400, colors.soft),
  head: style(8, 700, colors.soft),
  detail: style(8, 400, colors.soft),
  total: style(12, 700, colors.ink),
  foot: style(8, 400, colors.ink),
  running: style(8, 400, colors.soft),
} as const;

/** The distance from one baseline to the next, with room for the marks of Thai and Arabic. */
export function leading(of: TextStyle): number {
  return of.size * 1.42;
}

/** The distance from the top of a line to its baseline. */
export function rise(of: TextStyle): number {
  return of.size * 1.05;
}
