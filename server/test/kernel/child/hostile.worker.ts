/** A worker whose tasks do everything that a limited child must survive or refuse. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { TaskContext } from '#kernel/child/index.ts'

const require = createRequire(import.meta.url)
const forever = () => new Promise<never>(() => setInterval(() => undefined, 1_000))

/** The outcome: the value, or the code of what was thrown. */
const attempt = async (action: () => unknown): Promise<unknown> => {
  try {
    return await action()
  } catch (problem) {
    return (problem as { code?: string }).code ?? String(problem)
  }
}

const builtins = ['net', 'node:http', '_http_client', 'node:dns', 'node:dgram', 'child_process', 'worker_threads']

/** Modules that Node has loaded of its own; not in its types. */
const { moduleLoadList } = process as unknown as { moduleLoadList: string[] }

export const tasks = {
  pid: () => process.pid,
  /** Node's own parts that strip types. */
  parsers: () => moduleLoadList.filter((name) => name.includes('amaro')),
  double: (input: { number: number }) => input.number * 2,
  fail: () => {
    throw Object.assign(new Error('not a PDF'), { code: 'bad_file' })
  },
  count: async (input: { to: number }, { progress }: TaskContext) => {
    for (let n = 1; n <= input.to; n += 1) await progress({ n })
    return input.to
  },
  hash: async (_input: null, { body }: TaskContext) => {
    const hash = createHash('sha256')
    for await (const piece of body) hash.update(piece)
    return hash.digest('hex')
  },
  echo: async (_input: null, { body, write }: TaskContext) => {
    for await (const piece of body) await write(piece)
  },
  ask: (input: { name: string }, { ask }: TaskContext) => ask(input.name, { from: process.pid }),
  surroundings: async () => ({
    environment: process.env,
    uid: process.getuid?.(),
    passwd: await attempt(() => readFileSync('/etc/passwd', 'utf8')),
    write: await attempt(() => writeFileSync('/tmp/from-a-child', 'x')),
    signal: await attempt(() => process.kill(process.ppid, 'SIGTERM')),
    native: await attempt(() => process.dlopen({ exports: {} }, '/lib/x.node')),
    required: await Promise.all(builtins.map((name) => attempt(() => typeof require(name)))),
    imported: await Promise.all(builtins.map((name) => attempt(async () => typeof (await import(name))))),
    fetched: typeof globalThis.fetch,
    gotten: typeof process.getBuiltinModule('net'),
  }),
  loadNative: async (input: { paths: string[] }) => ({
    mayLoad: process.execArgv.includes('--allow-addons'),
    found: await Promise.all(input.paths.map((path) => attempt(() => typeof require(path)))),
    threads: await attempt(() => typeof require('node:worker_threads')),
  }),
  interfaces: () => readFileSync('/proc/self/net/dev', 'utf8'),
  spin: () => {
    for (;;);
  },
  sleep: forever,
  fillHeap: () => {
    const lists: unknown[] = []
    for (;;) lists.push(Array.from({ length: 10_000 }, (_, n) => ({ n })))
  },
  fillBuffers: async () => {
    const buffers: Buffer[] = []
    for (;;) {
      buffers.push(Buffer.alloc(4_000_000, 1))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  },
  exit: async (input: { code: number }, { progress }: TaskContext) => {
    await progress('half-way')
    process.exit(input.code)
  },
  abort: () => process.abort(),
  rejectLater: async () => {
    setTimeout(() => void Promise.reject(new Error('late')), 1)
    await forever()
  },
  flood: async (_input: null, { progress }: TaskContext) => {
    for (;;) await progress('x'.repeat(1_000))
  },
  floodBytes: async (_input: null, { write }: TaskContext) => {
    for (;;) await write(Buffer.alloc(64 * 1024))
  },
  floodQuestions: async (_input: null, { ask }: TaskContext) => {
    for (let n = 0; n < 1_000; n += 1) void ask('wait', n)
    await forever()
  },
  garbage: () => {
    writeSync(3, Buffer.from([1, 0, 0, 0, 36, 0x7b]))
    return forever()
  },
  hugeHead: () => {
    writeSync(3, Buffer.from([255, 255, 255, 255, 36]))
    return forever()
  },
  tooMuch: () => 'x'.repeat(5_000_000),
  pollute: () => {
    Object.assign(Object.prototype, { polluted: true })
    return JSON.parse('{"__proto__":{"polluted":true}}')
  },
  polite: async (_input: null, { signal, progress }: TaskContext) => {
    await progress('begun')
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  },
  stubborn: async (_input: null, { progress }: TaskContext) => {
    await progress('begun')
    for (;;);
  },
}
