/** Webhooks: other systems are told what happens here. The module's public interface. */
import './tables.ts'
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { EventType, WebhooksContext } from './context.ts'
import { deliver } from './deliver.ts'
import { type Message, publish } from './publish.ts'
import {
  deleteDeliveriesBeforeUnscoped,
  deleteScopeUnscoped,
  listOverdueUnscoped,
  switchOffScopeUnscoped,
} from './queries.ts'
import { webhookRoutes } from './routes.ts'

interface Needs {
  kernel: Kernel
  accounts: Pick<Accounts, 'registerDeletionHandler' | 'registerTakeoverHandler'>
  organizations: Pick<Organizations, 'requireWritable'>
  /** Port: event types that people can choose. */
  types: readonly EventType[]
}

export interface Webhooks extends Module {
  /** Tells every webhook of the scope that listens to this type, once the caller's transaction commits. */
  publish(tx: Db, message: Message): Promise<void>
}

const retentionMs = 30 * 86_400_000
/**
 * A receiver may take 20 s to answer, so a tenant has no more than three of a node's slots. The deliveries of an endpoint
 * share one, and one that hangs holds up only those beside it.
 */
const lanes = 3
const laneOf = (endpointId: string): number => Number.parseInt(endpointId.slice(-6), 16) % lanes

/** A job that is due runs within seconds; what is this late was lost. */
const lateMs = 30_000

export const createWebhooks = ({ kernel, accounts, organizations, types }: Needs): Webhooks => {
  const { clock, db, jobs } = kernel
  /** An attempt that fails is planned again in the database; the job itself is only repeated after a crash. */
  const deliverJob = defineJob({
    name: 'webhooks.deliver',
    data: z.object({ deliveryId: z.uuid() }),
    retryLimit: 2,
    concurrency: 16,
    perGroup: 1,
    expireInSec: 60,
    handle: ({ deliveryId }, { signal }) => deliver(context, deliveryId, signal),
  })
  const context: WebhooksContext = {
    kernel,
    organizations,
    types,
    enqueue: async (tx, { id: deliveryId, endpointId, scopeId }, at) => {
      const group = `${scopeId} ${laneOf(endpointId)}`
      await jobs.enqueue(tx, deliverJob, { deliveryId }, { group, ...(at && { startAfter: at }) })
    },
  }
  const sweepJob: JobDefinition = defineJob({
    name: 'webhooks.sweep',
    data: z.object({}),
    timetable: { cron: '* * * * *', data: {} },
    concurrency: 1,
    handle: async () => {
      const now = clock.now().getTime()
      for (const late of await listOverdueUnscoped(db, new Date(now - lateMs))) await context.enqueue(db, late)
      await deleteDeliveriesBeforeUnscoped(db, new Date(now - retentionMs))
    },
  })
  // The webhooks of an organization stay with it.
  accounts.registerDeletionHandler((tx, { user }) => deleteScopeUnscoped(tx, user.id))
  accounts.registerTakeoverHandler((tx, userId) =>
    switchOffScopeUnscoped(tx, userId, 'It was made before the address of this account was verified.'),
  )
  return {
    routes: webhookRoutes(context),
    jobs: [deliverJob, sweepJob],
    publish: (tx, message) => publish(context, tx, message),
  }
}
