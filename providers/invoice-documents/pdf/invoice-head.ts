/** The parts above the table: sender, title, recipient, facts. */
import type { Party } from '../../../domain/invoices/page-parties.ts';
import type { InvoicePage, Labelled } from '../../../domain/invoices/page.ts';
import type { Block } from './pagination.ts';
import type { OpenPicture, Pen } from './pen.ts';
import { colors, leading, logoBox, styles } from './styles.ts';
import type { TextLine, TextStyle } from './typesetter.ts';

/** What the head shows, of an invoice or another document. */
export type HeadPage = Pick<
  InvoicePage,
  'sender' | 'title' | 'stamp' | 'recipientLabel' | 'recipient' | 'facts'
>;

/** Always on the first page. */
export function layHead(page: HeadPage, pen: Pen, logo: OpenPicture | undefined): Block {
  const parts = [laySender(page, pen, logo), layTitle(page, pen), layParties(page, pen)];
  return {
    height: parts.reduce((sum, { height }) => sum + height, 0),
    draw(top) {
      let at = top;
      for (const part of parts) {
        part.draw(at);
        at += part.height;
      }
    },
  };
}

function laySender({ sender }: HeadPage, pen: Pen, logo: OpenPicture | undefined): Block {
  const party = partyOf(sender, pen, pen.width - logoBox.width - 24);
  return {
    height: Math.max(logo === undefined ? 0 : logoBox.height, party.height) + 26,
    draw(top) {
      if (logo !== undefined) pen.picture(logo, fitted(logo, pen.left, top));
      party.draw({ top, left: pen.left, right: pen.right });
    },
  };
}

function fitted({ width, height }: OpenPicture, left: number, top: number) {
  const scale = Math.min(logoBox.width / width, logoBox.height / height, 1);
  return { left, top, width: width * scale, height: height * scale };
}

function layTitle(page: HeadPage, pen: Pen): Block {
  const title = pen.typesetter.lines(page.title, styles.title, pen.width * 0.7);
  const height = title.length * leading(styles.title);
  return {
    height: height + 14,
    draw(top) {
      pen.lines(title, styles.title, { left: pen.left, top });
      if (page.stamp !== null) drawStamp(page.stamp, pen, { title, top });
    },
  };
}

function drawStamp(
  { kind, text }: NonNullable<HeadPage['stamp']>,
  pen: Pen,
  { title, top }: { readonly title: readonly TextLine[]; readonly top: number },
): void {
  const style: TextStyle = { size: 13, weight: 700, color: colors[kind] };
  const word = pen.typesetter.line(text.toUpperCase(), style);
  const left = pen.left + (title[0]?.width ?? 0) + 18;
  const area = { left, top: top + 4, width: word.width + 20, height: leading(style) + 5 };
  pen.frame(area, colors[kind]);
  pen.lines([word], style, { left: left + 10, top: top + 7 });
}

function layParties(page: HeadPage, pen: Pen): Block {
  const label = pen.typesetter.line(page.recipientLabel, styles.head);
  const recipient = partyOf(page.recipient, pen, pen.width * 0.48);
  const facts = factsOf(page.facts, pen, pen.width * 0.46);
  const labelHeight = leading(styles.head) + 2;
  return {
    height: Math.max(labelHeight + recipient.height, facts.height) + 24,
    draw(top) {
      pen.lines([label], styles.head, { left: pen.left, top });
      recipient.draw({ top: top + labelHeight, left: pen.left });
      facts.draw(top);
    },
  };
}

interface LaidParty {
  readonly height: number;
  readonly draw: (at: {
    readonly top: number;
    readonly left: number;
    readonly right?: number;
  }) => void;
}

function partyOf({ name, lines }: Party, pen: Pen, width: number): LaidParty {
  const { typesetter } = pen;
  const names = typesetter.lines(name, styles.name, width);
  const rest = lines.flatMap((line) => typesetter.lines(line, styles.body, width));
  const namesHeight = names.length * leading(styles.name);
  return {
    height: namesHeight + rest.length * leading(styles.body),
    draw({ top, ...sides }) {
      pen.lines(names, styles.name, { top, ...sides });
      pen.lines(rest, styles.body, { top: top + namesHeight, ...sides });
    },
  };
}

function factsOf(facts: readonly Labelled[], pen: Pen, width: number): Block {
  const { typesetter } = pen;
  const rows = facts.map(({ label, value }) => ({
    label: typesetter.lines(label, styles.soft, width * 0.5),
    value: typesetter.lines(value, styles.body, width * 0.5 - 12),
  }));
  const heights = rows.map(
    ({ label, value }) => Math.max(label.length, value.length) * leading(styles.body) + 2,
  );
  return {
    height: heights.reduce((sum, height) => sum + height, 0),
    draw(top) {
      let at = top;
      for (const [index, { label, value }] of rows.entries()) {
        pen.lines(label, styles.soft, { left: pen.right - width, top: at });
        pen.lines(value, styles.body, { left: 0, top: at, right: pen.right });
        at += heights[index] ?? 0;
      }
    },
  };
}
