/** Shared by all parts of the benchmark: a server, its PostgreSQL, and a person who owns workflows. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Graph, GraphNode, NodeType } from '../../contract/src/workflows/graph.ts'
import { createPool, type Pool } from '../../server/src/kernel/db/database.ts'
import { signUp } from '../lib/person.ts'
import { startPostgres } from '../lib/postgres.ts'
import { type BenchServer, startServer } from '../lib/server.ts'
import { createDatabaseWork } from './database-work.ts'

export interface Bench {
  server: BenchServer
  /** One more on the same database. */
  startAnother(): Promise<BenchServer>
  databaseUrl: string
  pool: Pool
  /** Processor time that the database has used so far. */
  databaseMs(): number
  /** Another server that answers at once, and that nodes may call. */
  peerUrl: string
  /** Opens `POST /api/v1/events/ingest`. */
  keyHeaders: Record<string, string>
  post<Reply>(path: string, body: object): Promise<Reply>
  /** Publishes a workflow and answers its id. */
  publish(graph: Graph): Promise<string>
  stop(): Promise<void>
}

const key = 'the key of the measurement'
const secret = 'a secret for measurements only that is long enough to be accepted by the rules'

/** What a person does over HTTP. */
export const actAs = (url: string, token: string) => {
  const post = async <Reply>(path: string, body: object): Promise<Reply> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`)
    return (await reply.json()) as Reply
  }
  /** Publishes a workflow and answers its id. */
  const workflow = async (graph: Graph): Promise<string> => {
    const { id } = await post<{ id: string }>(workflowsPath, { name: 'Measured', graph })
    await post(`${workflowsPath}/${id}/submit`, {})
    await post(`${workflowsPath}/${id}/approve`, {})
    return id
  }
  return { post, workflow }
}

export const startBench = async (): Promise<Bench> => {
  const postgres = await startPostgres()
  const peer = await startSite()
  const startAnother = () =>
    startServer({
      DATABASE_URL: postgres.url,
      JWT_SECRET: secret,
      SVC_SECRET_KEY: secret,
      SVC_EVENT_API_KEY: key,
      OUTBOUND_ALLOWED_HOSTS: new URL(peer.url).host,
      TRUSTED_PROXIES: '127.0.0.1',
    })
  const server = await startAnother()
  const pool = createPool({ connectionString: postgres.url, max: 2 })
  const { token } = await signUp(server.url)
  const { post, workflow } = actAs(server.url, token)
  return {
    server,
    startAnother,
    databaseUrl: postgres.url,
    pool,
    databaseMs: await createDatabaseWork(pool),
    post,
    peerUrl: peer.url,
    keyHeaders: { 'x-api-key': key },
    publish: workflow,
    stop: async () => {
      peer.close()
      await pool.end()
      await server.stop()
      await postgres.stop()
    },
  }
}

const startSite = async (): Promise<{ url: string; close(): void }> => {
  const site = createServer((request, response) => {
    request.resume()
    response.end('{}')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    close: () => {
      site.closeAllConnections()
      site.close()
    },
  }
}

export const workflowsPath = '/api/v1/agent-workflows'

/** A chain of this many nodes of one kind. */
export const chainOf = (count: number, type: NodeType, config: GraphNode['config']): Graph => {
  const ids = Array.from({ length: count }, (_, index) => `n${index + 1}`)
  return {
    nodes: ids.map((id, index) => ({ id, type, name: id, position: { x: index * 100, y: 0 }, config })),
    edges: ids.slice(1).map((id, index) => ({ id: `e${index + 1}`, source: ids[index] ?? '', target: id })),
    settings: {},
  }
}

export const show = (what: string, value: string): void => console.log(`${what.padEnd(46)} ${value}`)
