/** The parts of an account that hosted self-service shows, and which of them a session has. */
import type { Switches } from './switches.ts';

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
