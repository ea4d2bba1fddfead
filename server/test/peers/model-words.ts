/** A model peer's words where its behaviour leaves them open. */
import type { Behaviour, PeerRequest } from './model-behaviour.ts'

/** The user's last text, or whatever else was asked: an unscripted peer repeats it. */
export const saidIn = (body: PeerRequest['body']): string => {
  if (typeof body?.prompt === 'string') return body.prompt
  if (typeof body?.input === 'string') return body.input
  const messages: { role?: string; content?: unknown }[] =
    body?.messages ?? (Array.isArray(body?.input) ? body.input : [])
  const last = messages.findLast((message) => message?.role === 'user')?.content
  if (!Array.isArray(last)) return typeof last === 'string' ? last : ''
  return last.map((part: { text?: string }) => part?.text ?? '').join('')
}

export interface Said {
  chunks: readonly string[]
  reasoning: readonly string[]
  usage: { prompt: number; completion: number } | null
}

/** A behaviour's words with all defaults applied. Echoes are cut into words. */
export const saidBy = (behaviour: Behaviour, request: PeerRequest): Said => {
  const echo = behaviour.toolCalls ? [] : (saidIn(request.body).match(/\S+\s*|\s+/gu) ?? [])
  const chunks = behaviour.chunks ?? (behaviour.text === undefined ? echo : [behaviour.text])
  return {
    chunks,
    reasoning: behaviour.reasoning ?? [],
    usage: behaviour.usage === undefined ? { prompt: 10, completion: chunks.length } : behaviour.usage,
  }
}

/** The same text always has the same direction; different texts hardly ever do. */
export const embeddingOf = (text: string): number[] => {
  const vector = Array.from({ length: 8 }, () => 0)
  for (const [index, character] of [...text].entries())
    vector[index % 8] = (vector[index % 8] ?? 0) + (character.codePointAt(0) ?? 0) / 1000
  return vector
}

export const textsIn = (input: unknown): string[] => (Array.isArray(input) ? input.map(String) : [String(input ?? '')])
