/** Schemas of valves, checked in a limited child. What takes too long is refused, and costs nobody else anything. */
import { ChildFailure, type Children, exhausted } from '#kernel/child/index.ts'
import { AppError } from '#kernel/errors.ts'
import type { tasks } from './valves.worker.ts'

type Fields = Record<string, unknown>

export interface ValveCheck {
  /** Throws `plugin_invalid` where the schema itself is broken, so that nobody finds out later. */
  assertSchema(schema: Fields | null, tenant: string): Promise<void>
  /** Throws `validation_failed`, naming what is wrong with the values. */
  assertValues(schema: Fields, values: Fields, tenant: string): Promise<void>
}

const maxProblems = 50

export const createValveCheck = (children: Pick<Children, 'declare' | 'run'>): ValveCheck => {
  const worker = children.declare<typeof tasks>({
    name: 'plugin-valves',
    script: new URL('./valves.worker.ts', import.meta.url),
    processes: 1,
    limits: { memoryMb: 256, cpuMs: 2_000, wallMs: 10_000 },
  })
  return {
    assertSchema: async (schema, tenant) => {
      if (schema) await children.run(worker, 'check', { schema }, { tenant }).catch(explain)
    },
    assertValues: async (schema, values, tenant) => {
      const found = await children
        .run(worker, 'check', { schema: { additionalProperties: false, ...schema }, values }, { tenant })
        .catch(explain)
      if (found.length === 0) return
      const problems = found
        .slice(0, maxProblems)
        .map(({ loc, ...rest }) => ({ loc: ['body', 'valves', ...loc], ...rest }))
      throw new AppError('validation_failed', { problems })
    },
  }
}

const explain = (problem: unknown): never => {
  if (!(problem instanceof ChildFailure)) throw problem
  if (problem.code === 'child_task_failed')
    throw new AppError('plugin_invalid', {
      detail: `The schema of the valves is not valid: ${String(problem.taskError?.message).slice(0, 500)}`,
    })
  if (exhausted.has(problem.code))
    throw new AppError('plugin_invalid', {
      detail: 'The schema of the valves takes too long to check.',
      cause: problem,
    })
  throw new AppError('not_ready', { retryAfterSec: 5, cause: problem })
}
