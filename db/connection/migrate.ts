/** Brings a database to the newest schema; safe when several processes start at once. */
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import pg from 'pg';
import { Foundation } from '../migrations/0001-foundation.ts';
import { Interface } from '../migrations/0002-interface.ts';
import { Payments } from '../migrations/0003-payments.ts';
import { Numbering } from '../migrations/0004-numbering.ts';
import { BillingSuspects } from '../migrations/0005-billing-suspects.ts';
import { ChargeKinds } from '../migrations/0006-charge-kinds.ts';
import { GatewayKeys } from '../migrations/0007-gateway-keys.ts';
import { Indexes } from '../migrations/0008-indexes.ts';
import { CancelledEnds } from '../migrations/0009-cancelled-ends.ts';
import { RelayByTenant } from '../migrations/0010-relay-by-tenant.ts';
import { AnyForeignId } from '../migrations/0011-any-foreign-id.ts';
import { Names } from '../migrations/0012-names.ts';
import { GatewayNews } from '../migrations/0013-gateway-news.ts';
import { WorkflowsSeen } from '../migrations/0015-workflows-seen.ts';
import { ForeignIdsRead } from '../migrations/0016-foreign-ids-read.ts';
import { OrderAfterItsLines } from '../migrations/0018-order-after-its-lines.ts';
import { RunAmounts } from '../migrations/0020-run-amounts.ts';
import { Events } from '../migrations/0021-events.ts';
import { Callbacks } from '../migrations/0022-callbacks.ts';
import { Dunning } from '../migrations/0023-dunning.ts';
import { Collection } from '../migrations/0024-collection.ts';
import { Mail } from '../migrations/0025-mail.ts';
import { EventDocuments } from '../migrations/0026-event-documents.ts';
import { Retention } from '../migrations/0027-retention.ts';
import { NewsIndex } from '../migrations/0028-news-index.ts';
import { AgeingWaits } from '../migrations/0030-ageing-waits.ts';
import { ResolvedPayments } from '../migrations/0032-resolved-payments.ts';
import { CallbackFailures } from '../migrations/0041-callback-failures.ts';
import { UpdateAnswers } from '../migrations/0042-update-answers.ts';
import { WorkflowsUnseen } from '../migrations/0043-workflows-unseen.ts';
import { DebtsOpened } from '../migrations/0044-debts-opened.ts';
import { Backlogs } from '../migrations/0045-backlogs.ts';
import { ChargeReferences } from '../migrations/0046-charge-references.ts';
import { LineDays } from '../migrations/0047-line-days.ts';
import { Prices } from '../migrations/0048-prices.ts';
import { Changes } from '../migrations/0049-changes.ts';
import { NewestLines } from '../migrations/0051-newest-lines.ts';
import { TaxAnswers } from '../migrations/0052-tax-answers.ts';
import { TaxRecords } from '../migrations/0053-tax-records.ts';
import { TaxWaits } from '../migrations/0054-tax-waits.ts';
import { Usage } from '../migrations/0055-usage.ts';
import { UsageIds } from '../migrations/0056-usage-ids.ts';
import { UsageDays } from '../migrations/0057-usage-days.ts';
import { CommissionPlans } from '../migrations/0060-commission-plans.ts';
import { Commissions } from '../migrations/0061-commissions.ts';
import { Imports } from '../migrations/0063-imports.ts';
import { Signups } from '../migrations/0064-signups.ts';
import { SelfService } from '../migrations/0065-self-service.ts';
import { SelfServiceForms } from '../migrations/0066-self-service-forms.ts';
import { CustomerRecords } from '../migrations/0067-customer-records.ts';
import { Billed } from '../migrations/0068-billed.ts';
import { TaxReturns } from '../migrations/0070-tax-returns.ts';
import { Corrections } from '../migrations/0072-corrections.ts';
import { BatchWithdrawals } from '../migrations/0080-batch-withdrawals.ts';
import { DunningsOfImports } from '../migrations/0081-dunnings-of-imports.ts';
import { BatchQueue } from '../migrations/0082-batch-queue.ts';
import { SignupTerms } from '../migrations/0092-signup-terms.ts';
import { ContactChanges } from '../migrations/0100-contact-changes.ts';
import { AttemptWindows } from '../migrations/0101-attempt-windows.ts';
import { LoginGuesses } from '../migrations/0102-login-guesses.ts';
import { SignupConfirmations } from '../migrations/0110-signup-confirmations.ts';

const migrationsList = [
  { name: '0001-foundation', class: Foundation },
  { name: '0002-interface', class: Interface },
  { name: '0003-payments', class: Payments },
  { name: '0004-numbering', class: Numbering },
  { name: '0005-billing-suspects', class: BillingSuspects },
  { name: '0006-charge-kinds', class: ChargeKinds },
  { name: '0007-gateway-keys', class: GatewayKeys },
  { name: '0008-indexes', class: Indexes },
  { name: '0009-cancelled-ends', class: CancelledEnds },
  { name: '0010-relay-by-tenant', class: RelayByTenant },
  { name: '0011-any-foreign-id', class: AnyForeignId },
  { name: '0012-names', class: Names },
  { name: '0013-gateway-news', class: GatewayNews },
  { name: '0015-workflows-seen', class: WorkflowsSeen },
  { name: '0016-foreign-ids-read', class: ForeignIdsRead },
  { name: '0018-order-after-its-lines', class: OrderAfterItsLines },
  { name: '0020-run-amounts', class: RunAmounts },
  { name: '0021-events', class: Events },
  { name: '0022-callbacks', class: Callbacks },
  { name: '0023-dunning', class: Dunning },
  { name: '0024-collection', class: Collection },
  { name: '0025-mail', class: Mail },
  { name: '0026-event-documents', class: EventDocuments },
  { name: '0027-retention', class: Retention },
  { name: '0028-news-index', class: NewsIndex },
  { name: '0030-ageing-waits', class: AgeingWaits },
  { name: '0032-resolved-payments', class: ResolvedPayments },
  { name: '0041-callback-failures', class: CallbackFailures },
  { name: '0042-update-answers', class: UpdateAnswers },
  { name: '0043-workflows-unseen', class: WorkflowsUnseen },
  { name: '0044-debts-opened', class: DebtsOpened },
  { name: '0045-backlogs', class: Backlogs },
  { name: '0046-charge-references', class: ChargeReferences },
  { name: '0047-line-days', class: LineDays },
  { name: '0048-prices', class: Prices },
  { name: '0049-changes', class: Changes },
  { name: '0051-newest-lines', class: NewestLines },
  { name: '0052-tax-answers', class: TaxAnswers },
  { name: '0053-tax-records', class: TaxRecords },
  { name: '0054-tax-waits', class: TaxWaits },
  { name: '0055-usage', class: Usage },
  { name: '0056-usage-ids', class: UsageIds },
  { name: '0057-usage-days', class: UsageDays },
  { name: '0060-commission-plans', class: CommissionPlans },
  { name: '0061-commissions', class: Commissions },
  { name: '0063-imports', class: Imports },
  { name: '0064-signups', class: Signups },
  { name: '0065-self-service', class: SelfService },
  { name: '0066-self-service-forms', class: SelfServiceForms },
  { name: '0067-customer-records', class: CustomerRecords },
  { name: '0068-billed', class: Billed },
  { name: '0070-tax-returns', class: TaxReturns },
  { name: '0072-corrections', class: Corrections },
  { name: '0080-batch-withdrawals', class: BatchWithdrawals },
  { name: '0081-dunnings-of-imports', class: DunningsOfImports },
  { name: '0082-batch-queue', class: BatchQueue },
  { name: '0092-signup-terms', class: SignupTerms },
  { name: '0100-contact-changes', class: ContactChanges },
  { name: '0101-attempt-windows', class: AttemptWindows },
  { name: '0102-login-guesses', class: LoginGuesses },
  { name: '0110-signup-confirmations', class: SignupConfirmations },
];
/** An arbitrary constant: the lock of the migrating process. */
const MIGRATION_LOCK = 727_001;

/** @param ownerUrl address of the schema's owner */
export async function migrate(ownerUrl: string): Promise<void> {
  const lock = new pg.Client({ connectionString: ownerUrl });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const orm = new MikroORM(
      defineConfig({
        clientUrl: ownerUrl,
        entities: [],
        ensureDatabase: false,
        discovery: { warnWhenNoEntities: false },
        extensions: [Migrator],
        migrations: { migrationsList, tableName: 'migration', snapshot: false, silent: true },
      }),
    );
    try {
      await orm.migrator.up();
    } finally {
      await orm.close(true);
    }
  } finally {
    await lock.end();
  }
}
