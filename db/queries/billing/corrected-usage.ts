/** Reads the invoices that billed usage whose records are corrected since. */
import type { CorrectedLine, CorrectedWindow } from '../../../domain/billing/corrected.ts';
import type { Decimal } from '../../../domain/money/decimal.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { byLine, chargesText, standingCredits } from './invoiced-charges.ts';
import type { ChargeRow } from './invoiced-charges.ts';

/** Only charges of the invoice that a window names: it may have been billed by another before. */
const correctedText = chargesText({
  ahead: `source as (
    select w.id, w.invoice_id from usage_window w where w.tenant_id = $1 and w.id = any($2)),
  ahead as (
    select distinct n.id
    from source s
    join invoice_charge c on c.tenant_id = $1 and c.usage_window_id = s.id
    join invoice_line n on n.tenant_id = $1 and n.id = c.invoice_line_id
      and n.invoice_id = s.invoice_id)`,
  where: 'n.tenant_id = $1',
  credits: standingCredits,
});

/**
 * What stands of the amounts of which windows took a percentage: those of their records less those of
 * corrections that were billed since.
 */
const suppliedText = `
  select w.id, ((
    select coalesce(sum(a.amount), 0) from activity a
    where a.tenant_id = $1 and a.window_id = w.id and not a.corrects_billed) + (
    select coalesce(sum(k.amount), 0) from activity k
    join usage_window kw on kw.tenant_id = $1 and kw.id = k.window_id
      and kw.closed_at is not null and not kw.corrects_plainly
    join activity a on a.tenant_id = $1 and a.id = k.corrects_id and a.window_id = w.id
    where k.tenant_id = $1 and k.order_line_id = w.order_line_id and k.corrects_billed))::text
    as supplied
  from usage_window w
  where w.tenant_id = $1 and w.id = any($2) and w.percent is not null`;

/** The lines that billed windows whose records are corrected, by the window's id. */
export async function correctedLines(
  tx: Tx,
  windowIds: readonly number[],
): Promise<ReadonlyMap<number, CorrectedLine>> {
  if (windowIds.length === 0) return new Map();
  const values = [tx.tenantId, windowIds];
  const [rows, supplied] = await Promise.all([
    tx.query<ChargeRow & Record<string, unknown>>(correctedText, values, 'corrected-lines'),
    tx.query<{ id: number; supplied: Decimal }>(suppliedText, values, 'corrected-amounts'),
  ]);
  const asked = new Set(windowIds);
  const suppliedOf = new Map(supplied.map((each) => [each.id, each.supplied]));
  const lines = new Map<number, CorrectedLine>();
  for (const line of byLine(rows)) {
    const windows = new Map<number, CorrectedWindow>();
    for (const { kind, windowId: id, from, to } of line.charges) {
      if (kind !== 'usage' || id === null || from === null || to === null) continue;
      if (asked.has(id)) windows.set(id, { id, from, to, supplied: suppliedOf.get(id) ?? null });
    }
    const corrected = { ...line, windows: [...windows.values()] };
    for (const id of windows.keys()) lines.set(id, corrected);
  }
  return lines;
}
