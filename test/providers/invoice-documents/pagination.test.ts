/** The distribution of blocks over pages: nothing is lost, cut off or separated. */
import test from 'ava';
import { paginate, type Block } from '../../../providers/invoice-documents/pdf/pagination.ts';
import { fc } from '../../support/random.ts';

const nothing = () => {};
const head: Block = { height: 10, draw: nothing };
const row = (height = 20): Block => ({ height, isTable: true, draw: nothing });
const heading = (): Block => ({ height: 20, isTable: true, keepsWithNext: true, draw: nothing });
const text = (): Block => ({ height: 20, draw: nothing });
const heights = { first: 60, next: 100 };

const shown = (blocks: readonly Block[]) => {
  const names = new Map<Block, string>([
    [head, 'head'],
    ...blocks.map((block, at) => [block, String(at)] as const),
  ]);
  return paginate(blocks, heights, head).map((page) =>
    page.map(({ block }) => names.get(block) ?? '?').join(' '),
  );
};

test('the column headings are above the table on each page, and nowhere else', (t) => {
  t.deepEqual(shown([row(), row(), row(), row(), row(), row(), row(), text()]), [
    'head 0 1',
    'head 2 3 4 5',
    'head 6 7',
  ]);
  t.deepEqual(shown([text(), text(), text(), text()]), ['0 1 2', '3']);
  t.deepEqual(shown([]), ['']);
});

test('a heading moves to the next page with its first row, a last row with its subtotal', (t) => {
  t.deepEqual(shown([row(), heading(), row(), row()]), ['head 0', 'head 1 2 3']);
  const last: Block = { ...row(), keepsWithNext: true };
  t.deepEqual(shown([row(), last, row()]), ['head 0', 'head 1 2']);
});

test('a block has more text at the top of a page than below others', (t) => {
  const more: Block = { height: 30, isTable: true, draw: nothing };
  const blocks = [row(), row(), { ...row(), atTop: more }];
  const pages = paginate(blocks, heights, head);
  t.is(pages[1]?.[1]?.block, more);
  const [, onFirst] = paginate([{ ...row(), atTop: more }], heights, head)[0] ?? [];
  t.not(onFirst?.block, more, 'the first page begins anyway');
});

test('related blocks that do not fit on one page are separated', (t) => {
  const chain = Array.from({ length: 6 }, () => heading());
  t.deepEqual(
    shown([...chain, row()])
      .join(' / ')
      .replaceAll('head ', ''),
    '0 1 / 2 / 3 4 5 6',
  );
});

test('every block is placed once, in order, within its page', (t) => {
  const block = fc.record({
    height: fc.integer({ min: 1, max: 40 }),
    keepsWithNext: fc.boolean(),
    isTable: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(block, { maxLength: 60 }), (shapes) => {
      const blocks: Block[] = shapes.map((shape) => ({ ...shape, draw: nothing }));
      const pages = paginate(blocks, heights, head);
      t.deepEqual(
        pages.flat().flatMap((placed) => (placed.block === head ? [] : [placed.block])),
        blocks,
      );
      for (const [index, page] of pages.entries()) {
        const bottom = page.at(-1);
        const used = bottom === undefined ? 0 : bottom.offset + bottom.block.height;
        t.true(used <= (index === 0 ? heights.first : heights.next));
      }
    }),
  );
});
