/** A node that only counts, and calls to models that are only claimed to have happened. */
import type { Actor } from '#kernel/http/actor.ts'
import type { Reservation } from '#kernel/meter.ts'
import { createUsage } from '#modules/usage/index.ts'
import type { TestApp } from './app.ts'
import { atEnd } from './at-end.ts'
import { createNode } from './node.ts'

export const startMeterNode = async (app: TestApp, env: Record<string, string> = {}) => {
  const node = await createNode(app, env)
  const usage = await createUsage({ ...node, flushEveryMs: 50, refreshEveryMs: 100 })
  await node.start(usage)
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= node.stop(usage)
    return stopped
  }
  atEnd(stop)

  const actorOf = async (token: string): Promise<Actor> => {
    const actor = await node.accounts.authenticate(token)
    if (!actor) throw new Error('nobody is behind this token')
    return actor
  }
  return {
    stop,
    db: node.kernel.db,
    /** Failed writes of recorded usage. */
    failedWrites: () => node.kernel.tasks.failuresOf('usage.flush'),
    /** Resolves when the call is allowed, rejects with the refusal; what was reserved is released. */
    call: async ({ token }: { token: string }): Promise<void> => {
      const reservation = await usage.meter.reserve(await actorOf(token), () => ({ least: 1, most: 1 }))
      reservation?.release()
    },
    /** As a running call: nothing is released. */
    reserve: async ({ token }: { token: string }, tokens: number): Promise<Reservation> => {
      const reservation = await usage.meter.reserve(await actorOf(token), () => ({ least: tokens, most: tokens }))
      if (!reservation) throw new Error('no budget applies')
      return reservation
    },
    use: async ({ token }: { token: string }, tokens: number, model = 'some-model'): Promise<void> =>
      usage.meter.record(await actorOf(token), { model, promptTokens: tokens, completionTokens: 0, failed: false }),
    meter: usage.meter,
    actorOf,
  }
}
