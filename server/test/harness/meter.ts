/** A node that only counts, and calls to models that are only claimed to have happened. */
import { afterAll } from 'vitest'
import type { Actor } from '#kernel/http/actor.ts'
import { createUsage } from '#modules/usage/index.ts'
import type { TestApp } from './app.ts'
import { createNode } from './node.ts'

export const startMeterNode = async (app: TestApp, env: Record<string, string> = {}) => {
  const node = await createNode(app, env)
  const usage = await createUsage(node)
  await node.start(usage)
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= node.stop(usage)
    return stopped
  }
  afterAll(stop)

  const actorOf = async (token: string): Promise<Actor> => {
    const actor = await node.accounts.authenticate(token)
    if (!actor) throw new Error('nobody is behind this token')
    return actor
  }
  return {
    stop,
    /** Resolves when admitted, rejects with the refusal. */
    admit: async ({ token }: { token: string }): Promise<void> => usage.meter.admit(await actorOf(token)),
    use: async ({ token }: { token: string }, tokens: number, model = 'some-model'): Promise<void> =>
      usage.meter.record(await actorOf(token), { model, promptTokens: tokens, completionTokens: 0, failed: false }),
    meter: usage.meter,
    actorOf,
  }
}
