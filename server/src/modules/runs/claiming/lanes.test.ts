/** A node claims runs of its own lanes first, and others when it is woken for them or when they are left alone. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { laneOf } from '#modules/event-bus/index.ts'
import { testApp } from '#test/harness/app.ts'
import { publish, startByHand } from '#test/harness/runs.ts'
import { chain } from '#test/harness/workflows.ts'
import { canClaimUnscoped, claimRunsUnscoped, roundStart } from '../queries/claims.ts'

/** It claims nothing itself. */
const app = await testApp({ env: { SVC_ROLE: 'api' } })
const nodeId = randomUUID()
const limits = { limit: 100, slots: new Map(), shared: 100, alone: 100, suspects: 1, after: roundStart }

const claim = async (more: { now: Date; lanes: number[]; helps: boolean; limit?: number }): Promise<string[]> =>
  (await claimRunsUnscoped(app.db, { ...limits, nodeId, ...more })).runs.map(({ scopeId }) => scopeId)
const canClaim = async (now: Date, lanes: number[]): Promise<boolean> => {
  const { rows } = await sql<{ can: boolean | null }>`select ${canClaimUnscoped(now, lanes)} as can`.execute(app.db)
  return rows[0]?.can === true
}
const queueRuns = async (): Promise<[string, string]> => {
  const mine = await app.user()
  let other = await app.user()
  while (laneOf(other.id) === laneOf(mine.id)) other = await app.user()
  for (const person of [other, mine]) await startByHand(person, await publish(person, chain('only')))
  return [mine.id, other.id]
}
const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms)

it('leaves runs of other lanes to their nodes for a second', async () => {
  const [mine, other] = await queueRuns()
  const [now, lanes] = [app.clock.now(), [laneOf(mine)]]
  expect(await claim({ now, lanes, helps: false })).toEqual([mine])
  expect(await canClaim(now, lanes)).toBe(false)
  expect(await canClaim(later(now, 5000), lanes)).toBe(true)
  expect(await claim({ now: later(now, 5000), lanes, helps: false })).toEqual([other])
})

it('claims its own first where it helps others', async () => {
  const [mine, other] = await queueRuns()
  const [now, lanes] = [app.clock.now(), [laneOf(mine)]]
  expect(await claim({ now, lanes, helps: true, limit: 1 })).toEqual([mine])
  expect(await claim({ now, lanes, helps: true })).toEqual([other])
})
