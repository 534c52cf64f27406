/** What rehearsals of billing runs found, on a tenant's page for operators. */
import { differenceOf, type RehearsalFigures } from '../../domain/billing/rehearsed.ts';
import { amountTexts } from '../../domain/money/amounts.ts';
import { compare, formatAmount } from '../../domain/money/money.ts';
import type { shownRehearsals } from '../../operations/rehearsals/keep.ts';
import { instant, type Link, type Section } from './view.ts';

/** How many are shown, and of the newest how many outliers. */
export const rehearsalsShown = { rehearsals: 5, outliers: 20 } as const;

type Shown = Awaited<ReturnType<typeof shownRehearsals>>;
type ShownRehearsal = Shown['rehearsals'][number];
type ShownOutlier = Shown['outliers'][number];

interface Acts {
  /** To a further rehearsal. */
  readonly begin: readonly Link[];
  /** To the release or the hold of a customer. */
  readonly of: (customerId: number, isHeld: boolean) => readonly Link[];
}

export function rehearsalSections({ rehearsals, outliers }: Shown, acts: Acts): readonly Section[] {
  const [newest] = rehearsals;
  return [
    listOf(rehearsals, acts.begin),
    ...(newest === undefined || outliers.length === 0
      ? []
      : [outliersOf(newest, outliers, acts.of)]),
  ];
}

function listOf(rehearsals: readonly ShownRehearsal[], links: readonly Link[]): Section {
  return {
    id: 'rehearsals',
    title: 'Rehearsals of billing runs',
    table: {
      columns: [
        'Run of',
        'Rehearsed (UTC)',
        'By',
        'Customers',
        'Invoices',
        'Sums',
        'Without taxes',
        'Last period',
        'Outliers',
        'Passed over',
      ],
      rows: rehearsals.map(({ runOn, rehearsedAt, operator, figures }) => {
        const { run, compared, outliers } = figures;
        const missed = missedBy(figures);
        return {
          cells: [
            { text: runOn },
            { text: instant(rehearsedAt) },
            { text: operator },
            { text: String(run.customers) },
            { text: String(run.invoices) },
            {
              text:
                sums(run.amounts) + (run.untaxed === 0 ? '' : ` (tax not asked: ${run.untaxed})`),
            },
            { text: sums(compared.amounts) },
            { text: sums(compared.lastAmounts) },
            { text: String(outliers), isAlarm: outliers > 0 },
            { text: missed, isAlarm: missed !== '' },
          ],
        };
      }),
      empty: 'No run was rehearsed yet.',
    },
    links,
  };
}

const sums = (amounts: RehearsalFigures['run']['amounts']): string =>
  amountTexts(amounts).join(', ');

function missedBy({ passedOver: { held, suspects, tooLarge, failing } }: RehearsalFigures): string {
  const counts = Object.entries({ held, suspects, 'too large': tooLarge, ...failing });
  return counts.flatMap(([why, count]) => (count === 0 ? [] : `${count} ${why}`)).join(', ');
}

function outliersOf(
  { runOn, limits, figures }: ShownRehearsal,
  shown: readonly ShownOutlier[],
  actsOf: Acts['of'],
): Section {
  const more = figures.outliers - shown.length;
  const beyond = `From ${limits.ratio} times and ${limits.amount} on, without taxes.`;
  return {
    id: 'outliers',
    title: `Outliers of the run of ${runOn}`,
    note: more > 0 ? `${beyond} The greatest ${shown.length}; ${more} more.` : beyond,
    table: {
      columns: ['Customer', 'Reference', 'Amount', 'Last period', 'Difference', 'State'],
      rows: shown.map((each) => {
        const { customerId, customerRef, currency, amount, lastAmount, isHeld } = each;
        return {
          cells: [
            { text: String(customerId) },
            { text: customerRef ?? '' },
            { text: `${formatAmount(currency, amount)} ${currency}` },
            { text: lastAmount === null ? 'none' : formatAmount(currency, lastAmount) },
            { text: differenceText(each) },
            { text: stateOf(each), isAlarm: isHeld },
          ],
          links: actsOf(customerId, isHeld),
        };
      }),
      empty: 'There is none.',
    },
  };
}

function differenceText(each: ShownOutlier): string {
  const { currency, amount, lastAmount } = each;
  const sign = compare(amount, lastAmount ?? '0') < 0 ? '-' : '+';
  return sign + formatAmount(currency, differenceOf(each));
}

function stateOf({ isHeld, isReleased }: ShownOutlier): string {
  if (isHeld) return 'held';
  return isReleased ? 'released' : 'not held';
}
