/** What the pages of hosted self-service show and allow. */

export const editOrderOptions = ['Cancel', 'CancelAtEnd', 'Upgrade', 'Downgrade', 'New'] as const;
export type EditOrderOption = (typeof editOrderOptions)[number];

export interface Switches {
  readonly showNavigationBar: boolean;
  /** Statements and invoices. */
  readonly showStatements: boolean;
  /** Earlier payments. */
  readonly showPayments: boolean;
  readonly allowPayments: boolean;
  readonly allowProfileEdit: boolean;
  readonly editOrderOptions: readonly EditOrderOption[];
  /** Invoices and receipts are PDF only. */
  readonly pdfMode: boolean;
}

/** The profile that counts without another one. */
export const DEFAULT_PROFILE = 'DEFAULT';

const defaults: Switches = {
  showNavigationBar: true,
  showStatements: true,
  showPayments: true,
  allowPayments: true,
  allowProfileEdit: false,
  editOrderOptions: [],
  pdfMode: false,
};

export type GivenSwitches = {
  readonly [Name in keyof Switches]?: Switches[Name] | undefined;
};

/**
 * Each switch is the given one, else that of the profile, else the default; a profile has all.
 *
 * @example switchesOf({ pdfMode: true }, undefined).allowPayments // true
 */
export function switchesOf(given: GivenSwitches, profile: Switches | undefined): Switches {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...(profile ?? defaults), ...(Object.fromEntries(set) as Partial<Switches>) };
}

/** Switches off what a profile allows; an empty parameter counts as absent. */
export const NO_OPTIONS = 'none';

/**
 * Reads options that commas separate, in the order of the list; undefined if one is none of it.
 *
 * @example editOrderOptionsOf('New, Cancel') // ['Cancel', 'New']; of 'none' []
 */
export function editOrderOptionsOf(text: string): readonly EditOrderOption[] | undefined {
  if (text.trim() === NO_OPTIONS) return [];
  const names = text.split(',').map((name) => name.trim());
  const known: readonly string[] = editOrderOptions;
  if (names.some((name) => !known.includes(name))) return undefined;
  return editOrderOptions.filter((option) => names.includes(option));
}

/* The parts of an account that hosted self-service shows, and which of them a session has. */

/** In the order of the menu. */
export const parts = [
  'home',
  'statements',
  'invoices',
  'payments',
  'pay',
  'card',
  'orders',
  'profile',
] as const;
export type Part = (typeof parts)[number];

/**
 * Whether a session shows a part; what it does not show is not linked, either.
 *
 * @example showsPart('profile', switchesOf({}, undefined)) // false
 */
export function showsPart(part: Part, switches: Switches): boolean {
  switch (part) {
    case 'home':
      return true;
    case 'statements':
    case 'invoices':
      return switches.showStatements;
    case 'payments':
      return switches.showPayments;
    case 'pay':
    case 'card':
      return switches.allowPayments;
    case 'orders':
      return switches.editOrderOptions.length > 0;
    case 'profile':
      return switches.allowProfileEdit;
  }
}
