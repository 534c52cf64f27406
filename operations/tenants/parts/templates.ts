/** Reads the folder of mail templates that a tenant file names, and checks each of them. */
import { join } from 'node:path';
import {
  checkTemplates,
  isTemplateName,
  templateNames,
  TEMPLATE_LENGTH_MAX,
  TEMPLATES_MAX,
} from '../../../providers/mail/check-templates.ts';
import type { Templates } from '../../../providers/mail/render.ts';
import type { Report } from '../file/mistakes.ts';

const path = ['notifications', 'templates'] as const;

/** How to read files that the tenant file names, relative to its own folder. */
export interface Beside {
  /** Reads a file; undefined if it does not exist. */
  readonly readBeside?: ((path: string) => Buffer | undefined) | undefined;
  /** The names of the files in a folder; undefined if it does not exist. */
  readonly listBeside?: ((path: string) => readonly string[] | undefined) | undefined;
}

/** Every mistake names the file; the templates are of use only if there is none. */
export function readTemplates(
  folder: string | undefined,
  { listBeside, readBeside }: Beside,
  report: Report,
): Templates {
  const templates = new Map<string, string>();
  if (folder === undefined) return templates;
  const names = listBeside?.(folder)?.filter((name) => !name.startsWith('.'));
  if (names === undefined) {
    report(path, `${folder} is not a folder beside this file that can be read`);
    return templates;
  }
  if (names.length > TEMPLATES_MAX) {
    report(path, `${folder} has more than ${TEMPLATES_MAX} files`);
    return templates;
  }
  let isWhole = true;
  for (const name of names.toSorted()) {
    const text = textOf(name, readBeside?.(join(folder, name)));
    if (typeof text === 'string') templates.set(name, text);
    else report(path, `${join(folder, name)} ${text.mistake}`);
    isWhole &&= typeof text === 'string';
  }
  for (const { name, message } of isWhole ? checkTemplates(templates) : []) {
    report(path, `${join(folder, name)}: ${message}`);
  }
  return templates;
}

function textOf(name: string, bytes: Buffer | undefined): string | { readonly mistake: string } {
  if (!isTemplateName(name)) return { mistake: `is not the name of a template: ${templateNames}` };
  if (bytes === undefined) return { mistake: 'cannot be read' };
  if (bytes.length > TEMPLATE_LENGTH_MAX) {
    return { mistake: `is longer than ${TEMPLATE_LENGTH_MAX} bytes` };
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { mistake: 'is not text in UTF-8' };
  }
}
