/** Distributes blocks of known heights over pages, and keeps related blocks together. */

export interface Block {
  readonly height: number;
  /** A heading, or the last row before its subtotal: never the last on a page. */
  readonly keepsWithNext?: boolean;
  /** Part of the table, above which its column headings stand on every page. */
  readonly isTable?: boolean;
  /** The last block of all, which stands at the bottom of its page. */
  readonly isAtBottom?: boolean;
  /** The replacement for the block at the top of a page, where it needs more context. */
  readonly atTop?: Block;
  readonly draw: (top: number) => void;
}

export interface Heights {
  /** The room of the first page, and of the others. */
  readonly first: number;
  readonly next: number;
}

/** A block and how far below the top of its page it stands. */
export interface Placed {
  readonly block: Block;
  readonly offset: number;
}

/** At least one page. Related blocks that do not fit on one page are separated. */
export function paginate(blocks: readonly Block[], heights: Heights, tableHead: Block): Placed[][] {
  const pages: Placed[][] = [];
  let page: Placed[] = [];
  let used = 0;
  let hasHead = false;
  const put = (block: Block) => {
    page.push({ block, offset: used });
    used += block.height;
  };
  const space = () => (pages.length === 0 ? heights.first : heights.next);
  const withHead = (chain: readonly Block[], isThere: boolean) => {
    const needsHead = !isThere && chain.some(({ isTable }) => isTable === true);
    return heightOf(chain) + (needsHead ? tableHead.height : 0);
  };
  // Leave an empty page only if the next one has more room.
  const mayTurn = () => page.length > 0 || (pages.length === 0 && heights.first < heights.next);
  for (let at = 0; at < blocks.length;) {
    let chain = chainFrom(blocks, at);
    if (withHead(chain, false) > heights.next) chain = chain.slice(0, 1);
    if (mayTurn() && used + withHead(chain, hasHead) > space()) {
      pages.push(page);
      page = [];
      used = 0;
      hasHead = false;
    }
    at += chain.length;
    for (const block of chain) {
      if (block.isTable === true && !hasHead) {
        put(tableHead);
        hasHead = true;
      }
      const isAtTop = page.every((placed) => placed.block === tableHead);
      put(isAtTop && pages.length > 0 ? (block.atTop ?? block) : block);
    }
  }
  pages.push(page);
  return pages;
}

function chainFrom(blocks: readonly Block[], start: number): readonly Block[] {
  let end = start;
  while (blocks[end]?.keepsWithNext === true && end + 1 < blocks.length) end += 1;
  return blocks.slice(start, end + 1);
}

function heightOf(chain: readonly Block[]): number {
  return chain.reduce((sum, { height }) => sum + height, 0);
}
