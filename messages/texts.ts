/** Reads a file of texts, and says what is wrong with it. */
import assert from 'node:assert';
import { parse } from 'yaml';
import { textOf, type Text } from '../domain/text/fill.ts';

/** Texts by their keys, in groups. */
export interface Texts {
  readonly [key: string]: string | Text<string> | Texts;
}

/** Every value is a text: in the failsafe schema `no` is no boolean, and `12` no number. */
export function readTexts(yaml: string): Texts {
  return withPlaceholders(parse(yaml, { schema: 'failsafe', prettyErrors: false }));
}

function withPlaceholders(value: unknown): Texts {
  assert(typeof value === 'object' && value !== null && !Array.isArray(value));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, unknown]) => [
      key,
      typeof each === 'string' ? textOf(each) : withPlaceholders(each),
    ]),
  );
}

/** What a language lacks, has for nothing, or fills with other values than English does. */
export function mistakesIn(texts: Texts, english: Texts): string[] {
  const own = new Map(flat(texts));
  const expected = new Map(flat(english));
  return [
    ...[...expected.keys()].filter((key) => !own.has(key)).map((key) => `${key} is missing`),
    ...[...own].flatMap(([key, text]) => {
      const like = expected.get(key);
      if (like === undefined) return [`${key} is not in English`];
      if (!/^\S(.*\S)?$/.test(patternOf(text))) return [`${key} is empty, or has blanks around it`];
      return namesOf(text) === namesOf(like) ? [] : [`${key} has other placeholders than English`];
    }),
  ];
}

/** Each text with the path of its key. */
export function flat(texts: Texts, path = ''): [string, string | Text<string>][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    isText(value) ? [[path + key, value]] : flat(value, `${path}${key}.`),
  );
}

/** A group has no lists. */
export const isText = (value: Texts[string]): value is string | Text<string> =>
  typeof value === 'string' || Array.isArray(value['names']);

const patternOf = (text: string | Text<string>): string =>
  typeof text === 'string' ? text : text.pattern;

const namesOf = (text: string | Text<string>): string =>
  typeof text === 'string' ? '' : text.names.toSorted().join(' ');
