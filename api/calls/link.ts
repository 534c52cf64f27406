/** Makes the routes that give a new link to a page: each call writes, and its answer is a secret. */
import { z } from 'zod';
import { ADDRESS_LENGTH_MAX } from '../../domain/hosted-pages/address.ts';
import type { OperationContext, TenantInfo } from '../../operations/context/context.ts';
import type { MadeLink } from '../../operations/hosted-pages/tokens.ts';
import { compile } from '../xml/codec.ts';
import { dateTime, root, secondText, text } from '../xml/types.ts';
import type { WriteCall } from './call.ts';
import type { RouteDependencies } from './services.ts';
import { tenantOrigin } from './tenant-address.ts';

interface LinkSpec<Address> {
  /** Of its document, and of the last word of its path: `payLink`. */
  readonly name: string;
  readonly make: (context: OperationContext, address: Address) => Promise<MadeLink>;
}

type LinkDocument = z.output<ReturnType<typeof linkSchema>>;
type LinkCall<Address> = WriteCall<object, undefined, LinkDocument> & { readonly address: Address };

/**
 * For `addressed(..).writes`: a GET that changes nothing of its object, and of which HEAD is refused.
 *
 * @example addressed('invoice', dependencies).writes({ ...givesLink(dependencies, { name: 'payLink', make }), summary })
 */
export function givesLink<Address>(
  dependencies: RouteDependencies,
  { name, make }: LinkSpec<Address>,
) {
  return {
    method: 'GET',
    below: `/${name}`,
    response: compile(root(name, linkSchema())),
    keepsSealed: true,
    isUnversioned: true,
    handler: ({ tenant, address, write }: LinkCall<Address>) =>
      write(async (context) => linkDocument(dependencies, tenant, await make(context, address))),
  } as const;
}

const linkSchema = () =>
  z.strictObject({
    url: text(ADDRESS_LENGTH_MAX),
    validUntil: dateTime(),
  });

function linkDocument(
  dependencies: RouteDependencies,
  { label }: TenantInfo,
  { path, validUntil }: MadeLink,
): LinkDocument {
  const url = `${tenantOrigin(dependencies, label)}${path}`;
  return { url, validUntil: secondText(validUntil) };
}
