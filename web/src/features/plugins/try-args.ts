/** The methods of a plugin that can be tried, with arguments to start from. Pure. */
import type { Plugin } from '@chancery/contract/plugins/plugins.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function methodsOf({ type, specs }: Plugin): string[] {
  if (type === 'tool') return specs.map(({ name }) => name)
  if (type === 'filter') return ['inlet', 'stream', 'outlet']
  return [type]
}

const samples: Record<string, unknown> = { string: '', number: 0, integer: 0, boolean: false, array: [], object: {} }

const body = { model: 'a-model', messages: [{ role: 'user', content: 'Hello' }] }

export function sampleArgs({ type, specs }: Plugin, method: string): string {
  if (type !== 'tool') {
    const chunk = { choices: [{ index: 0, delta: { content: 'Hello' } }] }
    return JSON.stringify(method === 'stream' ? chunk : body, null, 2)
  }
  const properties = specs.find(({ name }) => name === method)?.parameters.properties
  const entries = Object.entries(isObject(properties) ? properties : {})
  const sampleOf = (property: unknown) => {
    if (!isObject(property)) return null
    return Array.isArray(property.enum) ? property.enum[0] : (samples[String(property.type)] ?? null)
  }
  return JSON.stringify(Object.fromEntries(entries.map(([name, property]) => [name, sampleOf(property)])), null, 2)
}

export function parseArgs(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
