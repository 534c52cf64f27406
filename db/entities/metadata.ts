/** The copy of the metadata of objects by which lists are filtered. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { MetadataKind } from '../../domain/text/metadata.ts';
import { ofTenant } from './columns.ts';

/** Triggers alone write it. */
export const MetadataEntry = defineEntity({
  name: 'MetadataEntry',
  tableName: 'metadata_entry',
  properties: {
    ...ofTenant,
    kind: p.text().primary().$type<MetadataKind>(),
    key: p.text().primary(),
    value: p.text().primary(),
    objectId: p.bigint('number').primary(),
  },
});
