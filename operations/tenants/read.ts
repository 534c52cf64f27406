/** Turns the text of a tenant file into a checked file, or into everything that is wrong with it. */
import type { z } from 'zod';
import type { CheckTemplates, Templates } from '../../providers/mail/templates.ts';
import { readLoosely } from './file/loose.ts';
import { pathText, type Mistake, type Path, type Report } from './file/mistakes.ts';
import { isWebAddress } from './file/scalars.ts';
import { clearSecrets, type SecretOptions, type SecretsFound } from './file/secrets.ts';
import { readSource, type Source } from './file/source.ts';
import { unbuiltIn } from './not-in-force.ts';
import { partKeys, parts, tenantFile, type TenantFile } from './parts.ts';
import type { CallbackOptions } from './parts/callbacks.ts';
import { checkFound, readTemplates, type Beside } from './parts/templates.ts';

export interface CheckedFile extends Found {
  readonly file: TenantFile;
  readonly secrets: SecretsFound;
  readonly warnings: readonly Mistake[];
  /** What is no mistake, and that its author may not expect. */
  readonly remarks: readonly Mistake[];
  /** The parts of the file that nothing acts on yet. */
  readonly notInForce: readonly Mistake[];
}

interface Found {
  /** The templates of mails in the folder that the file names. */
  readonly templates: Templates;
  readonly templatesFolder: string;
  /** For mistakes that are found later. */
  readonly mistakeAt: (path: Path, message: string) => Mistake;
}

export type Reading =
  | { readonly isValid: true; readonly checked: CheckedFile }
  | {
      readonly isValid: false;
      readonly mistakes: readonly Mistake[];
      readonly found?: Found;
    };

export interface ReadOptions extends SecretOptions, Beside, CallbackOptions {}

export interface CheckOptions extends ReadOptions {
  readonly checkTemplates: CheckTemplates;
}

/** As `readTenantFile`, and renders samples of mails with the templates. */
export async function checkTenantFile(text: string, options: CheckOptions): Promise<Reading> {
  const reading = readTenantFile(text, options);
  const found = reading.isValid ? reading.checked : reading.found;
  if (found === undefined || found.templates.size === 0) return reading;
  const { templates, templatesFolder: folder, mistakeAt } = found;
  const more = await checkFound({ folder, templates }, options.checkTemplates, mistakeAt);
  if (more.length === 0) return reading;
  const mistakes = reading.isValid ? [] : reading.mistakes;
  return { isValid: false, mistakes: [...mistakes, ...more].toSorted(byLine) };
}

/** Needs nothing but the text, the files beside it and the environment: no database, no network. */
export function readTenantFile(text: string, options: ReadOptions): Reading {
  const source = withLogo(readSource(text), options);
  const mistakeAt = (path: Path, message: string): Mistake => ({
    path: pathText(path),
    line: source.lineOf(path),
    message,
  });
  if (source.value === undefined) return { isValid: false, mistakes: orNoFile(source) };
  const mistakes = [...source.mistakes];
  const warnings: Mistake[] = [];
  const parsed = tenantFile.safeParse(source.value, { error: messageOf });
  for (const issue of parsed.error?.issues ?? []) {
    for (const path of pathsOf(issue)) {
      if (!isReported(mistakes, pathText(path))) mistakes.push(mistakeAt(path, shown(issue)));
    }
  }
  const formal = [...mistakes];
  const report: Report = (path, message) => {
    // A value that the schema refuses is reported only once.
    if (!isReported(formal, pathText(path))) mistakes.push(mistakeAt(path, message));
  };
  const warn: Report = (path, message) => warnings.push(mistakeAt(path, message));
  const loose = readLoosely(tenantFile, source.value) ?? {};
  for (const key of partKeys) parts[key].check?.(loose, report, options);
  const places = partKeys.flatMap((key) => parts[key].secrets?.(loose) ?? []);
  const secrets = clearSecrets(places, options, report);
  const templatesFolder = loose.notifications?.templates ?? '';
  const templates = readTemplates(loose.notifications?.templates, options, report);
  const found = { templates, templatesFolder, mistakeAt };
  if (loose.logo !== undefined && isWebAddress(loose.logo)) {
    warn(['logo'], 'is an address, which is not fetched: invoices show the name alone');
  }
  if (mistakes.length > 0 || !parsed.success) {
    return { isValid: false, mistakes: mistakes.toSorted(byLine), found };
  }
  const file = parsed.data;
  const remarks: Mistake[] = [];
  const remark: Report = (path, message) => remarks.push(mistakeAt(path, message));
  for (const key of partKeys) parts[key].remarks?.(file, remark);
  const notInForce = unbuiltIn(source.value).map(({ path, message }) => mistakeAt(path, message));
  return {
    isValid: true,
    checked: { file, secrets, warnings, remarks, notInForce, ...found },
  };
}

/** A logo that names a file becomes the picture itself. */
function withLogo(source: Source, { readBeside }: ReadOptions): Source {
  const { logo } = (source.value ?? {}) as { readonly logo?: unknown };
  if (typeof logo !== 'string' || logo.includes(':')) return source;
  const bytes = readBeside?.(logo);
  if (bytes === undefined) return source;
  const type = bytes[0] === 0xff ? 'image/jpeg' : 'image/png';
  const uri = `data:${type};base64,${bytes.toString('base64')}`;
  return { ...source, value: { ...(source.value as object), logo: uri } };
}

function orNoFile({ mistakes }: Source): readonly Mistake[] {
  return mistakes.some(({ path, line }) => path !== '' || line !== null)
    ? mistakes
    : [{ path: '', line: null, message: 'the file is empty' }];
}

function isReported(mistakes: readonly Mistake[], path: string): boolean {
  return mistakes.some((mistake) => mistake.path === path);
}

function byLine(a: Mistake, b: Mistake): number {
  return (a.line ?? 0) - (b.line ?? 0);
}

/** Each unknown key is a separate mistake. */
function pathsOf(issue: z.core.$ZodIssue): readonly Path[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
}

function shown(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? 'is not a key of the format' : issue.message;
}

/** Mistakes that the schema does not describe: the wrong kind of value, or none. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is missing';
  if (issue.code !== 'invalid_type') return undefined;
  switch (issue.expected) {
    case 'object':
      return 'must be a mapping of keys to values';
    case 'array':
      return 'must be a list';
    default:
      return 'must be a single value';
  }
}
