/** A model with a task and tools. */
import { schema } from './checks.ts'
import type { NodeKind } from './kind.ts'

export const agent: NodeKind<'agent'> = {
  texts: ['system_prompt', 'prompt'],
  check: ({ output_schema }) => schema(['output_schema'], output_schema),
  isOutward: false,
  isCall: true,
  tools: ({ tools }) => (Array.isArray(tools) ? tools.map(String) : []),
  // Calling a model has none; the events of an agent are published with its step.
  hasSideEffects: ({ tools }) => Array.isArray(tools) && tools.some((name) => name !== 'emit_event'),
}
