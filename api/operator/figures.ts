/** The figures of a tenant, or of all, as the operator's page shows them: in groups, with what is too old. */
import type { Counted, FigureName, FiguresByName } from '../../operations/figures/read.ts';
import { age, type Figure } from './view.ts';

interface Shown {
  readonly group: 'billing' | 'money' | 'outgoing' | 'jobs';
  readonly label: string;
  /** So old it asks for attention; 0: however old it is. Absent: it is business as usual. */
  readonly alarmAfterSeconds?: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const shown: Readonly<Record<FigureName, Shown>> = {
  ordersDue: { group: 'billing', label: 'Orders due', alarmAfterSeconds: HOUR },
  billingRuns: { group: 'billing', label: 'Runs at work', alarmAfterSeconds: 2 * HOUR },
  heldCustomers: { group: 'billing', label: 'Held customers', alarmAfterSeconds: 0 },
  suspects: { group: 'billing', label: 'Suspects', alarmAfterSeconds: MINUTE },
  invoicesToPay: { group: 'money', label: 'Invoices to pay', alarmAfterSeconds: HOUR },
  retriesDue: { group: 'money', label: 'Retries due', alarmAfterSeconds: HOUR },
  installmentsDue: { group: 'money', label: 'Installments due', alarmAfterSeconds: HOUR },
  paymentsOpen: { group: 'money', label: 'Payments not final' },
  gatewayFindings: { group: 'money', label: 'Findings at gateways', alarmAfterSeconds: 0 },
  gatewayEvents: { group: 'money', label: 'Events of gateways', alarmAfterSeconds: 5 * MINUTE },
  dunnings: { group: 'money', label: 'Dunnings' },
  dunningsHeld: { group: 'money', label: 'Dunnings held' },
  outbox: { group: 'outgoing', label: 'Nudges in the outbox', alarmAfterSeconds: MINUTE },
  eventsUnnumbered: {
    group: 'outgoing',
    label: 'Events without a number',
    alarmAfterSeconds: MINUTE,
  },
  callbacksWaiting: { group: 'outgoing', label: 'Callbacks', alarmAfterSeconds: HOUR },
  callbackEndpointsFailing: {
    group: 'outgoing',
    label: 'Endpoints that fail',
    alarmAfterSeconds: 0,
  },
  mailsWaiting: { group: 'outgoing', label: 'Mails', alarmAfterSeconds: HOUR },
  taxRecordsWaiting: { group: 'outgoing', label: 'Tax records', alarmAfterSeconds: HOUR },
  taxRecordsTroubled: {
    group: 'outgoing',
    label: 'Tax records refused or silent',
    alarmAfterSeconds: 0,
  },
  batchesOpen: { group: 'jobs', label: 'Jobs' },
  passwordsWaiting: { group: 'jobs', label: 'Passwords to hash' },
};

export const figureGroups: Readonly<Record<Shown['group'], string>> = {
  billing: 'Billing',
  money: 'Money',
  outgoing: 'What leaves',
  jobs: 'Jobs',
};

const names = Object.keys(shown) as readonly FigureName[];

export const figuresIn = (group: Shown['group'], figures: FiguresByName): readonly Figure[] =>
  names.filter((name) => shown[name].group === group).map((name) => figureOf(name, figures));

export function figureOf(name: FigureName, figures: FiguresByName): Figure {
  const { label } = shown[name];
  const counted = figures[name];
  const isAlarm = asksForAttention(name, counted);
  const kinds = counted.filter(({ kind }) => kind !== null);
  const notes = [
    ...kinds.map(({ kind, count }) => `${kind} ${count}`),
    ...oldestOf(counted).map((seconds) => `oldest ${age(seconds)}`),
  ];
  return { label, text: String(sumOf(counted)), note: notes.join(', '), isAlarm };
}

const sumOf = (counted: readonly Counted[]): number =>
  counted.reduce((sum, { count }) => sum + count, 0);

function oldestOf(counted: readonly Counted[]): readonly number[] {
  const ages = counted.flatMap(({ oldestSeconds }) => oldestSeconds ?? []);
  return ages.length === 0 ? [] : [Math.max(...ages)];
}

function asksForAttention(name: FigureName, counted: readonly Counted[]): boolean {
  const { alarmAfterSeconds } = shown[name];
  if (alarmAfterSeconds === undefined || counted.length === 0) return false;
  if (alarmAfterSeconds === 0) return true;
  return oldestOf(counted).some((seconds) => seconds >= alarmAfterSeconds);
}

/** The labels of what asks for attention. */
export const alarmsIn = (figures: FiguresByName): readonly string[] =>
  names.filter((name) => asksForAttention(name, figures[name])).map((name) => shown[name].label);
