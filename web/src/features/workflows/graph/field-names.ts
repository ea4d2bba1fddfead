/** The labels of node fields: `config.cases[0].expression` → `Case 1, expression`. */
import type { NodeType } from '@chancery/contract/workflows/graph.ts'
import { nodeKinds } from '../kinds/node-kinds.ts'

/** Those that every node or the workflow has; a node type names its own. */
const sharedNames: Readonly<Record<string, string>> = {
  retry: 'Retries',
  timeout_sec: 'Time limit',
  on_error: 'When all attempts fail',
  name: 'Name',
  'retry.max_attempts': 'Attempts',
  'retry.initial_delay_ms': 'Initial delay',
  'retry.max_delay_ms': 'Maximum delay',
  'settings.deadline_sec': 'Run deadline',
  'settings.default_retry.max_attempts': 'Attempts',
  'settings.default_retry.initial_delay_ms': 'Initial delay',
  'settings.default_retry.max_delay_ms': 'Maximum delay',
}

/** The form field that a path belongs to: `config.cases[0].expression` → `cases`. */
export const formField = (path: string): string => /^(?:config\.)?([^.[]+)/.exec(path)?.[1] ?? path

export function fieldLabel(path: string, type?: NodeType): string {
  const names = { ...sharedNames, ...(type && nodeKinds[type].fields) }
  const whole = names[path.replace(/^config\./, '')]
  if (whole !== undefined) return whole
  const [, first = path, index, , rest] = /^(?:config\.)?([^.[]+)(?:\[(\d+)\])?(\.(.+))?$/.exec(path) ?? []
  const label = names[first] ?? first
  if (index !== undefined) {
    const one = label.replace(/s$/, '')
    return `${one} ${Number(index) + 1}${rest === undefined ? '' : `, ${rest}`}`
  }
  return rest === undefined ? label : `${label}, ${rest}`
}
