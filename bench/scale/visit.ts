/** Every page's list as three people see it: each GET of the contract that needs no id, and what it costs. */
import { readdirSync } from 'node:fs'
import type { Endpoint } from '../../contract/src/endpoint.ts'
import { median } from '../lib/first-byte.ts'

export interface Visitor {
  name: string
  token: string
}

export interface Visit {
  who: string
  path: string
  ms: number
  bytes: number
}

const folder = new URL('../../contract/src/endpoints/', import.meta.url)
const rounds = 7
const giveUpMs = 90_000

/** Asked for as people ask for them: what a page shows, sorted, and searches for what is everywhere, somewhere or short. */
const searches = [
  '/api/org/team?limit=25&show=members',
  '/api/org/team?limit=25&show=members&search=person',
  '/api/org/team?limit=25&show=members&search=person-19',
  '/api/admin/audit?sort=actor',
  '/api/admin/audit?sort=-ip',
  '/api/admin/audit?search=person',
  '/api/admin/audit?search=qx',
  '/api/admin/users?search=person-77',
  '/api/admin/users?search=qx',
  '/api/admin/users?sort=name',
  '/api/signing/documents?search=contract',
  '/api/v1/chats/?tag=part%207',
  '/api/v1/chats/search?text=qx',
  '/api/v1/files/?search=notes',
  '/api/v1/chats/search?text=harbour',
  '/api/v1/chats/search?text=nothing-has-this',
  '/api/v1/events?source=source_50&limit=50',
  '/api/v1/agent-runs?status=failed&limit=50',
]

const isPage = (value: unknown): value is Endpoint => {
  const { method, path, reply } = (value ?? {}) as Partial<Endpoint>
  return method === 'GET' && path !== undefined && !/[:*]/.test(path) && reply !== 'raw' && reply !== 'redirect'
}

export const pagesOf = async (): Promise<string[]> => {
  const files = readdirSync(folder).filter((name) => !name.includes('.test.'))
  const modules = await Promise.all(files.map((name) => import(new URL(name, folder).href) as Promise<object>))
  const paths = modules.flatMap((module) =>
    Object.values(module)
      .filter(isPage)
      .map(({ path }) => path),
  )
  return [...new Set(paths), ...searches].toSorted()
}

/** Undefined where this person has no such page. */
const visit = async (url: string, { name, token }: Visitor, path: string): Promise<Visit | undefined> => {
  const took: number[] = []
  let bytes = 0
  for (let round = 0; round < rounds; round += 1) {
    const startMs = performance.now()
    const signal = AbortSignal.timeout(giveUpMs)
    const reply = await fetch(url + path, { headers: { authorization: `Bearer ${token}` }, signal })
    bytes = (await reply.arrayBuffer()).byteLength
    took.push(performance.now() - startMs)
    if (reply.status >= 500) throw new Error(`${path} answered ${reply.status} to ${name}`)
    if (!reply.ok) return undefined
  }
  return { who: name, path, ms: median(took), bytes }
}

export const visitAll = async (url: string, visitors: readonly Visitor[]): Promise<Visit[]> => {
  const visits: Visit[] = []
  for (const path of await pagesOf())
    for (const visitor of visitors) {
      const one = await visit(url, visitor, path)
      if (one) visits.push(one)
    }
  return visits
}
