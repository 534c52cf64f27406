/** Translates zod's issues for the caller: element paths, values and what was expected. */
import type { z } from 'zod';
import { didYouMean } from '../../operations/context/nearest.ts';
import { isErrorCode, type ErrorCode } from '../calls/catalogue.ts';
import { shownValue, type FieldError } from '../calls/errors.ts';
import type { Plan } from './plan.ts';

/** A document with more errors repeats one mistake many times. */
const ERRORS_MAX = 100;

/** The errors so far, one for each path and code. */
export class ErrorList {
  readonly #errors = new Map<string, FieldError>();

  add(code: ErrorCode, path: string, message: string, value?: string): void {
    const key = `${path}\n${code}`;
    if (this.#errors.size < ERRORS_MAX && !this.#errors.has(key)) {
      this.#errors.set(key, { code, path, message, value });
    }
  }

  get isEmpty(): boolean {
    return this.#errors.size === 0;
  }

  toArray(): FieldError[] {
    return [...this.#errors.values()];
  }
}

/** zod's issues in the caller's terms: the element's path, its value, and what was expected. */
export function explain(
  plan: Plan,
  rootPath: string,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
  errors: ErrorList,
): void {
  for (const issue of issues) {
    const place = locate(plan, rootPath, value, issue.path);
    errors.add(...explainIssue(issue, place));
  }
}

/** In a document that is a list, an error begins with its item: `activity 2: ...`. */
export function namingItem(plan: Plan, name: string): (error: FieldError) => FieldError {
  if (plan.kind !== 'list') return (error) => error;
  const before = `${name}/${plan.itemName}[`;
  return (error) => {
    const { path = '', message } = error;
    if (!path.startsWith(before)) return error;
    const nth = path.slice(before.length, path.indexOf(']'));
    return { ...error, message: `${plan.itemName} ${nth}: ${message}` };
  };
}

interface Place {
  readonly path: string;
  readonly plan: Plan | undefined;
  readonly value: unknown;
  readonly secret: boolean;
}

function locate(plan: Plan, rootPath: string, value: unknown, keys: PropertyKey[]): Place {
  let place: Place = { path: rootPath, plan, value, secret: false };
  for (const key of keys) {
    const inner: unknown = (place.value as Record<PropertyKey, unknown> | null)?.[key];
    place = { ...step(place, key), value: inner };
  }
  return place;
}

function step({ path, plan, secret }: Place, key: PropertyKey): Omit<Place, 'value'> {
  const name = String(key);
  if (plan?.kind === 'list') {
    return { path: `${path}/${plan.itemName}[${Number(key) + 1}]`, plan: plan.item, secret };
  }
  if (plan?.kind !== 'object') return { path: `${path}/${name}`, plan: undefined, secret };
  const attribute = plan.attributes.get(name);
  const field = attribute ?? plan.elements.get(name) ?? plan.text;
  const inner = attribute !== undefined ? `${path}/@${name}` : `${path}/${name}`;
  return {
    path: field === plan.text ? path : inner,
    plan: field?.plan,
    secret: secret || field?.writeOnly === true,
  };
}

/** `order/currency/@id` → `currency/@id`: an attribute's name includes its element. */
export function shortName(path: string): string {
  return /(?:[^/]*\/@)?[^/]*$/.exec(path)?.[0] ?? path;
}

type Explained = [code: ErrorCode, path: string, message: string, value?: string | undefined];

function explainIssue(issue: z.core.$ZodIssue, place: Place): Explained {
  const { path, plan, value } = place;
  const name = shortName(path);
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  // A rule with its own code may apply to an empty element.
  if ((value === undefined || value === null) && !isErrorCode(code)) {
    return ['field.required', path, `${name} is required`];
  }
  const shown = shownOf(place);
  if (issue.code === 'custom') {
    const wanted: unknown = issue.params?.['expected'];
    const message =
      typeof wanted === 'string' ? `${name} must be ${wanted}${notThis(shown)}` : issue.message;
    return [isErrorCode(code) ? code : 'field.invalid', path, message, shown];
  }
  if (issue.code === 'too_big' && issue.origin === 'string') {
    const message = `${name} must be at most ${issue.maximum} characters long${notThis(shown)}`;
    return ['field.tooLong', path, message, shown];
  }
  const expected = plan?.kind === 'scalar' ? plan.expected : issue.message;
  const isRange = issue.code === 'too_big' || issue.code === 'too_small';
  const choices = plan?.kind === 'scalar' && shown !== undefined ? plan.choices : [];
  const message = `${name} must be ${expected}${notThis(shown)}${didYouMean(shown ?? '', choices)}`;
  return [isRange ? 'field.range' : 'field.invalid', path, message, shown];
}

/** The offending value, cut short; nothing at all of a secret. */
function shownOf({ plan, value, secret }: Place): string | undefined {
  if (secret || (plan?.kind === 'scalar' && plan.secret)) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return undefined;
  return shownValue(String(value));
}

const notThis = (shown: string | undefined): string =>
  shown === undefined ? '' : `, not "${shown}"`;
