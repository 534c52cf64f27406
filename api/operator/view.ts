/** What the operator's pages are rendered from: figures, tables and links in sections. */
import { join } from 'node:path';
import { linkable } from '../pages/frame.ts';
import { templatesOf } from '../pages/templates.ts';

export interface Link {
  readonly text: string;
  readonly address: string;
  /** Of another site. */
  readonly isOutside?: boolean;
}

export interface Cell {
  readonly text: string;
  readonly link?: Link | null;
  readonly isAlarm?: boolean;
}

export interface Figure extends Cell {
  readonly label: string;
  /** Its kinds, and the age of the oldest. */
  readonly note?: string;
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly cells: readonly Cell[]; readonly links?: readonly Link[] }[];
  /** What it says without rows. */
  readonly empty: string;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly figures?: readonly Figure[];
  readonly table?: Table;
  readonly links?: readonly Link[];
  /** Rendered. */
  readonly body?: string;
}

export interface OperatorView {
  readonly title: string;
  readonly lead?: string;
  /** Where the visitor is, from the first page on. */
  readonly trail: readonly Link[];
  /** Null of a page that nobody has to log in for. */
  readonly visitor: {
    readonly name: string;
    /** Null of one whom the proxy has logged in. */
    readonly logOutKey: string | null;
  } | null;
  readonly sections?: readonly Section[];
  /** Rendered, before the sections. */
  readonly body?: string;
}

export const render = templatesOf(join(import.meta.dirname));

export function operatorPage(view: OperatorView): string {
  const { lead, body, sections = [], trail } = view;
  return render('operator-frame', {
    ...view,
    lead: lead ?? null,
    body: body ?? null,
    trail: trail.map(shownLink),
    sections: sections.map(shownSection),
  });
}

const shownLink = ({ text, address, isOutside = false }: Link) => ({
  text,
  address: linkable(address),
  isOutside,
});

const shownCell = ({ text, link = null, isAlarm = false }: Cell) => ({
  text,
  link: link === null ? null : shownLink(link),
  isAlarm,
});

function shownSection({ figures, table, links = [], ...own }: Section) {
  return {
    ...own,
    note: own.note ?? null,
    body: own.body ?? null,
    links: links.map(shownLink),
    figures: (figures ?? []).map(({ label, note: more = '', ...cell }) => ({
      ...shownCell(cell),
      label,
      note: more === '' ? null : more,
    })),
    table: table === undefined ? null : shownTable(table),
  };
}

const shownTable = ({ columns, rows, empty }: Table) => ({
  columns,
  empty,
  hasLinks: rows.some(({ links = [] }) => links.length > 0),
  rows: rows.map(({ cells, links = [] }) => ({
    cells: cells.map(shownCell),
    links: links.map(shownLink),
  })),
});

/* Instants and ages, in one form for all tenants: UTC. */

/** `2027-01-15 12:00` */
export const instant = (at: Date | null): string =>
  at === null ? '' : at.toISOString().slice(0, 16).replace('T', ' ');

const units = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** The two largest units: `2 h 5 min`. */
export function age(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const first = units.findIndex(([size]) => whole >= size);
  if (first < 0) return '0 s';
  const parts = units.slice(first, first + 2).map(([size, name], index) => {
    const before = units[first + index - 1]?.[0];
    const count = Math.floor((index === 0 || before === undefined ? whole : whole % before) / size);
    return count === 0 ? '' : `${count} ${name}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}
