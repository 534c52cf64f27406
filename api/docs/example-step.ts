/** One documented call of the example story, from the first customer to the test clock. */
import type { Method } from '../calls/call.ts';

export interface Step {
  /** Also the name of the file with its answer: `answers/<name>.xml`. */
  readonly name: string;
  readonly summary: string;
  /** The row of the route table that it demonstrates. */
  readonly method: Method;
  readonly route: string;
  readonly action?: string;
  /** The path to call, with ids of earlier answers in braces: `/customer/{customer}`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body; braces as in the path. */
  readonly request?: string;
  /** 200 by default. */
  readonly status?: number;
  /** Names the id of the answer's root element for later steps. */
  readonly keeps?: string;
}

/** Replaces names in braces by their ids. */
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
