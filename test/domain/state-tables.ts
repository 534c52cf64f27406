/**
 * Tables that say what may happen to the states of a machine: a head of things, then a row for each
 * state, with the state afterwards.
 */
import { DomainError } from '../../domain/errors.ts';

export interface StateTable {
  readonly head: readonly string[];
  readonly rows: readonly { readonly name: string; readonly expected: readonly string[] }[];
}

export function readTable(text: string): StateTable {
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/));
  return { head, rows: rows.map(([name = '', ...expected]) => ({ name, expected })) };
}

export interface Machine<State, What> {
  readonly states: Readonly<Record<string, State>>;
  readonly happenings: Readonly<Record<string, What>>;
  readonly after: (state: State, what: What) => State;
  readonly nameOf: (state: State) => string;
}

/** `=` if the state has the same name afterwards, `no` if callers are refused, `.` for a bug. */
export function outcomesOf<State, What>(
  { states, happenings, after, nameOf }: Machine<State, What>,
  { head }: Pick<StateTable, 'head'>,
  name: string,
): string[] {
  const state = states[name];
  return head.map((each) => {
    const what = happenings[each];
    if (!state || !what) return 'unknown';
    try {
      const then = nameOf(after(state, what));
      return then === nameOf(state) ? '=' : then;
    } catch (error) {
      return error instanceof DomainError ? 'no' : '.';
    }
  });
}
