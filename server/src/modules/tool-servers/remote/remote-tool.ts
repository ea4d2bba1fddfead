/** A tool of another server as it describes it, made safe: what does not fit is cut or left out. Pure. */
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { lengthLeft } from '#kernel/json/length-left.ts'

export interface RemoteTool {
  /** The server's own name for it. */
  remoteName: string
  /** The name that the model sees. */
  name: string
  description: string
  parameters: Record<string, unknown>
}

const maxTools = 200
const maxSchemaLength = 32_000
const maxDescription = 2_000
const maxNameLength = 64

interface Described {
  name: string
  description: string
  parameters: unknown
}

interface Options {
  serverId: string
  /** Names that belong to built-in tools. */
  isReserved(name: string): boolean
  /** Servers whose ids continue this one's: `crm_eu` next to `crm`. */
  longerIds: readonly string[]
}

/** Each name begins with its server's and with no other's, so that no server's tool stands in for another's. */
export const readRemoteTools = (
  described: readonly Described[],
  { serverId, isReserved, longerIds }: Options,
): RemoteTool[] => {
  const tools = new Map<string, RemoteTool>()
  for (const { name: remoteName, description, parameters } of described.slice(0, maxTools)) {
    const name = `${serverId}_${remoteName}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, maxNameLength)
    const schema = schemaOf(parameters)
    if (longerIds.some((id) => name.startsWith(`${id}_`))) continue
    if (!schema || isReserved(name) || isReserved(remoteName) || tools.has(name)) continue
    tools.set(name, { remoteName, name, description: clean(description), parameters: schema })
  }
  return [...tools.values()]
}

/** Undefined for a schema that is too large or not one of an object: then the tool is left out. */
const schemaOf = (parameters: unknown): Record<string, unknown> | undefined => {
  if (parameters === undefined || parameters === null) return { type: 'object', properties: {} }
  if (!isJsonObject(parameters) || (parameters.type !== undefined && parameters.type !== 'object')) return undefined
  if (lengthLeft(parameters, maxSchemaLength) < 0 || JSON.stringify(parameters).length > maxSchemaLength)
    return undefined
  return { properties: {}, ...parameters, type: 'object' }
}

const clean = (text: string): string =>
  text
    .slice(0, 2 * maxDescription)
    .replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, '')
    .slice(0, maxDescription)
