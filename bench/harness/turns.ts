/** What is compared takes turns, so that what else the machine does affects all of it alike. */
import type { Row, Table } from './tables.ts';

/** The figures of one turn by name. */
export type Slice = Readonly<Record<string, number>>;

/** The slices of a round have the same place in each list. */
export type Slices<Name extends string> = Readonly<Record<Name, readonly Slice[]>>;

/** Who is first changes from round to round. The first round, which makes the plans of statements, is left out. */
export async function inTurns<const Name extends string>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name, round: number) => Promise<Slice>,
): Promise<Slices<Name>> {
  const slices = Object.fromEntries(names.map((name) => [name, [] as Slice[]]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const slice = await measure(name, round);
      if (round > 0) slices[name]?.push(slice);
    }
  }
  return slices as Record<Name, Slice[]>;
}

/** A row of medians for each name, and one of the median ratio of each other name to the last one. */
export function compared<Name extends string>(title: string, slices: Slices<Name>): Table {
  const names = Object.keys(slices) as Name[];
  const base = names.at(-1);
  if (base === undefined) return { title, rows: [] };
  const rounds = slices[base].length;
  return {
    title: `${title} (medians of ${rounds} turns each)`,
    rows: [
      ...names.map((name) => rowOf(name, slices[name])),
      ...names.slice(0, -1).flatMap((name) => ratiosOf(name, slices[name], slices[base])),
    ],
  };
}

function rowOf(name: string, slices: readonly Slice[]): Row {
  return { '': name, ...figuresOf(slices, median) };
}

/** The median of the ratios of the pairs, which the machine affects less than that of the figures. */
function ratiosOf(name: string, slices: readonly Slice[], base: readonly Slice[]): readonly Row[] {
  const ratios = slices.map((slice, at) =>
    Object.fromEntries(
      Object.entries(slice).map(([figure, value]) => [figure, value / (base[at]?.[figure] ?? 1)]),
    ),
  );
  return [
    { '': `ratio of ${name}`, ...figuresOf(ratios, median) },
    { '': '  the least', ...figuresOf(ratios, (values) => Math.min(...values)) },
    { '': '  the greatest', ...figuresOf(ratios, (values) => Math.max(...values)) },
  ];
}

export function figuresOf(
  slices: readonly Slice[],
  of: (values: readonly number[]) => number,
): Slice {
  return Object.fromEntries(
    Object.keys(slices[0] ?? {}).map((figure) => [
      figure,
      of(slices.map((slice) => slice[figure] ?? Number.NaN)),
    ]),
  );
}

/** The middle of the values, the upper of two; NaN of none. */
export const median = (values: readonly number[]): number => shareOf(values, 0.5);

/** The value below which this share of them lies. */
export function shareOf(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
