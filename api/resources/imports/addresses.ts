/** Signs the addresses of the files of a job, and of the jobs below it. */
import type { TenantInfo } from '../../../operations/context/context.ts';
import type { BatchView } from '../../../operations/imports/read.ts';
import type { FileKind } from '../../../providers/storage/storage.ts';
import { tenantAddress } from '../../calls/tenant-address.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import type { FileAddresses } from './mapping.ts';

/** New ones at each call, of what can be uploaded or downloaded now. */
export async function fileAddresses(
  { storage, publicUrl }: Pick<RouteDependencies, 'storage' | 'publicUrl'>,
  { id: tenantId, label }: Pick<TenantInfo, 'id' | 'label'>,
  view: BatchView,
): Promise<FileAddresses> {
  const base = tenantAddress(publicUrl, label);
  const addresses = new Map<number, string>();
  for (const job of [view, ...view.children]) {
    const kind = fileKindOf(job);
    if (kind === null) continue;
    addresses.set(job.id, await storage.address({ tenantId, batchId: job.id, kind }, base));
  }
  return addresses;
}

/** A job that is Queued has an upload that nobody may send or read any more. */
function fileKindOf({ status, hasResult }: BatchView): FileKind | null {
  if (status === 'Draft') return 'upload';
  return hasResult ? 'result' : null;
}
