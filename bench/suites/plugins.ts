/**
 * The cost of plugins, each against the same request without them, in one run:
 * - a stream of 200 chunks, 5 ms apart, through a filter with inlet and stream: at most 1.3 times as long;
 * - a request without filters while twenty plugins are installed: at most 1.02 times the processor time;
 * - a warm call of a plugin's tool: at most 3 ms more than one of a built-in tool;
 * - a hundred plugins that nobody uses: at most 150 MB.
 * A missed limit fails the run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startPeer } from '../lib/child.ts'
import { firstByteMs, median } from '../lib/first-byte.ts'
import { load } from '../lib/load.ts'
import { signUp } from '../lib/person.ts'
import { startServer } from '../lib/server.ts'

const limits = { stream: 1.3, installed: 1.02, toolMs: 3, idleMb: 150 }
const paceMs = 5
const chunks = 200
const setupKey = 'a setup key for the benchmark only'
const messages = [{ role: 'user', content: 'Say something of about the usual length, please.' }]

const filter = `export class Filter {
  toggle = true
  inlet(body) { body.messages.unshift({ role: 'system', content: 'Be brief.' }); return body }
  stream(chunk) { const delta = chunk.choices?.[0]?.delta; if (delta?.content) delta.content = delta.content.replace('a', 'A'); return chunk }
  outlet(body) { return body }
}`
const tool = (name: string) => `export class Tools { ${name}({ a }: { a: number }) { return a + 1 } }`

type Post = (path: string, body: object) => Promise<Record<string, unknown>>

const poster =
  (url: string, token: string): Post =>
  async (path, body) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    }
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
    return (await reply.json()) as Record<string, unknown>
  }

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Medians of both, one after the other in turn. */
const compare = async (
  rounds: number,
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<[number, number]> => {
  const times: [number[], number[]] = [[], []]
  await one()
  await other()
  for (let round = 0; round < rounds; round += 1) {
    times[0].push(await one())
    times[1].push(await other())
  }
  return [median(times[0]), median(times[1])]
}

export const run = async (): Promise<void> => {
  const provider = await startPeer('./provider.ts', [String(paceMs), String(chunks)])
  const server = await startServer({ COMPAT_API_BASE_URL: `${provider.url}/v1`, ADMIN_SETUP_KEY: setupKey })
  const { key } = await signUp(server.url)
  const person = { setupKey, name: 'Owner', email: 'owner@example.test', password: 'a perfectly fine passphrase' }
  const { token } = (await poster(server.url, '')('/api/admin/auth/setup', person)) as { token: string }
  const asOwner = poster(server.url, token)
  const asPerson = poster(server.url, key)
  const add = (tree: string, id: string, content: string) =>
    asOwner(`/api/v1/${tree}/create`, { id, name: id, content, is_active: true })
  const remove = (tree: string, id: string) =>
    fetch(`${server.url}/api/v1/${tree}/id/${id}/delete`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    })
  const missed: string[] = []
  const judge = (name: string, value: number, limit: number, unit: string) => {
    console.log(`${name.padEnd(46)} ${value.toFixed(2)} ${unit} (≤ ${limit})`)
    if (!(value <= limit)) missed.push(name)
  }

  const url = `${server.url}/api/chat/completions`
  const headers = { authorization: `Bearer ${key}` }
  const whole = { url, headers, body: JSON.stringify({ model: 'bench', messages }), connections: 16, requests: 3000 }
  const processorEach = async (): Promise<number> => {
    const before = server.processorMs()
    const { answered } = await load(whole)
    return (server.processorMs() - before) / Math.max(1, answered)
  }
  const twenty = Array.from({ length: 10 }, (_, n) => [
    { tree: 'functions', id: `filter_${n}`, content: filter },
    { tree: 'tools', id: `tool_${n}`, content: tool(`tool_${n}`) },
  ]).flat()
  for (let round = 0; round < 4; round += 1) await processorEach()
  // In turn, so that what the process goes through over time (its heap, its compiled code) counts for both.
  const [without, beside]: [number[], number[]] = [[], []]
  for (let round = 0; round < 5; round += 1) {
    for (let n = 0; n < 2; n += 1) without.push(await processorEach())
    for (const { tree, id, content } of twenty) await add(tree, id, content)
    for (let n = 0; n < 2; n += 1) beside.push(await processorEach())
    for (const { tree, id } of twenty) await remove(tree, id)
  }
  const [least, leastBeside] = [Math.min(...without), Math.min(...beside)]
  console.log(`a request: ${least.toFixed(3)} ms of processor time, beside twenty plugins ${leastBeside.toFixed(3)} ms`)
  judge('a request beside twenty plugins', leastBeside / least, limits.installed, 'times the processor time')
  await add('functions', 'benchfilter', filter)
  await add('tools', 'tool_0', tool('tool_0'))

  const stream = (more: object) => {
    const body = JSON.stringify({ model: 'bench', messages, stream: true, ...more })
    return () => timed(() => firstByteMs({ url, headers, body }))
  }
  const [plain, filtered] = await compare(7, stream({}), stream({ filter_ids: ['benchfilter'] }))
  console.log(`a stream of ${chunks} chunks: ${plain.toFixed(0)} ms, filtered ${filtered.toFixed(0)} ms`)
  judge('a filtered stream', filtered / plain, limits.stream, 'times as long')

  const call = (name: string, args: object) => () =>
    timed(() => asPerson('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }))
  const [builtin, own] = await compare(100, call('current_time', {}), call('tool_0', { a: 1 }))
  judge('a warm call of a plugin tool', own - builtin, limits.toolMs, 'ms more than a built-in one')

  const before = server.residentMb()
  for (let n = 0; n < 100; n += 1) await add('tools', `idle_${n}`, tool(`idle_${n}`))
  // Processes end a minute after the last call.
  await sleep(70_000)
  judge('a hundred idle plugins', server.residentMb() - before, limits.idleMb, 'MB')

  console.log(missed.length === 0 ? 'All limits are kept.' : `Missed: ${missed.join(', ')}`)
  if (missed.length > 0) process.exitCode = 1
  await server.stop()
  await provider.stop()
}
