/** What belongs to the installation, not to a tenant. */
import { defineEntity, p } from '@mikro-orm/postgresql';

export const Installation = defineEntity({
  name: 'Installation',
  tableName: 'installation',
  properties: {
    key: p.text().primary(),
    value: p.text(),
  },
});

export const WorkerHeartbeat = defineEntity({
  name: 'WorkerHeartbeat',
  tableName: 'worker_heartbeat',
  properties: {
    identity: p.text().primary(),
    beatAt: p.datetime(),
  },
});
