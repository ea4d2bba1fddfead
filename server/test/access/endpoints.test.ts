/** The contract's endpoints against the table of routes: what the web calls is what the server serves. */
import { readdirSync } from 'node:fs'
import type { Endpoint } from '@chancery/contract/endpoint.ts'
import { pluginEndpoints } from '@chancery/contract/endpoints/plugin-tree.ts'
import { unitEndpoints } from '@chancery/contract/endpoints/units.ts'
import { expect, it } from 'vitest'
import { testApp } from '../harness/app.ts'

const app = await testApp()
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

const folder = new URL('../../../contract/src/endpoints/', import.meta.url)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const areas: object[] = await Promise.all(files.map((file) => import(new URL(file, folder).href)))
const families = [
  unitEndpoints('group'),
  unitEndpoints('department'),
  pluginEndpoints('functions'),
  pluginEndpoints('tools'),
]
const endpoints = [...areas, ...families].flatMap((area) => Object.values(area)).filter(isEndpoint)

/** What other APIs' clients find at addresses of their own, and second addresses of the same endpoint. */
const isElsewhere = (name: string) =>
  / \/(upstream|\.well-known|health)\//.test(name) ||
  [
    'DELETE /api/v1/chats',
    'GET /api/v1/chats',
    'GET /api/v1/files',
    'GET /api/v1/knowledge',
    'GET /api/v1/models',
    'GET /api/v1/models/*',
    'POST /api/audio/speech',
    'POST /api/audio/transcriptions',
    'POST /api/embeddings',
    'POST /api/message',
    'POST /api/message/count_tokens',
    'POST /api/responses',
    'POST /api/v1/chat/completions',
    'POST /api/v1/files',
  ].includes(name)

it('serves every endpoint by exactly one route, and has no route besides', () => {
  const served = app.routes.map(nameOf).filter((name) => !isElsewhere(name))
  expect(endpoints.map(nameOf).sort()).toEqual(served.sort())
})
