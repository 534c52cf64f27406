/** What an example is: one call of a story that is told from the first customer to the test clock. */
import type { Method } from '../calls/call.ts';

export interface Step {
  /** Also the name of the file that holds its answer: `answers/<name>.xml`. */
  readonly name: string;
  readonly summary: string;
  /** The row of the route table that it is an example of. */
  readonly method: Method;
  readonly route: string;
  readonly action?: string;
  /** What is called, with ids of earlier answers in braces: `/customer/{customer}`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body; braces as in the path. */
  readonly request?: string;
  /** 200 where none is given. */
  readonly status?: number;
  /** Gives the id of the answer's root element a name for the steps that follow. */
  readonly keeps?: string;
}

/** Puts ids in the place of their names in braces. */
export function filled(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`no step before keeps "${name}"`);
    return id;
  });
}

/** The `id` attribute of a document's root element. */
export const rootIdOf = (document: string): string | undefined =>
  /^(?:<\?[^>]*>)?\s*<\w+ id="(\d+)"/.exec(document)?.[1];
