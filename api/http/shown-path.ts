/** What logs and the audit log may have of a path: never the token of a hosted page. */
import type { Route } from '../calls/route-types.ts';
import type { ApiContext, Next } from './context.ts';

const MASK = ':token';

/**
 * Below the first words of pages, such as `/signup/`, everything may be a token, or most of one,
 * whether there is such an address or not. Where there is one, its pattern is shown.
 */
export function shownPath(
  routes: readonly Route[],
): (ctx: ApiContext, next: Next) => Promise<unknown> {
  const pages = routes.filter(({ credentials }) => credentials === 'token');
  const words = new Set(pages.map(({ path }) => firstWordOf(path)));
  return (ctx, next) => {
    const word = firstWordOf(ctx.path);
    ctx.state.shownPath = words.has(word) ? `/${word}/${MASK}` : ctx.path;
    return next();
  };
}

/** As people may mistype it: other cases, doubled slashes, escaped letters. */
function firstWordOf(path: string): string {
  const [word = ''] = decoded(path)
    .replace(/^[/\\]+/, '')
    .split(/[/\\]/, 1);
  return word.toLowerCase();
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
