/**
 * Turns at an engine that embeds on this machine: one batch of texts to be indexed waits for it at a time, tenant by tenant.
 * So a question has to wait for one batch, however many tenants index, and questions take turns with each other.
 */
import { scopeOf } from '#kernel/http/scope.ts'
import { createTurns } from '#kernel/turns/turns.ts'
import type { EmbedOptions } from './engine.ts'

/** Runs the task when it is its turn, with the name by which it takes turns in the child. */
export type TakeEmbeddingTurn = <Result>(
  options: EmbedOptions,
  task: (tenant: string) => Promise<Result>,
) => Promise<Result>

export const createEmbeddingTurns = (): TakeEmbeddingTurn => {
  const takeTurn = createTurns({ atOnce: 1, perOwner: 1 })
  return async ({ payer, signal, isQuestion = false }, task) => {
    const scope = scopeOf(payer)
    if (isQuestion) return task(`question of ${scope}`)
    const endTurn = await takeTurn(scope, signal)
    try {
      return await task(scope)
    } finally {
      endTurn()
    }
  }
}
