/** JSON from a model: how it is requested and read. */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import { defineComputation } from '#kernel/compute/computation.ts'
import type { Compute } from '#kernel/compute/index.ts'
import { AppError } from '#kernel/errors.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import { NodeFailure } from '../core/backoff.ts'
import type { NodeCall } from '../shared/node-interface.ts'
import type { compute as read } from './read-structured.computation.ts'

export const schemaPrompt = (schema: Record<string, unknown>): string =>
  `Answer with one JSON value and nothing else, no explanation and no code fence. It must match this JSON Schema:\n${JSON.stringify(schema)}`

export const repairRequest = (problem: string): ChatMessage => ({
  role: 'user',
  content: `That was not valid: ${problem}\nAnswer again with the corrected JSON and nothing else.`,
})

export type Structured = { value: unknown } | { problem: string }

const reading = defineComputation<typeof read>({
  name: 'structured-output',
  module: new URL('./read-structured.computation.ts', import.meta.url),
  deadlineMs: 1000,
  maxInputBytes: 16 * 1024 * 1024,
})

interface Answer {
  text: string
  schema: Record<string, unknown>
}

/** Fails where the schema isn't one. Validation refuses it, but a graph may have been published before it did. */
export const readStructured = async (
  compute: Compute,
  { run, signal }: Pick<NodeCall, 'run' | 'signal'>,
  answer: Answer,
): Promise<Structured> => {
  try {
    const found = await compute(reading, answer, { owner: run.scopeId, signal })
    if ('schemaProblem' in found) throw new NodeFailure(`The output schema ${found.schemaProblem}`, { canRetry: false })
    return 'json' in found ? { value: parseForeign(found.json, { exactly: true }) } : found
  } catch (problem) {
    if (problem instanceof AppError && problem.code.startsWith('computation_'))
      throw new NodeFailure('It takes too long to check the answer with the output schema.', { canRetry: false })
    throw problem
  }
}
