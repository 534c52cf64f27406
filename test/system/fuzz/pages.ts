/** Visits the hosted pages of a tenant by their links, and keeps the forms that they show. */
import type { TenantApi } from '../../api/tenant-api.ts';
import { send } from '../../api/support.ts';
import type { Pairs } from './hostile.ts';

export interface PageForm {
  /** Its path, and that of the page if it names none. */
  readonly action: string;
  readonly fields: Pairs;
}

export interface Pages {
  readonly paths: readonly string[];
  readonly forms: readonly PageForm[];
}

/** Of two pages that differ in an id alone, one shows what both are. */
const kindOf = (path: string): string =>
  path.replace(/[?#].*/, '').replaceAll(/\/\d+(?=\/|\.|$)/g, '/:id');

/** Goes from these paths to all that they link to on the tenant's host. */
export async function visitAll(
  { port, label }: Pick<TenantApi, 'port' | 'label'>,
  starts: readonly string[],
): Promise<Pages> {
  const found = new Map(starts.map((path) => [kindOf(path), path]));
  const forms = new Map<string, PageForm>();
  // The map grows meanwhile, and gives what was added, too.
  for (const path of found.values()) {
    const { body, headers } = await send(port, { path, host: `${label}.localhost`, auth: null });
    const origin = `http://${label}.localhost`;
    const add = (to: string): void => {
      const { origin: of, pathname, search } = new URL(to.replaceAll('&amp;', '&'), origin + path);
      if (new URL(of).hostname !== `${label}.localhost`) return;
      const kind = kindOf(pathname);
      if (!found.has(kind)) found.set(kind, pathname + search);
    };
    if (headers.location !== undefined) add(headers.location);
    for (const [, href = ''] of body.matchAll(/<a [^>]*href="([^"]+)"/g)) add(href);
    for (const form of formsIn(body, path)) {
      forms.set(kindOf(form.action) + form.fields.map(([name]) => name).join(), form);
    }
  }
  return { paths: [...found.values()], forms: [...forms.values()] };
}

const FORM = /<form\b([^>]*)>([^]*?)<\/form>/g;

export function formsIn(html: string, path: string): PageForm[] {
  return [...html.matchAll(FORM)].flatMap(([, head = '', inner = '']) => {
    if (!/method="post"/.test(head)) return [];
    const fields = fieldsIn(inner);
    const own = /action="([^"]*)"/.exec(head)?.[1] ?? path;
    const others = [...inner.matchAll(/formaction="([^"]+)"/g)].map(([, to = '']) => to);
    return [own, ...others].map((action) => ({
      action: action.replaceAll('&amp;', '&'),
      fields,
    }));
  });
}

/** Each with what the page shows in it; a list has its first value that is not empty. */
function fieldsIn(html: string): Pairs {
  const inputs = [...html.matchAll(/<(?:input|button|textarea)\b([^>]*)>/g)].flatMap(
    ([, given = '']) => {
      const name = /\bname="([^"]*)"/.exec(given)?.[1];
      const value = /\bvalue="([^"]*)"/.exec(given)?.[1] ?? '';
      return name === undefined ? [] : [[name, value] as const];
    },
  );
  const lists = [...html.matchAll(/<select\b[^>]*\bname="([^"]*)"[^>]*>([^]*?)<\/select>/g)].map(
    ([, name = '', options = '']) =>
      [name, /<option value="([^"]+)"/.exec(options)?.[1] ?? ''] as const,
  );
  return [...new Map([...inputs, ...lists])];
}
