/** Reads the folder of mail templates that a tenant file names, and renders samples with them. */
import { join } from 'node:path';
import {
  isTemplateName,
  templateNames,
  TEMPLATE_LENGTH_MAX,
  TEMPLATES_MAX,
  type CheckTemplates,
  type Templates,
} from '../../../providers/mail/templates.ts';
import type { Mistake, Path, Report } from '../file/mistakes.ts';

const path = ['notifications', 'templates'] as const;

/** How to read files that the tenant file names, relative to its own folder. */
export interface Beside {
  /** Reads a file; undefined if it does not exist, or is a link out of its folder. */
  readonly readBeside?: ((path: string) => Buffer | undefined) | undefined;
  /** The names of the files in a folder; undefined if it does not exist, or is such a link. */
  readonly listBeside?: ((path: string) => readonly string[] | undefined) | undefined;
}

/** Every mistake names the file; the templates are empty if one of them cannot be read. */
export function readTemplates(
  folder: string | undefined,
  { listBeside, readBeside }: Beside,
  report: Report,
): Templates {
  const templates = new Map<string, string>();
  if (folder === undefined) return templates;
  const names = listBeside?.(folder)?.filter((name) => !name.startsWith('.'));
  if (names === undefined) {
    report(
      path,
      `${folder} is not a folder beside this file that can be read, or is a link to one elsewhere`,
    );
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
  return isWhole ? templates : new Map();
}

/** What samples of every kind of mail show to be wrong with the templates. */
export async function checkFound(
  { folder, templates }: { readonly folder: string; readonly templates: Templates },
  checkTemplates: CheckTemplates,
  mistakeAt: (path: Path, message: string) => Mistake,
): Promise<readonly Mistake[]> {
  const mistakes = await checkTemplates(templates);
  return mistakes.map(({ name, message }) => mistakeAt(path, `${join(folder, name)}: ${message}`));
}

function textOf(name: string, bytes: Buffer | undefined): string | { readonly mistake: string } {
  if (!isTemplateName(name)) return { mistake: `is not the name of a template: ${templateNames}` };
  if (bytes === undefined) return { mistake: 'cannot be read, or is a link out of its folder' };
  if (bytes.length > TEMPLATE_LENGTH_MAX) {
    return { mistake: `is longer than ${TEMPLATE_LENGTH_MAX} bytes` };
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { mistake: 'is not text in UTF-8' };
  }
}
