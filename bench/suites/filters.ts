/**
 * Dispatching an event with 1,000 subscriptions, each with its own filter: evaluated on a separate thread, compared with
 * the server's thread in alternating rounds. At most 1.3 times.
 */
import { randomUUID } from 'node:crypto'
import { compileExpression, type Expression, type Name } from '@chancery/expression'
import { createDb, createPool } from '../../server/src/kernel/db/database.ts'
import { migrate } from '../../server/src/kernel/db/migrate.ts'
import { readMigrations } from '../../server/src/kernel/db/read-migrations.ts'
import { createExpressions, type Expressions } from '../../server/src/kernel/expressions/expressions.ts'
import { noFailpoints } from '../../server/src/kernel/failpoints.ts'
import { createLog } from '../../server/src/kernel/log.ts'
import type { EventBusContext } from '../../server/src/modules/event-bus/context.ts'
import { dispatchDue } from '../../server/src/modules/event-bus/dispatch/dispatch-due.ts'
import { createTurn } from '../../server/src/modules/event-bus/dispatch/shares.ts'
import { createSubscriptionIndex } from '../../server/src/modules/event-bus/dispatch/subscription-index.ts'
import { instanceLane } from '../../server/src/modules/event-bus/lanes.ts'
import { batchLimits } from '../../server/src/modules/event-bus/payload.ts'
import { takeBatchesUnscoped } from '../../server/src/modules/event-bus/queries/batches.ts'
import { insertEventsUnscoped } from '../../server/src/modules/event-bus/queries/events.ts'
import { median } from '../lib/first-byte.ts'
import { startPostgres } from '../lib/postgres.ts'

const subscriptions = 1000
const rounds = 60
const warmUp = 10

const scopeId = '00000000-0000-0000-0000-000000000000'
const eventType = 'order_created'

/** Evaluates on the server's thread, as it was done before. */
const createInThread = (): Pick<Expressions, 'testWithin'> => {
  const compiled = new Map<string, Expression>()
  const compile = (text: string, names: readonly Name[]): Expression => {
    const expression = compiled.get(text) ?? compileExpression(text, names)
    compiled.set(text, expression)
    return expression
  }
  return {
    testWithin: async ({ names, groups }) =>
      groups.flatMap(({ values, texts }) => texts.map((text) => ({ holds: compile(text, names).test(values) }))),
  }
}

export const run = async (): Promise<void> => {
  const postgres = await startPostgres()
  const pool = createPool({ connectionString: postgres.url, max: 4 })
  const log = createLog('error')
  const threads = createExpressions(log)
  try {
    await migrate(pool, readMigrations(new URL('../../server/migrations', import.meta.url).pathname))
    const db = createDb(pool)
    const rows = Array.from({ length: subscriptions }, (_, index) => ({
      id: randomUUID(),
      scopeId,
      workflowId: randomUUID(),
      name: `Subscription ${index}`,
      eventType,
      filterExpr: `payload["amount"] > ${index} and "vip" in payload["tags"] and event["source"] == "shop ${index % 2}"`,
      concurrency: 'parallel' as const,
      allowReentry: false,
      catalogId: null,
      spaceId: null,
      enabled: true,
      createdAt: new Date(),
    }))
    await db.insertInto('subscriptions').values(rows).execute()
    const contextWith = (expressions: Pick<Expressions, 'testWithin'>) =>
      ({
        db,
        log,
        expressions,
        clock: { now: () => new Date() },
        failpoints: noFailpoints,
        ports: { starter: undefined, listeners: [], pauseListeners: [], findWorkflowNames: async () => new Map() },
      }) as unknown as EventBusContext
    const index = createSubscriptionIndex()
    const dispatchOne = async (expressions: Pick<Expressions, 'testWithin'>): Promise<number> => {
      const eventId = randomUUID()
      const payload = {
        amount: 700,
        tags: ['vip', 'eu'],
        lines: Array.from({ length: 20 }, (_, sku) => ({ sku, count: 2 })),
      }
      const draft = {
        eventId,
        scopeId,
        eventType,
        source: 'shop 1',
        correlationId: eventId,
        userId: null,
        payload,
        payloadJson: JSON.stringify(payload),
        publishedAt: new Date(),
        hop: 0,
        chain: [],
        rootEventId: eventId,
        causationRunId: null,
        publisher: null,
        key: null,
        mayExist: false,
      }
      await insertEventsUnscoped(db, [draft], { now: new Date(), keysExpireAt: new Date() })
      const startedMs = performance.now()
      await dispatchDue(
        contextWith(expressions),
        { index, shares: createTurn(Number.POSITIVE_INFINITY) },
        {
          lanes: [instanceLane],
          take: (tx, request) => takeBatchesUnscoped(tx, { ...request, from: () => 0, limits: batchLimits }),
        },
      )
      return performance.now() - startedMs
    }
    const inThread = createInThread()
    const took = { inThread: [] as number[], ownThread: [] as number[] }
    for (let round = 0; round < warmUp + rounds; round += 1) {
      const [one, other] = [await dispatchOne(inThread), await dispatchOne(threads)]
      if (round >= warmUp) {
        took.inThread.push(one)
        took.ownThread.push(other)
      }
    }
    const [here, there] = [median(took.inThread), median(took.ownThread)]
    process.stdout.write(
      `1,000 subscriptions, p50 of a dispatch: ${here.toFixed(2)} ms on the server's thread, ${there.toFixed(2)} ms on its own; ` +
        `${(there / here).toFixed(2)} times (limit 1.3)\n`,
    )
  } finally {
    await threads.stop()
    await pool.end()
    await postgres.stop()
  }
}
