/**
 * A month of runs. They run now, on the real engine, and are then moved to the moments they tell of: the events of
 * invoices are published with past times, nights are counted back from today.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { decideApproval, listApprovals, startRun } from '@chancery/contract/endpoints/runs.ts'
import { sql } from 'kysely'
import { findFoldedUnscoped, foldHoursUnscoped } from '#modules/runs/index.ts'
import type { Scene } from './context.ts'
import { countBusyRunsUnscoped, listRunsOfEventsUnscoped, type Moment, moveRunsUnscoped } from './queries/past.ts'
import { invoiceEvent, type Workflows } from './workflows.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const patienceMs = 180_000
const suppliers = [
  'Halden Logistics',
  'Finca La Esperanza',
  'Packwerk',
  'Stadtwerke',
  'Studio Fjord',
  'Probat Service',
] as const
const comments = ['Matches the order.', 'Fine.', '', 'Checked with Tomás.'] as const
/** The newest ones that nobody has answered yet. */
const leftOpen = 3

/** How many runs there are of each. */
export interface Month {
  invoices: number
  /** The last ones, at most thirty. */
  nights: number
}

export const makeRuns = async (
  scene: Scene,
  workflows: Workflows,
  { invoices, nights: count }: Month,
): Promise<void> => {
  const eventIds = await publishInvoices(scene, invoices)
  const nights = await checkStock(scene, workflows.stock, count)
  await scene.person('oliver').call(startRun, {
    params: { id: workflows.onboarding },
    body: {
      input: { company: 'Nordlicht Verpackung', contact: 'Svenja Holt', email: 'svenja@nordlicht.demo.example' },
    },
  })
  const started = invoices + nights.length + 1
  await untilQuiet(scene, started)
  await answerApprovals(scene)
  await untilQuiet(scene, started)
  const { db } = scene.context
  await moveRunsUnscoped(db, [...(await listRunsOfEventsUnscoped(db, eventIds)), ...nights])
  const folded = await findFoldedUnscoped(db)
  const ids = sql`select id from workflows where scope_id = ${scene.organizationId}`
  if (folded) await foldHoursUnscoped(db, ids, { from: new Date(scene.now.getTime() - 31 * dayMs), to: folded })
  await db
    .updateTable('runs')
    .set({ triggerKind: 'cron', triggerId: workflows.stockTrigger, userId: null })
    .where('workflowId', '=', workflows.stock)
    .execute()
}

/** On working days, more of them each week; oldest first, as the positions of events are. */
const publishInvoices = async ({ context, organizationId, random, now }: Scene, count: number): Promise<string[]> => {
  const moments = Array.from({ length: count }, () => workingHour(now, random.next(), random.next())).sort(
    (a, b) => a - b,
  )
  const events = moments.map((at, index) => {
    const isOdd = index % 23 === 11
    const amount = random.between(1, 10) > 7 ? random.between(2600, 18_000) : random.between(40, 2400)
    const number = `R-${4100 + index}`
    return {
      scopeId: organizationId,
      eventType: invoiceEvent,
      source: 'mailroom',
      correlationId: `invoice-${number}`,
      userId: null,
      publishedAt: new Date(at),
      payload: {
        number,
        supplier: random.pick(suppliers),
        amount,
        currency: isOdd ? 'CHF' : random.pick(['EUR', 'EUR', 'EUR', 'USD', 'NOK']),
        due: new Date(at + 14 * dayMs).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }),
      },
    }
  })
  const published = await context.db.transaction().execute((tx) => context.bus.publish(tx, events))
  context.bus.wake([organizationId])
  return published.map(({ event }) => event.eventId)
}

const workingHour = (now: Date, part: number, time: number): number => {
  const back = Math.floor((1 - Math.sqrt(part)) * 30)
  const day = new Date(Math.floor(now.getTime() / dayMs) * dayMs - back * dayMs)
  const weekend = day.getUTCDay() === 6 ? 1 : day.getUTCDay() === 0 ? 2 : 0
  const at = day.getTime() - weekend * dayMs + (6 + time * 9) * hourMs
  return Math.min(at, now.getTime() - 60_000 - time * hourMs)
}

const checkStock = async ({ person, now }: Scene, workflowId: string, count: number): Promise<Moment[]> => {
  const nights: Moment[] = []
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  for (let night = count - 1; night >= 0; night -= 1) {
    const { id } = await person('tomás').call(startRun, { params: { id: workflowId }, body: { input: { night } } })
    nights.push({ runId: id, at: new Date(Math.min(today - night * dayMs + 1.5 * hourMs, now.getTime() - hourMs)) })
  }
  return nights
}

const untilQuiet = async ({ context: { db }, organizationId }: Scene, started: number): Promise<void> => {
  const end = performance.now() + patienceMs
  for (;;) {
    const { all, busy } = await countBusyRunsUnscoped(db, organizationId)
    if (all >= started && busy === 0) return
    if (performance.now() > end) throw new Error('The runs of the demo have not ended.')
    await sleep(100)
  }
}

const answerApprovals = async ({ person, random }: Scene): Promise<void> => {
  const jonas = person('jonas')
  const open = []
  for await (const approval of jonas.each(listApprovals, { query: {} })) open.push(approval)
  open.sort((a, b) => (a.message < b.message ? -1 : 1))
  for (const { run_id, step_id } of open.slice(0, -leftOpen)) {
    const approved = random.next() < 0.88
    const comment = approved ? random.pick(comments) : 'We have paid this one already.'
    await jonas.call(decideApproval, {
      params: { runId: run_id, stepId: step_id },
      body: { approved, ...(comment !== '' && { comment }) },
    })
  }
}
