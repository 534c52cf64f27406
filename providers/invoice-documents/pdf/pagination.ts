/** Blocks of known heights → pages, so that nothing stands alone that belongs to what follows. */

export interface Block {
  readonly height: number;
  /** A heading, or the last row before its subtotal: never the last on a page. */
  readonly keepsWithNext?: boolean;
  /** Part of the table, above which its column headings stand on every page. */
  readonly isTable?: boolean;
  /** What stands in its place at the top of a page, where it needs to say more. */
  readonly atTop?: Block;
  readonly draw: (top: number) => void;
}

export interface Heights {
  /** What the first page has left, and what the others have. */
  readonly first: number;
  readonly next: number;
}

/** A block and how far below the top of its page it stands. */
export interface Placed {
  readonly block: Block;
  readonly offset: number;
}

/** At least one page. Blocks that belong together and fit on no page are parted after all. */
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
  // An empty page is left for another only if that one has more room.
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
