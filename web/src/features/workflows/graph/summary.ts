/** One line describing a node's configuration: the model, the URL, the expression. */
import type { GraphNode } from '@chancery/contract/workflow-graph.ts'
import { counted } from '#lib/text/counted.ts'
import { nodeKinds } from './node-kinds.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value.trim().replaceAll(/\s+/g, ' ') : '')
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const units = [
  { name: 'd', sec: 86_400 },
  { name: 'h', sec: 3600 },
  { name: 'min', sec: 60 },
] as const

/** `5400` → `90 min`: the largest unit that needs no fraction. */
export function formatSeconds(sec: number): string {
  const unit = units.find((one) => sec >= one.sec && sec % one.sec === 0)
  return unit ? `${sec / unit.sec} ${unit.name}` : `${sec} s`
}

const summaries: Record<GraphNode['type'], (config: GraphNode['config']) => string> = {
  agent: ({ model }) => text(model),
  tool: ({ tool }) => text(tool),
  condition: ({ expression, cases }) =>
    Array.isArray(cases) && cases.length > 0 ? counted(cases.length, 'case') : text(expression),
  transform: ({ fields }) => Object.keys((fields ?? {}) as object).join(', '),
  http_request: ({ method, url }) => `${text(method) || 'GET'} ${text(url)}`.trim(),
  emit_event: ({ event_type }) => text(event_type),
  wait: ({ seconds, until, event_type }) => {
    const sec = number(seconds)
    if (sec !== undefined) return `for ${formatSeconds(sec)}`
    return text(event_type) === '' ? text(until) && `until ${text(until)}` : `for ${text(event_type)}`
  },
  approval: ({ title }) => text(title),
  for_each: ({ items }) => text(items),
  subworkflow: () => '',
  signature: ({ title }) => text(title),
  code: ({ code }) => text(code),
  loop: ({ stop_when }) => text(stop_when) && `until ${text(stop_when)}`,
  merge: ({ mode }) => (mode === 'any' ? 'First branch' : 'All branches'),
}

export const summaryOf = ({ type, config }: Pick<GraphNode, 'type' | 'config'>): string =>
  summaries[type](config) || nodeKinds[type].label
