/** The mistakes of a tenant file, each with its path, and its line if it is known. */

export type PathPart = string | number;
export type Path = readonly PathPart[];

export interface Mistake {
  /** `plans[2].charges[0].tiers[1].unitsFrom`, counted from 0; empty for the file as a whole. */
  readonly path: string;
  readonly line: number | null;
  /** The mistake, to be read after the path; never repeats a secret. */
  readonly message: string;
}

export type Report = (path: Path, message: string) => void;

/** A path as it is shown. @example pathText(['plans', 2, 'name']) // 'plans[2].name' */
export function pathText(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[\w-]+$/.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}

/** One mistake as a line for people: `line 12: users[0].roles: must be a list`. */
export function mistakeText(mistake: Mistake): string {
  const place = mistake.line === null ? '' : `line ${mistake.line}: `;
  return `${place}${mistake.path === '' ? '' : `${mistake.path}: `}${mistake.message}`;
}
