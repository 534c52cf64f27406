/** Secrets from files: NAME_FILE names the file of the secret NAME, as containers hand secrets over. */

import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { fileMistake } from './values.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const SUFFIX = '_FILE';

export const fileVariableOf = (name: string): string => `${name}${SUFFIX}`;

const marked = new WeakSet<z.ZodType>();

/** Marks the variable as a secret, which a file may hold. It is the outermost call of its definition. */
export function confidential<Type extends z.ZodType>(type: Type): Type {
  marked.add(type);
  return type;
}

/** The names of the variables that are marked so. */
export const confidentialNames = (shape: Readonly<Record<string, z.ZodType>>): readonly string[] =>
  Object.entries(shape).flatMap(([name, type]) => (marked.has(type) ? [name] : []));

export interface WithSecrets {
  /** The environment in which each secret has its value, wherever that stood. */
  readonly env: Environment;
  readonly mistakes: readonly string[];
}

/** @param names the secrets that may be in files */
export function withSecretsOfFiles(env: Environment, names: readonly string[]): WithSecrets {
  const found = names.map((name) => [name, secretOf(env, name)] as const);
  const read = found.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]]));
  return {
    env: { ...env, ...(Object.fromEntries(read) as Environment) },
    mistakes: found.flatMap(([, { mistake }]) => mistake ?? []),
  };
}

interface Secret {
  readonly value?: string | undefined;
  readonly mistake?: string;
}

/** An error never repeats what a file holds. */
export function secretOf(env: Environment, name: string): Secret {
  const variable = fileVariableOf(name);
  const { [name]: value = '', [variable]: file = '' } = env;
  if (file === '') return { value: env[name] };
  if (value !== '') {
    return { mistake: `${name} and ${variable} are not given together: unset one of them` };
  }
  const said = (what: string): Secret => ({
    mistake: `${variable} ${what}: write the secret into the file, or set ${name} instead`,
  });
  const unreadable = fileMistake(file);
  if (unreadable !== undefined) return said(unreadable);
  const text = textOf(file);
  if (text === undefined) return said('names a file that is no text in UTF-8');
  return text === '' ? said('names an empty file') : { value: text };
}

/** Without the ends of lines that editors and `echo` put behind it; undefined if it is no text. */
function textOf(file: string): string | undefined {
  try {
    const bytes = readFileSync(file);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/[\r\n]+$/, '');
  } catch {
    return undefined;
  }
}
