/** The API as OpenAPI describes it, which `npm run docs` wrote, and the part of it that a caller may use. */
import { readFile } from 'node:fs/promises'
import { can } from '@chancery/contract/abilities.ts'
import { parseOwn } from '../../json/parse-own.ts'
import type { Actor } from '../actor.ts'

interface Operation {
  tags: readonly string[]
  'x-access': string
}

interface Description {
  tags: readonly { name: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

type Part = 'member' | 'orgAdmin' | 'all'

const file = new URL('../../../../../docs/openapi.json', import.meta.url)
const hiddenFrom: Readonly<Record<Part, readonly string[]>> = {
  member: ['orgAdmin', 'platformOwner', 'scrape'],
  orgAdmin: ['platformOwner', 'scrape'],
  all: [],
}

const partFor = (actor: Actor): Part => {
  if (can(actor, 'manage-platform')) return 'all'
  return can(actor, 'manage-organization') ? 'orgAdmin' : 'member'
}

export const readApiDescription = async (): Promise<Description> =>
  parseOwn(await readFile(file, 'utf8')) as Description

/** What no operation that is left refers to is left out too. */
const withoutUnused = ({ components, paths }: Description): Description['components'] => {
  const used = new Set<string>()
  const visit = (part: unknown): void => {
    for (const [ref = ''] of JSON.stringify(part).matchAll(/#\/components\/[^"]+/g)) {
      if (used.has(ref)) continue
      used.add(ref)
      const [, , kind = '', name = ''] = ref.split('/')
      visit(components[kind]?.[name] ?? null)
    }
  }
  visit(paths)
  const keep = (kind: string, parts: Readonly<Record<string, unknown>>) =>
    kind === 'securitySchemes'
      ? parts
      : Object.fromEntries(Object.entries(parts).filter(([name]) => used.has(`#/components/${kind}/${name}`)))
  return Object.fromEntries(Object.entries(components).map(([kind, parts]) => [kind, keep(kind, parts)]))
}

const partOf = (whole: Description, part: Part): Description => {
  const isLeft = (operation: Operation) => !hiddenFrom[part].includes(operation['x-access'])
  const paths = Object.fromEntries(
    Object.entries(whole.paths).flatMap(([path, operations]) => {
      const left = Object.entries(operations).filter(([, operation]) => isLeft(operation))
      return left.length > 0 ? [[path, Object.fromEntries(left)]] : []
    }),
  )
  const tags = new Set(Object.values(paths).flatMap((one) => Object.values(one).flatMap((operation) => operation.tags)))
  const described = { ...whole, paths, tags: whole.tags.filter(({ name }) => tags.has(name)) }
  return { ...described, components: withoutUnused(described) }
}

const parts = new Map<Part, Promise<Buffer>>()

const readPart = async (part: Part): Promise<Buffer> =>
  Buffer.from(JSON.stringify(partOf(await readApiDescription(), part)))

/** Made once for everybody of the same kind. */
export const apiDescriptionFor = (actor: Actor): Promise<Buffer> => {
  const part = partFor(actor)
  const made = parts.get(part) ?? readPart(part)
  parts.set(part, made)
  made.catch(() => parts.delete(part))
  return made
}
