/** What the contract calls its schemas and endpoints: the names in the API description. */
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Endpoint } from '../../contract/src/endpoint.ts'
import { pluginEndpoints } from '../../contract/src/endpoints/plugin-tree.ts'
import { unitEndpoints } from '../../contract/src/endpoints/units.ts'

const source = new URL('../../contract/src/', import.meta.url)

const exportsOf = async (pattern: string): Promise<[file: string, name: string, value: unknown][]> => {
  const files = globSync(pattern, { cwd: fileURLToPath(source) }).filter((file) => !file.endsWith('.test.ts'))
  const modules = files.sort().map(async (file) => {
    const exported: object = await import(new URL(file, source).href)
    return Object.entries(exported).map(([name, value]): [string, string, unknown] => [file, name, value])
  })
  return (await Promise.all(modules)).flat()
}

const pascal = (text: string): string =>
  text.replace(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase())

/** Two schemas with the same name are told apart by their files. */
export const readSchemaNames = async (): Promise<Map<z.ZodType, string>> => {
  const names = new Map<z.ZodType, string>()
  const taken = new Set<string>()
  for (const [file, name, value] of await exportsOf('**/*.ts')) {
    if (!(value instanceof z.ZodType) || names.has(value)) continue
    const free = taken.has(name) ? `${pascal(basename(file, '.ts'))}${name}` : name
    if (taken.has(free)) throw new Error(`The contract has two schemas ${free}.`)
    taken.add(free)
    names.set(value, free)
  }
  return names
}

export interface EndpointName {
  /** The file of the contract, such as `events` or, in a folder, `factors-people`. */
  area: string
  /** Unique: `events.listEvents`. */
  id: string
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

export const keyOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`

export const readEndpointNames = async (): Promise<Map<string, EndpointName>> => {
  const families: [string, object][] = [
    ['groups', unitEndpoints('group')],
    ['departments', unitEndpoints('department')],
    ['functions', pluginEndpoints('functions')],
    ['tools', pluginEndpoints('tools')],
  ]
  const inFamilies = families.flatMap(([area, family]) =>
    Object.entries(family).map(([name, value]): [string, string, unknown] => [area, name, value]),
  )
  const inFiles = (await exportsOf('endpoints/**/*.ts')).map(([file, name, value]): [string, string, unknown] => [
    file.replace(/^endpoints\/|\.ts$/g, '').replace('/', '-'),
    name,
    value,
  ])
  const found = [...inFiles, ...inFamilies]
  return new Map(
    found.flatMap(([area, name, value]) =>
      isEndpoint(value) ? [[keyOf(value), { area, id: `${area}.${name}` }]] : [],
    ),
  )
}
