/** Reads the cells of a CSV row by the types of elements, with the same errors. */
import type { z } from 'zod';
import { convert } from './decode.ts';
import { ErrorList, explain } from './explain.ts';
import { compileNode, schemaOf, type ObjectPlan } from './plan.ts';
import { isForbiddenCharacter } from './scan.ts';
import type { ErrorCode } from '../calls/catalogue.ts';
import type { FieldError } from '../calls/errors.ts';

/** What is wrong with a cell. */
export interface CellFault {
  readonly code: ErrorCode;
  readonly column: string;
  readonly message: string;
}

/** A row as a value, or all that is wrong with its cells. */
export type ReadRow<T> =
  | { readonly value: T; readonly faults: null }
  | { readonly value: null; readonly faults: readonly CellFault[] };

export interface RowDecoder<T> {
  /** The columns that a file may have. */
  readonly columns: readonly string[];
  /** Cells in the order of the columns of their file; an empty one is null, as an empty element. */
  readonly read: (columns: readonly string[], cells: readonly string[]) => ReadRow<T>;
}

/**
 * Compiles a flat schema of scalars at the first row, as most processes read none; each column that
 * is absent in a file counts as empty.
 */
export function compileRow<S extends z.ZodObject>(schema: S): RowDecoder<z.output<S>> {
  const known = Object.keys(schema.shape);
  const empty = Object.fromEntries(known.map((column) => [column, null]));
  let compiled: ObjectPlan | undefined;
  return {
    columns: known,
    read(columns, cells) {
      const plan = (compiled ??= planOf(schema));
      const errors = new ErrorList();
      const value: Record<string, unknown> = { ...empty };
      for (const [index, column] of columns.entries()) {
        const field = plan.elements.get(column)?.plan;
        const cell = cells[index] ?? '';
        if (field?.kind !== 'scalar') throw new Error(`${column} is no column of these rows`);
        if (isForbiddenCharacter(cell)) {
          const message = `${column} contains a control character`;
          errors.add('document.character', column, message);
        } else {
          value[column] = convert(field, cell);
        }
      }
      const judged = schema.safeParse(value);
      if (!judged.success) explain(plan, '', value, judged.error.issues, errors);
      if (judged.success && errors.isEmpty) return { value: judged.data, faults: null };
      return { value: null, faults: errors.toArray().map(atColumn) };
    },
  };
}

function planOf(schema: z.ZodObject): ObjectPlan {
  const plan = compileNode(schemaOf(schema));
  if (plan.kind !== 'object') throw new Error('the cells of a row form an object');
  return plan;
}

const atColumn = ({ code, path = '', message }: FieldError): CellFault => ({
  code,
  column: path.replace(/^\//, ''),
  message,
});
