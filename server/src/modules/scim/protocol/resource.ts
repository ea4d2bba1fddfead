/** What SCIM sends: a resource cut to the attributes that were asked for, its version, and lists. */
import { createHash } from 'node:crypto'
import { AppError } from '#kernel/errors.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import { scimMediaType } from './errors.ts'

export interface Resource {
  schemas: string[]
  id: string
  meta: { resourceType: string; location: string; version?: string; created?: string; lastModified?: string }
  [attribute: string]: unknown
}

export interface Asked {
  attributes?: string | undefined
  excludedAttributes?: string | undefined
}

const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

const namesOf = (list: string | undefined): Set<string> | undefined =>
  list === undefined || list.length > 4000
    ? undefined
    : new Set(list.split(',', 100).map((name) => name.trim().toLowerCase().replace(coreSchema, '')))

/** Of an attribute without regard to its parts: whoever asks for `name.familyName` gets all of `name`. */
export const isAskedFor = ({ attributes, excludedAttributes }: Asked, attribute: string): boolean => {
  const name = attribute.toLowerCase()
  const asked = namesOf(attributes)
  if (asked) return [...asked].some((each) => each === name || each.startsWith(`${name}.`))
  return !namesOf(excludedAttributes)?.has(name)
}

/** `id` and `schemas` are always sent (RFC 7643, 3.1). */
export const cut = (resource: Resource, asked: Asked): Partial<Resource> => {
  if (asked.attributes === undefined && asked.excludedAttributes === undefined) return resource
  const isKept = (name: string) => name === 'id' || name === 'schemas' || isAskedFor(asked, name)
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isKept(name)))
}

/** The same content has the same version, on every node. */
export const versionOf = (content: unknown): string =>
  `W/"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)}"`

/** Throws `scim_version_changed` where another version is asked for than there is. */
export const requireVersion = (asked: string | undefined, version: string): void => {
  if (asked === undefined || asked.trim() === '*') return
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  if (!asked.split(',', 20).some((tag) => opaque(tag) === opaque(version))) throw new AppError('scim_version_changed')
}

export const isVersionKnown = (asked: string | undefined, version: string | undefined): boolean => {
  if (asked === undefined || version === undefined) return false
  try {
    requireVersion(asked, version)
    return true
  } catch {
    return false
  }
}

export const jsonOf = (body: unknown, status = 200, headers: Record<string, string> = {}): RawReply => ({
  status,
  headers: { 'content-type': scimMediaType, 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
})

export const replyWith = (resource: Resource, asked: Asked, status = 200): RawReply => {
  const { location, version } = resource.meta
  return jsonOf(cut(resource, asked), status, {
    ...(version !== undefined && { etag: version }),
    ...(status === 201 && { location }),
  })
}

export const nothing: RawReply = { status: 204, body: '' }
export const notModified: RawReply = { status: 304, body: '' }

export interface Range {
  /** From 0. */
  from: number
  most: number
}

const mostPerPage = 200
const usualPerPage = 100

/** `startIndex` counts from 1; what is no number counts as left out, and too many are cut (RFC 7644, 3.4.2.4). */
export const readRange = ({
  startIndex,
  count,
}: {
  startIndex?: string | undefined
  count?: string | undefined
}): Range => {
  const numberOf = (text: string | undefined) =>
    text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined
  return {
    from: Math.max(1, numberOf(startIndex) ?? 1) - 1,
    most: Math.min(mostPerPage, Math.max(0, numberOf(count) ?? usualPerPage)),
  }
}

export const listOf = (resources: readonly Partial<Resource>[], { from, total }: { from: number; total: number }) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex: from + 1,
  itemsPerPage: resources.length,
  Resources: resources,
})
