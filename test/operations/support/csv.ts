/** Import files of tests as text. */

/** In the order of their columns. */
export type Table = readonly (readonly (string | number)[])[];

/** `csv(['a', 'b'], [[1, 2]])` → `a,b\n1,2\n` */
export function csv(columns: readonly string[], rows: Table): string {
  return [columns, ...rows].map((cells) => `${cells.join(',')}\n`).join('');
}
