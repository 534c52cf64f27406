/** The copy of the metadata of objects by which lists are filtered. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { MetadataKind } from '../../domain/text/metadata.ts';
import { ofTenant } from './columns.ts';
import { code, text } from './personal.ts';

/** Triggers alone write it. */
export const MetadataEntry = defineEntity({
  name: 'MetadataEntry',
  tableName: 'metadata_entry',
  properties: {
    ...ofTenant,
    kind: code().primary().$type<MetadataKind>(),
    key: text('copied').primary(),
    value: text('copied').primary(),
    objectId: p.bigint('number').primary(),
  },
});
