/**
 * Compiles a zod schema into a reader of query parameters, which collects every error of them as that
 * of documents does.
 */
import type { z } from 'zod';
import {
  METADATA_VALUE_LENGTH_MAX,
  type MetadataEntry,
  metadataKey,
} from '../../domain/text/metadata.ts';
import { didYouMean } from '../../operations/context/nearest.ts';
import type { ErrorCode } from '../calls/catalogue.ts';
import { RequestError, type FieldError } from '../calls/errors.ts';
import { convert } from './decode.ts';
import { ErrorList, explain } from './explain.ts';
import { compileNode, schemaOf } from './plan.ts';
import { isForbiddenCharacter } from './scan.ts';

export interface QueryDecoder<T> {
  readonly schema: z.ZodType<T>;
  readonly decode: (parameters: Readonly<Record<string, string | string[] | undefined>>) => T;
}

/** The length of a parameter's name in an error. */
const PARAMETER_SHOWN_LENGTH_MAX = 60;

/**
 * Plain names of parameters that clients and analytics add by themselves: they are never looked at.
 * Names that address JavaScript's own properties, such as `__proto__[x]`, are not among them.
 */
const PASSED_OVER = /^((_(?!_proto__)|utm_)[\w.-]*)?$/;

export interface QueryOptions {
  /** Parameters that are read elsewhere, such as `format`. */
  readonly shared?: readonly string[];
  /** The parameters that the given ones require. */
  readonly requires?: RequiredWith | undefined;
}

/** Stands for the parameters `metadata.KEY` of a list: any number of them, with keys of the caller. */
export const METADATA_PARAMETER = 'metadata.KEY';
const METADATA_PREFIX = 'metadata.';

/** The keys and values of such parameters, which were checked. */
export function metadataIn(url: string): MetadataEntry[] {
  return [...new URL(url, 'http://list').searchParams]
    .filter(([name, value]) => name.startsWith(METADATA_PREFIX) && value.trim() !== '')
    .map(([name, value]) => ({ key: name.slice(METADATA_PREFIX.length), value: value.trim() }));
}

/** Asked whatever else is wrong, so that a refusal names everything that is missing. */
export type RequiredWith = (given: Readonly<Record<string, unknown>>) => readonly string[];

/**
 * Query parameters follow the rules of elements: empty ones count as absent, repeated ones are
 * refused. Unknown ones are refused too, because a misspelled filter would return everything.
 */
export function compileQuery<S extends z.ZodObject>(
  schema: S,
  { shared = [], requires }: QueryOptions = {},
): QueryDecoder<z.output<S>> {
  const plan = compileNode(schemaOf(schema));
  if (plan.kind !== 'object') throw new Error('query parameters form an object');
  const known = [...new Set([...plan.elements.keys(), ...shared])];
  const takesMetadata = plan.elements.has(METADATA_PARAMETER);
  return {
    schema: schema as unknown as z.ZodType<z.output<S>>,
    decode(parameters) {
      const errors: FieldError[] = [];
      const value: Record<string, unknown> = {};
      for (const [key, text] of Object.entries(parameters)) {
        const isMetadata = takesMetadata && key.startsWith(METADATA_PREFIX);
        const field = isMetadata ? undefined : plan.elements.get(key);
        if (isMetadata && typeof text === 'string' && !isForbiddenCharacter(text)) {
          errors.push(...mistakesInMetadata(key, text));
        } else if (field === undefined && !isMetadata && !shared.includes(key)) {
          if (!PASSED_OVER.test(key)) errors.push(unknownParameter(key, known));
        } else if (Array.isArray(text)) {
          const path = key.slice(0, PARAMETER_SHOWN_LENGTH_MAX);
          errors.push({ code: 'query.repeated', path, message: `${path} is given more than once` });
        } else if (text !== undefined && isForbiddenCharacter(text)) {
          // PostgreSQL cannot store a zero byte, so it would be a fault instead of a refusal.
          const path = key.slice(0, PARAMETER_SHOWN_LENGTH_MAX);
          errors.push({
            code: 'query.character',
            path,
            message: `${path} contains a control character`,
          });
        } else if (field?.plan.kind === 'scalar' && text !== undefined) {
          const converted = convert(field.plan, text);
          if (converted !== null) value[key] = converted;
        }
      }
      const judged = schema.safeParse(value);
      const found = new ErrorList();
      if (!judged.success) explain(plan, '', value, judged.error.issues, found);
      for (const path of requires?.(value) ?? []) {
        const message = `${path} is required with the other parameters`;
        if (value[path] === undefined) found.add('field.required', `/${path}`, message);
      }
      const isRefused = new Set(errors.map((error) => error.path));
      for (const error of found.toArray().map(asQueryError)) {
        // A parameter that was refused above is missing only for that reason.
        if (!isRefused.has(error.path)) errors.push(error);
      }
      if (!judged.success || errors.length > 0) throw new RequestError(400, errors);
      return judged.data;
    },
  };
}

function mistakesInMetadata(name: string, text: string): FieldError[] {
  const path = name.slice(0, PARAMETER_SHOWN_LENGTH_MAX);
  if (!metadataKey.test(name.slice(METADATA_PREFIX.length))) {
    const message = `${path} names no key of 1 to 40 characters of A-Z a-z 0-9 _ . -`;
    return [{ code: 'query.invalid', path, message }];
  }
  if (text.length <= METADATA_VALUE_LENGTH_MAX) return [];
  const message = `${path} must be at most ${METADATA_VALUE_LENGTH_MAX} characters long`;
  return [{ code: 'query.tooLong', path, message }];
}

function unknownParameter(key: string, known: readonly string[]): FieldError {
  const path = key.slice(0, PARAMETER_SHOWN_LENGTH_MAX);
  const hint = didYouMean(path, known);
  const message = `${path} is no parameter of this call${hint} (known: ${known.join(', ')})`;
  return { code: 'query.unknown', path, message };
}

const queryCodes: Partial<Record<ErrorCode, ErrorCode>> = {
  'field.required': 'query.required',
  'field.range': 'query.range',
  'field.tooLong': 'query.tooLong',
};

const asQueryError = (error: FieldError): FieldError => ({
  code: queryCodes[error.code] ?? 'query.invalid',
  path: error.path?.replace(/^\//, ''),
  message: error.message,
  value: error.value,
});
