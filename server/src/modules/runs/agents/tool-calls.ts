/** The calls of tools in a model's answer. Pure. */

export interface ToolCall {
  id: string
  name: string
  arguments: string
}

export const readToolCalls = (value: unknown): ToolCall[] => (Array.isArray(value) ? value : []).flatMap(readToolCall)

const readToolCall = (value: unknown, index: number): ToolCall[] => {
  const { id, function: called } = (value ?? {}) as { id?: unknown; function?: { name?: unknown; arguments?: unknown } }
  if (typeof called?.name !== 'string') return []
  const { name, arguments: args } = called
  const text = typeof args === 'string' ? args : JSON.stringify(args ?? {})
  return [{ id: typeof id === 'string' && id !== '' ? id : `call_${index}`, name, arguments: text }]
}
