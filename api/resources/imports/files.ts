/** Takes uploads of jobs and gives their results, at signed addresses of the API's own. */
import { isDraft, isOtherUpload } from '../../../operations/imports/create.ts';
import {
  type AddressedFile,
  FILE_BYTES_MAX,
  type FileKind,
  StorageError,
} from '../../../providers/storage/storage.ts';
import { RequestError } from '../../calls/errors.ts';
import { type PlainCall, type PlainRoute, plainRoute } from '../../calls/route-types.ts';
import { type RouteDependencies, reading } from '../../calls/services.ts';

const shared = {
  under: 'rest',
  path: '/file',
  credentials: 'signature',
  right: null,
  answer: 'file',
} as const;

/** A bucket answers its addresses itself, so these are only for a storage that verifies tokens. */
export function fileRoutes(dependencies: RouteDependencies): readonly PlainRoute[] {
  return [uploadRoute(dependencies), downloadRoute(dependencies)];
}

function uploadRoute(dependencies: RouteDependencies): PlainRoute {
  const { uploadBytesMax = FILE_BYTES_MAX.upload } = dependencies;
  return plainRoute({
    ...shared,
    method: 'PUT',
    body: 'stream',
    bodyBytesMax: uploadBytesMax,
    isWrite: true,
    async respond({ tenant, parameters, body }) {
      const { storage } = dependencies;
      const { replaces, ...name } = named(dependencies, { tenant, parameters }, 'upload');
      const { batchId } = name;
      const refuseOver = async (): Promise<void> => {
        if (!(await reading(dependencies, tenant, (tx) => isDraft(tx, batchId)))) throw over();
      };
      await refuseOver();
      const { etag } = await storage.put(name, thenAsked(body(), refuseOver), { replaces });
      // The upload that was finalized is deleted once it is processed, and this one came after it.
      if (await reading(dependencies, tenant, (tx) => isOtherUpload(tx, batchId, etag))) {
        await storage.delete(name);
        throw over();
      }
      return { status: 201, type: 'text/plain; charset=utf-8', headers: {}, body: '' };
    },
  });
}

function downloadRoute(dependencies: RouteDependencies): PlainRoute {
  return plainRoute({
    ...shared,
    method: 'GET',
    body: 'none',
    isWrite: false,
    async respond(call) {
      const name = named(dependencies, call, 'result');
      const { content, size } = await dependencies.storage.get(name);
      const headers = {
        'Content-Disposition': `attachment; filename="batch-${name.batchId}-result.csv"`,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      };
      return { status: 200, type: 'text/csv; charset=utf-8', headers, body: content, bytes: size };
    },
  });
}

/** It may have been finalized, or withdrawn, while the file was on its way. */
async function* thenAsked(
  body: AsyncIterable<Uint8Array>,
  ask: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  yield* body;
  await ask();
}

const over = (): RequestError =>
  new RequestError(409, {
    code: 'file.used',
    message: 'The job takes no file: it is finalized or withdrawn',
  });

/** Throws `forged` or `expired`, and 404 where no token is valid. */
function named(
  { storage }: RouteDependencies,
  { tenant, parameters }: Pick<PlainCall<unknown>, 'tenant' | 'parameters'>,
  kind: FileKind,
): AddressedFile {
  if (storage.verify === null) {
    throw new RequestError(404, { code: 'path.unknown', message: 'There is no such address' });
  }
  const { token } = parameters;
  if (typeof token !== 'string') throw new StorageError('forged');
  return storage.verify(token, { tenantId: tenant.id, kind });
}
