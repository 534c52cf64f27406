/**
 * Draws a document for people as a PDF: what stands above, a table, what stands below. It lays out
 * first, since every page shows the page count.
 */
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { fill } from '../../../domain/text/fill.ts';
import type { InvoicePage, Labelled } from '../../../domain/invoices/page.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { pictureOf } from '../logo.ts';
import { chooseFonts } from './fonts.ts';
import { type OpenPicture, type Pen, createPen, openPicture } from './pen.ts';
import { type Block, paginate } from './pagination.ts';
import { colors, leading, logoBox, margins, papers, styles } from './styles.ts';
import { type TextLine, type TextStyle, createTypesetter, printable } from './typesetter.ts';
import type { HanForms } from './font-slices.ts';
import type { Party } from '../../../domain/invoices/page-parties.ts';

/** Above the content of every page but the first. */
const RUNNING_HEAD_HEIGHT = 26;

/** What every document has; all of its texts are in it. */
export interface DocumentPage extends HeadPage, Pick<InvoicePage, 'language' | 'locale' | 'paper'> {
  readonly words: Pick<InvoicePage['words'], 'page'>;
}

export interface Content {
  /** The headings of the table, again on each of its pages. */
  readonly tableHead: Block;
  readonly blocks: readonly Block[];
}

export interface DocumentSpec {
  /** The document's own day, so that the same document gives the same bytes. */
  readonly createdOn: IsoDate;
  readonly lay: (pen: Pen) => Promise<Content>;
}

export async function documentPdf(
  page: DocumentPage,
  { createdOn, lay }: DocumentSpec,
): Promise<Buffer> {
  const codePoints = new Set<number>();
  for (const text of new Set(textsOf(page))) {
    for (const character of text) codePoints.add(character.codePointAt(0) ?? 0);
  }
  const choice = await chooseFonts(codePoints, hanFormsOf(page));
  const document = openDocument(page, createdOn);
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const isDone = Promise.withResolvers<void>();
  document.on('end', isDone.resolve);
  document.on('error', isDone.reject);

  const pen = createPen(document, createTypesetter(document, choice), papers[page.paper]);
  const picture = page.sender.logo === null ? undefined : pictureOf(page.sender.logo);
  const logo = picture === undefined ? undefined : await openPicture(document, picture);
  const head = layHead(page, pen, logo);
  const { tableHead, blocks } = await lay(pen);
  const bottom = pen.height - margins.bottom;
  const top = margins.top + RUNNING_HEAD_HEIGHT;
  const pages = paginate(
    blocks,
    { first: bottom - margins.top - head.height, next: bottom - top },
    tableHead,
  );
  for (const [index, placed] of pages.entries()) {
    document.addPage();
    if (index === 0) head.draw(margins.top);
    else drawRunningHead(page, pen);
    const start = index === 0 ? margins.top + head.height : top;
    for (const { block, offset } of placed) {
      block.draw(block.isAtBottom === true ? bottom - block.height : start + offset);
    }
    const number = { page: String(index + 1), pages: String(pages.length) };
    drawFoot(page, pen, fill(page.words.page, number));
    // Yield, so that a long document does not delay others.
    await setImmediate();
  }
  document.end();
  await isDone.promise;
  return Buffer.concat(chunks);
}

/** The PDF contains no rendering time. */
function openDocument(page: DocumentPage, createdOn: IsoDate): PDFKit.PDFDocument {
  const { width, height } = papers[page.paper];
  return new PDFDocument({
    size: [width, height],
    margin: 0,
    autoFirstPage: false,
    lang: page.language,
    displayTitle: true,
    pdfVersion: '1.7',
    info: {
      Title: `${page.title} · ${page.sender.name}`,
      Author: page.sender.name,
      Creator: 'Sundial',
      Producer: 'Sundial',
      CreationDate: new Date(`${createdOn}T00:00:00Z`),
    },
  });
}

function drawRunningHead(page: DocumentPage, pen: Pen): void {
  pen.text(page.title, styles.running, { left: pen.left, top: margins.top - 8 });
  const width = pen.width / 2;
  pen.textEnding(page.recipient.name, styles.running, { width, top: margins.top - 8 });
  pen.rule({ top: margins.top + 8 });
}

function drawFoot(page: DocumentPage, pen: Pen, number: string): void {
  const top = pen.height - margins.bottom + 26;
  pen.text(page.sender.name, styles.running, { left: pen.left, top, width: pen.width * 0.6 });
  pen.textEnding(number, styles.running, { width: pen.width * 0.3, top });
}

/* The texts that a document prints, and the country whose forms its Han characters have. */

/** All printed texts, to select fonts; extra texts do no harm. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield printable(value);
  else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) yield* textsOf(part);
  }
}

const byLanguage: ReadonlyMap<string, HanForms> = new Map([
  ['ja', 'jp'],
  ['ko', 'kr'],
]);

/** The customer's locale decides; if it uses another script, kana or hangul in the names do. */
function hanFormsOf(page: Pick<InvoicePage, 'locale' | 'recipient' | 'sender'>): HanForms {
  const { language, script } = new Intl.Locale(page.locale).maximize();
  if (language === 'zh') return script === 'Hant' ? 'tc' : 'sc';
  const known = byLanguage.get(language);
  if (known !== undefined) return known;
  const names = [...textsOf([page.recipient, page.sender.name, page.sender.lines])].join(' ');
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(names)) return 'jp';
  return /\p{Script=Hangul}/u.test(names) ? 'kr' : 'sc';
}

/* The parts above the table: sender, title, recipient, facts. */

/** What the head shows, of an invoice or another document. */
type HeadPage = Pick<
  InvoicePage,
  'sender' | 'title' | 'stamp' | 'recipientLabel' | 'recipient' | 'facts'
>;

/** Always on the first page. */
function layHead(page: HeadPage, pen: Pen, logo: OpenPicture | undefined): Block {
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
  const width = page.stamp === null ? pen.width : pen.width * 0.7;
  const title = pen.typesetter.lines(page.title, styles.title, width);
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
  const facts = factsOf(page.facts, pen, pen.width * 0.48);
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

/** A value has the width that its label leaves. */
function factsOf(facts: readonly Labelled[], pen: Pen, width: number): Block {
  const { typesetter } = pen;
  const rows = facts.map(({ label: text, value }) => {
    const label = typesetter.lines(text, styles.soft, width * 0.5);
    const left = width - Math.max(...label.map((line) => line.width)) - 12;
    return { label, value: typesetter.lines(value, styles.body, left) };
  });
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
