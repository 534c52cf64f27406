/**
 * Draws a document for people as a PDF: what stands above, a table, what stands below. It lays out
 * first, since every page shows the page count.
 */
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { fill } from '../../../domain/text/fill.ts';
import type { InvoicePage } from '../../../domain/invoices/page.ts';
import type { IsoDate } from '../../../domain/calendar/date.ts';
import { pictureOf } from '../logo.ts';
import { chooseFonts } from './fonts.ts';
import { hanFormsOf, textsOf } from './invoice-texts.ts';
import { createPen, openPicture } from './pen.ts';
import type { Pen } from './pen.ts';
import { layHead } from './invoice-head.ts';
import type { HeadPage } from './invoice-head.ts';
import { paginate } from './pagination.ts';
import type { Block } from './pagination.ts';
import { margins, papers, styles } from './styles.ts';
import { createTypesetter } from './typesetter.ts';

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
