/** Plugin code in its sandbox: what it can do, what it can't (A43), and what its failures cost others. */
import { afterAll, describe, expect, it } from 'vitest'
import { createChildren } from '#kernel/child/index.ts'
import { createLog } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'
import { createPluginRuntime, type LogLine, type PluginCall, type PluginCode } from './index.ts'

const log = createLog('silent')
const children = createChildren({ log, metrics: createMetrics(log) })
const runtime = createPluginRuntime({ children, entryCpuMs: 150, memoryMb: 24 })
afterAll(() => children.stop())

let versions = 0
const codeOf = (source: string, id = 'plugin'): PluginCode => {
  versions += 1
  return { id, version: String(versions), source, valves: '{}' }
}
/** The body of the one method of a tool. */
const method = (body: string, id?: string): PluginCode =>
  codeOf(`export class Tools { async run(args, helpers) { ${body} } }`, id)

const events: unknown[] = []
const lines: LogLine[] = []
const call = (given: Partial<PluginCall> = {}): PluginCall => ({
  target: 'Tools',
  method: 'run',
  args: [{}],
  helpers: {},
  answer: async (name) => Promise.reject(new Error(`Nobody answers ${name}.`)),
  onEmit: (event) => void events.push(event),
  onLog: (line) => void lines.push(line),
  wallMs: 20_000,
  ...given,
})
const run = async (code: PluginCode, given?: Partial<PluginCall>): Promise<unknown> => {
  const outcome = await runtime.call(code, call(given))
  if (outcome.kind === 'value') return outcome.value
  throw new Error('It yielded.')
}
const fine = method('return "fine"', 'fine')

describe('a plugin', () => {
  it('gets its arguments and helpers, and answers with JSON', async () => {
    const code = method('return { sum: args.a + args.b, who: helpers.__user__.name }')
    const helpers = { __user__: { name: 'Ana' } }
    expect(await run(code, { args: [{ a: 1, b: 2 }], helpers })).toEqual({ sum: 3, who: 'Ana' })
  })

  it('is written in TypeScript, keeps its state between calls and has its settings', async () => {
    const source = `
      interface Facts { count: number }
      export class Tools {
        static Valves = { unit: { type: 'string', default: 'km' }, factor: { type: 'number', default: 1 } }
        valves: { unit: string; factor: number } = { unit: '', factor: 0 }
        count = 0
        run(): Facts & { valves: unknown } { this.count += 1; return { count: this.count, valves: this.valves } }
      }`
    const code = { ...codeOf(source), valves: '{"factor":3}' }
    await run(code)
    expect(await run(code)).toEqual({ count: 2, valves: { unit: 'km', factor: 3 } })
  })

  it('may yield its answer in parts, no faster than they are read, and no more once the reader leaves', async () => {
    const code = method(`return (async function* () {
      for (let n = 0; ; n += 1) { console.log('made ' + n); yield n }
    })()`)
    const before = lines.length
    const outcome = await runtime.call(code, call())
    const seen: unknown[] = []
    if (outcome.kind === 'items')
      for await (const item of outcome.items) {
        seen.push(item)
        if (seen.length === 3) break
      }
    expect(seen).toEqual([0, 1, 2])
    await expect.poll(() => lines.slice(before).map(({ text }) => text)).toEqual(['made 0', 'made 1', 'made 2'])
  })

  it('emits events in order and waits for answers', async () => {
    const before = events.length
    const code = method(`
      await helpers.__event_emitter__({ type: 'status', data: { description: 'Asking' } })
      const answer = await helpers.__event_call__({ type: 'input', data: { title: 'Name?' } })
      await helpers.__event_emitter__({ type: 'status', data: { description: answer.value, done: true } })
      return answer.value`)
    const answer = async (name: string, message: unknown) => ({
      value: `${name}:${(message as { type: string }).type}`,
    })
    expect(await run(code, { answer })).toBe('event:input')
    expect(events.slice(before)).toMatchObject([
      { data: { description: 'Asking' } },
      { data: { description: 'event:input' } },
    ])
  })

  it('has the usual names of the web', async () => {
    const code = method(`
      const url = new URL('../b?x=1&y=%C3%A9', 'https://example.test/a/c')
      url.searchParams.append('z', 'ü &')
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode('abc')))
      const later = await new Promise((resolve) => setTimeout(() => resolve('later'), 5))
      const stopped = await fetch('https://example.test', { signal: AbortSignal.abort() }).catch((problem) => problem.name)
      return {
        href: url.href, y: url.searchParams.get('y'), later, stopped,
        digest: [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('').slice(0, 8),
        text: new TextDecoder().decode(new TextEncoder().encode('héllo 🦉')),
        base64: [btoa('abcd'), atob('YWJjZA==')],
        uuid: /^[0-9a-f-]{36}$/.test(crypto.randomUUID()),
        copy: structuredClone({ a: [1] }),
      }`)
    expect(await run(code)).toEqual({
      href: 'https://example.test/b?x=1&y=%C3%A9&z=%C3%BC+%26',
      y: 'é',
      later: 'later',
      stopped: 'AbortError',
      digest: 'ba7816bf',
      text: 'héllo 🦉',
      base64: ['YWJjZA==', 'abcd'],
      uuid: true,
      copy: { a: [1] },
    })
  })

  it('reads a reply of fetch whole or in pieces', async () => {
    const pieces = ['{"a":', '"é"}', null]
    const answer = async (name: string, message: unknown) => {
      if (name === 'fetch')
        return { id: 1, status: 201, headers: [['x-a', 'b']], url: 'https://example.test/', sent: message }
      const piece = pieces.shift()
      return piece == null ? null : Buffer.from(piece).toString('base64')
    }
    const code = method(`
      const reply = await fetch(new URL('https://example.test'), { method: 'post', body: 'x' })
      return { status: reply.status, ok: reply.ok, header: reply.headers.get('X-A'), body: await reply.json() }`)
    expect(await run(code, { answer })).toEqual({ status: 201, ok: true, header: 'b', body: { a: 'é' } })
  })

  it('that throws tells what and where, and works again at the next call', async () => {
    const code = method('if (args.bad) throw new RangeError("Too far."); return "well"')
    await expect(run(code, { args: [{ bad: true }] })).rejects.toMatchObject({
      code: 'threw',
      message: 'Too far.',
      trace: expect.stringContaining('plugin.ts'),
    })
    expect(await run(code)).toBe('well')
  })

  it('is cancelled with its caller, and told', async () => {
    const before = lines.length
    const stop = new AbortController()
    const code = method(`
      helpers.signal.addEventListener('abort', () => console.log('told'))
      console.log('waiting')
      await new Promise((resolve) => setTimeout(resolve, 60000))`)
    const running = run(code, { signal: stop.signal })
    await expect.poll(() => lines.slice(before).map(({ text }) => text)).toEqual(['waiting'])
    stop.abort(new Error('Enough.'))
    await expect(running).rejects.toThrow('Enough.')
    expect(await run(fine)).toBe('fine')
  })

  it('that can not be loaded says why', async () => {
    await expect(run(codeOf('enum Bad { A }; export class Tools {}'))).rejects.toThrow('TypeScript')
    await expect(run(codeOf('export class Tools {'))).rejects.toMatchObject({ code: 'broken' })
    await expect(run(codeOf('import fs from "node:fs"; export class Tools {}'))).rejects.toThrow('cannot import')
    await expect(run(codeOf('await new Promise(() => {}); export class Tools {}'))).rejects.toThrow('top level')
    await expect(run(codeOf('export const nothing = 1'))).rejects.toThrow('no class Tools')
  })

  it('that is checked several times at once, as it is written and as it is saved, is answered each time', async () => {
    const drafts = ['one', 'two', 'three'].map((name) => codeOf(`export class Tools { ${name}() {} }`, 'draft'))
    const found = await Promise.all(drafts.map((draft) => runtime.describe(draft)))
    for (const [index, name] of ['one', 'two', 'three'].entries())
      expect(JSON.stringify(found[index])).toContain(`"${name}"`)
  })
})

describe('A43: a plugin can not get out', () => {
  it.each([
    ['process', 'return typeof process'],
    ['require', 'return typeof require'],
    ['Buffer', 'return typeof Buffer'],
    ['WebAssembly', 'return typeof WebAssembly'],
    ['XMLHttpRequest', 'return typeof XMLHttpRequest'],
    ['the constructor of a function', 'return typeof (0, (() => {}).constructor)("return this")().process'],
    [
      'the constructor of an async function',
      'return typeof (await (async () => {}).constructor("return globalThis")()).process',
    ],
    ['a helper’s constructor', 'return typeof helpers.__event_emitter__.constructor("return this")().process'],
    ['fetch’s constructor', 'return typeof fetch.constructor("return globalThis")().require'],
    [
      'the constructor of an error from outside',
      'return await fetch("https://x.test").catch((e) => typeof e.constructor.constructor("return this")().process)',
    ],
  ])('through %s', async (_way, body) => {
    expect(await run(method(body))).toBe('undefined')
  })

  it('through import()', async () => {
    for (const name of ['node:fs', 'fs', './host.ts', '../sandbox/host.ts', 'file:///etc/passwd', 'main.ts'])
      await expect(run(method(`return Object.keys(await import(${JSON.stringify(name)}))`))).rejects.toMatchObject({
        code: 'threw',
      })
  })

  it('and what it does to the prototypes stays with it', async () => {
    const code = method(`
      Object.prototype.polluted = 'yes'
      Array.prototype.map = () => { throw new Error('mine') }
      JSON.stringify = () => 'forged'
      JSON.parse = () => { throw new Error('mine') }
      Promise.prototype.then = function () { return this }
      return 'done'`)
    await run(code, { wallMs: 1_000 }).catch(() => undefined)
    expect(await run(method('return { own: {}.polluted, list: [1].map((n) => n + 1) }', 'other'))).toEqual({
      list: [2],
    })
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
  })
})

describe('A43: a plugin has limits', () => {
  const hostile: [string, string][] = [
    ['loops', 'for (;;) {}'],
    ['loops in promises', 'for (;;) await null'],
    [
      'floods promises',
      'const flood = () => { Promise.resolve().then(flood); Promise.resolve().then(flood) }; flood(); await new Promise(() => {})',
    ],
    ['matches a catastrophic pattern', 'return /^(a+)+$/.test("a".repeat(40) + "b")'],
    ['loops in a getter of its result', 'return { get a() { for (;;) {} } }'],
    ['loops in toJSON', 'return { toJSON() { for (;;) {} } }'],
    ['loops when it is thrown', 'throw { toString() { for (;;) {} } }'],
    ['allocates strings', 'let text = "x"; for (;;) text += text'],
    ['allocates arrays', 'const all = []; for (;;) all.push(new Array(10000).fill(1))'],
    ['allocates buffers', 'const all = []; for (;;) all.push(new Uint8Array(1e7))'],
    ['recurses', 'const dive = () => dive() + 1; return dive()'],
    [
      'recurses in JSON',
      'let deep = []; for (let n = 0; n < 1e5; n++) deep = [deep]; return JSON.stringify(deep).length',
    ],
    ['asks without end', 'for (;;) fetch("https://example.test").catch(() => undefined)'],
    ['emits without end', 'for (;;) helpers.__event_emitter__({ type: "status", data: {} })'],
    ['sets timers without end', 'for (;;) setTimeout(() => {}, 0)'],
    ['answers with far too much', 'return "x".repeat(20e6)'],
    ['answers with what JSON has not', 'return { amount: 1n }'],
    ['answers with itself', 'const all = {}; all.all = all; return all'],
    ['throws far too much', 'throw new Error("x".repeat(20e6))'],
    ['throws what has no text', 'throw Object.create(null)'],
    [
      'emits megabytes, one after the other',
      'for (let n = 0; n < 100; n++) { helpers.__event_emitter__({ type: "status", data: "x".repeat(1e6) }); await new Promise((go) => setTimeout(go, 0)) }',
    ],
    [
      'throws what can not be looked at',
      'throw new Proxy({}, { get() { for (;;) {} }, getPrototypeOf() { for (;;) {} } })',
    ],
    ['waits for a lock', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0); return 1'],
    ['answers with a promise that is none', 'return { then() { for (;;) {} } }'],
    ['sorts without an order', 'return Array.from({ length: 1e6 }, (_, n) => n).sort(() => { for (;;) {} })'],
    ['asks for an array of any length', 'return new Array(2 ** 32 - 1).fill(0).length'],
    [
      'makes a name of a megabyte a million times',
      'const all = {}; for (let n = 0; ; n++) all["x".repeat(1e6) + n] = n',
    ],
  ]
  it('one whose source can’t even be read fails, and others go on', async () => {
    const deep = `${'('.repeat(100_000)}1${')'.repeat(100_000)}`
    for (const source of [`export class Tools { run() { return ${deep} } }`, `type Deep = ${'{ a: '.repeat(50_000)}`])
      await expect(run(codeOf(source, 'hostile'))).rejects.toMatchObject({ name: 'PluginFailure' })
    expect(await run(fine)).toBe('fine')
  })

  it('one whose event is refused fails, and the calls of others that wait beside it go on', async () => {
    const onEmit = () => {
      throw new Error('too long')
    }
    const emitting = 'for (;;) { await helpers.__event_emitter__({}); await new Promise((go) => setTimeout(go, 1)) }'
    const other = run(method('await new Promise((go) => setTimeout(go, 50)); return "went on"', 'fine'))
    await expect(run(method(emitting, 'hostile'), { onEmit })).rejects.toThrow('too long')
    expect(await other).toBe('went on')
  })

  it.each(hostile)('one that %s fails, and others go on', async (_what, body) => {
    // At once, not when its time is over.
    const failure = { name: 'PluginFailure', code: expect.stringMatching(/^(broken|threw)$/) }
    await expect(run(method(body, 'hostile'), { wallMs: 15_000 })).rejects.toMatchObject(failure)
    expect(await run(fine)).toBe('fine')
  })

  it('one whose questions can’t be sent may still ask others', async () => {
    const body = `for (let n = 0; n < 120; n++) await helpers.__event_call__({ n: 1n }).catch(() => undefined)
      await new Promise((go) => setTimeout(go, 1))
      return "went on"`
    expect(await run(method(body, 'asks'), { wallMs: 5000 })).toBe('went on')
  })

  it('one that logs without end is cut off', async () => {
    const before = lines.length
    await run(method('const long = "x".repeat(5000); for (let n = 0; n < 600; n++) console.log(long)', 'hostile'))
    expect(lines.length - before).toBe(501)
    expect(lines.at(-2)?.text).toHaveLength(4000)
    expect(lines.at(-1)).toEqual({ level: 'warn', text: 'Lines after the first 500 are left out.' })
  })

  it('one that logs thousands of lines in one turn ends with its value', async () => {
    const body = 'for (let n = 0; n < 2_500; n++) console.log(n); return "logged"'
    expect(await run(method(body, 'hostile'))).toBe('logged')
  })

  it.each([
    ['events', 'for (let n = 0; n < 2_000; n++) helpers.__event_emitter__({ n }); return 1'],
    ['events, and takes no refusal', 'for (;;) try { helpers.__event_emitter__({}) } catch {}'],
    ['megabytes', 'for (let n = 0; n < 80; n++) helpers.__event_emitter__("x".repeat(1e6)); return 1'],
  ])('one that sends too many %s in one turn is told so at once, not when its time is over', async (_what, body) => {
    await expect(run(method(body, 'hostile'))).rejects.toMatchObject({
      code: 'broken',
      message: expect.stringMatching(/^The plugin sent too (much at once|many events)/),
    })
  })

  it('one that keeps itself busy with timers ends with its call', async () => {
    const body = 'const tick = () => setTimeout(tick, 0); tick(); await new Promise(() => {})'
    await expect(run(method(body, 'hostile'), { wallMs: 300 })).rejects.toMatchObject({ code: 'timeout' })
    expect(await run(fine)).toBe('fine')
  })

  it('one that hangs inside the engine is killed; a call and a check that waited behind it are done elsewhere', async () => {
    const others = createChildren({ log, metrics: createMetrics(log) })
    const impatient = createPluginRuntime({ children: others, stuckMs: 1_000 })
    const answerOf = async (code: PluginCode) => (await impatient.call(code, call())) as { value?: unknown }
    const hanging = () => answerOf(method('return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)', 'hangs'))
    const hangs = hanging()
    const behind = answerOf(method('return "patient"', 'behind'))
    const checked = impatient.describe(codeOf('export class Tools { patient() {} }', 'checked'))
    await expect(hangs).rejects.toMatchObject({ code: 'timeout' })
    expect(await behind).toMatchObject({ value: 'patient' })
    expect(JSON.stringify(await checked)).toContain('"patient"')
    // From here on it is in a process of its own.
    const again = hanging()
    expect(await answerOf(method('return "fine"', 'behind'))).toMatchObject({ value: 'fine' })
    await expect(again).rejects.toMatchObject({ code: 'timeout' })
    await others.stop()
  })
})
