/**
 * Draws a document for people as a PDF: what stands above, a table, what stands below. It lays out
 * first, since every page shows the page count.
 */
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { fill } from '../../../domain/text/fill.ts';
import type { InvoicePage } from '../../../domain/invoices/page.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { pictureOf } from '../logo.ts';
import { chooseFonts } from './fonts.ts';
import { createPen, openPicture, type Pen } from './pen.ts';
import { layHead, type HeadPage } from './invoice-head.ts';
import { paginate, type Block } from './pagination.ts';
import { margins, papers, styles } from './styles.ts';
import { createTypesetter, printable } from './typesetter.ts';
import type { HanForms } from './font-slices.ts';

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
