import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChildren, type Worker, type WorkerDefinition } from '#kernel/child/index.ts'
import { createLog } from '#kernel/log.ts'
import { createSharedPlaces } from '#kernel/machine/shared-places.ts'
import { createMetrics } from '#kernel/metrics/index.ts'
import type { Siblings } from '#kernel/process/machine.ts'
import type { tasks } from './hostile.worker.ts'
import { oneTenant } from './one-tenant.ts'

type Tasks = typeof tasks

const log = createLog('silent')
const deps = { log, metrics: createMetrics(log) }

const script = new URL('./hostile.worker.ts', import.meta.url)
let children: ReturnType<typeof oneTenant>
let worker: Worker<Tasks>
let made = 0

beforeAll(() => {
  children = oneTenant(createChildren(deps))
  worker = declare({})
})
afterAll(() => children.stop())

const declare = (definition: Partial<WorkerDefinition>): Worker<Tasks> => {
  made += 1
  return children.declare<Tasks>({ name: `worker-${made}`, script, processes: 1, ...definition })
}
const pidsOf = ({ name }: Worker<Tasks>) => children.state().find((state) => state.worker === name)?.pids
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a task in a child process', () => {
  it('returns its result, reports progress, and leaves a warm process for the next', async () => {
    const seen: unknown[] = []
    const pid = await children.run(worker, 'pid', undefined as never)
    const last = await children.run(worker, 'count', { to: 3 }, { onProgress: (message) => void seen.push(message) })
    expect({ last, seen }).toEqual({ last: 3, seen: [{ n: 1 }, { n: 2 }, { n: 3 }] })
    expect(await children.run(worker, 'pid', undefined as never)).toBe(pid)
    expect(pid).not.toBe(process.pid)
  })

  const nicenessOf = (pid: number): number[] =>
    readdirSync(`/proc/${pid}/task`).map((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
    })

  it('gives way to the server with all its threads', async () => {
    const pid = await children.run(worker, 'pid', undefined as never)
    const threads = nicenessOf(pid)
    expect(threads.length).toBeGreaterThan(1)
    expect(threads.filter((niceness) => niceness !== 10)).toEqual([])
  })

  it('that takes long gives way to other children, and its process ends with it', async () => {
    const own = declare({ longAfterCpuMs: 50, limits: { cpuMs: 60_000 } })
    const stop = new AbortController()
    const pid = await children.run(own, 'pid', undefined as never)
    const spinning = children.run(own, 'spin', undefined as never, { signal: stop.signal })
    await expect.poll(() => nicenessOf(pid).every((niceness) => niceness === 19)).toBe(true)
    stop.abort(new Error('over'))
    await expect(spinning).rejects.toThrow('over')
    expect(await children.run(own, 'pid', undefined as never)).not.toBe(pid)
  })

  it('that throws is reported with its own words, and the process is kept', async () => {
    const pid = await children.run(worker, 'pid', undefined as never)
    await expect(children.run(worker, 'fail', undefined as never)).rejects.toMatchObject({
      name: 'ChildFailure',
      code: 'child_task_failed',
      taskError: { name: 'Error', message: 'not a PDF', code: 'bad_file' },
    })
    expect(await children.run(worker, 'pid', undefined as never)).toBe(pid)
  })

  it('that does not exist fails without harm', async () => {
    await expect(children.run(worker, 'constructor' as never, undefined as never)).rejects.toMatchObject({
      code: 'child_task_failed',
    })
  })

  it('asks the server and gets its answer or its refusal', async () => {
    const onAsk = (name: string) => {
      if (name !== 'fetch') throw Object.assign(new Error('not allowed'), { code: 'forbidden' })
      return { status: 200 }
    }
    expect(await children.run(worker, 'ask', { name: 'fetch' }, { onAsk })).toEqual({ status: 200 })
    await expect(children.run(worker, 'ask', { name: 'secrets' }, { onAsk })).rejects.toMatchObject({
      taskError: { message: 'not allowed', code: 'forbidden' },
    })
  })

  it('reads a file of 100 MB and writes it back without either side holding it', async () => {
    const piece = randomBytes(1024 * 1024)
    const sent = createHash('sha256')
    let onTheWay = 0
    let most = 0
    async function* body() {
      for (let n = 0; n < 100; n += 1) {
        sent.update(piece)
        onTheWay += piece.byteLength
        most = Math.max(most, onTheWay)
        yield piece
      }
    }
    const received = createHash('sha256')
    const onBytes = (bytes: Buffer) => {
      received.update(bytes)
      onTheWay -= bytes.byteLength
    }
    await children.run(worker, 'echo', null, { body: body(), onBytes })
    expect(received.digest('hex')).toBe(sent.digest('hex'))
    expect(most).toBeLessThan(8 * 1024 * 1024)
  })

  it('gets no more of a file than it has read', async () => {
    let pulled = 0
    async function* endless() {
      for (;;) {
        pulled += 1
        yield Buffer.alloc(64 * 1024)
      }
    }
    const stop = new AbortController()
    const running = children.run(worker, 'polite', null, {
      body: endless(),
      signal: stop.signal,
      onProgress: () => void setImmediate(() => stop.abort(new Error('enough'))),
    })
    await expect(running).rejects.toThrow('enough')
    expect(pulled).toBeLessThan(20)
  })

  it('fails when the file it reads cannot be read on, and when its receiver fails', async () => {
    const own = declare({})
    // biome-ignore lint/correctness/useYield: it fails before the first piece
    async function* broken(): AsyncGenerator<Uint8Array> {
      throw new Error('blob is gone')
    }
    await expect(children.run(own, 'hash', null, { body: broken() })).rejects.toThrow('blob is gone')
    const onProgress = () => Promise.reject(new Error('client is gone'))
    await expect(children.run(own, 'count', { to: 5 }, { onProgress })).rejects.toThrow('client is gone')
    expect(await children.run(own, 'double', { number: 2 })).toBe(4)
  })
})

describe('a limited child', () => {
  it('has no environment, no files, no network, no processes, no signals and another user', async () => {
    process.env.NODE_OPTIONS = '--title=inherited'
    const found = await children.run(declare({}), 'surroundings', undefined as never)
    delete process.env.NODE_OPTIONS
    const refused = Array.from({ length: 7 }, () => 'child_access_refused')
    expect(found).toMatchObject({
      environment: {},
      passwd: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      signal: 'child_access_refused',
      native: 'child_access_refused',
      required: refused,
      imported: refused,
      fetched: 'undefined',
      gotten: 'undefined',
    })
    const { account } = await children.confinement()
    if (account) expect(found.uid).toBeGreaterThanOrEqual(65_100)
    else expect(found.uid).toBe(process.getuid?.())
  })

  it('loads no native code but the one library that its worker declares', async () => {
    const packages = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
    const prebuilt = `prebuilds/linux-${process.arch}`
    const declared = join(packages, 'bcrypt', prebuilt, 'bcrypt.glibc.node')
    const paths = [declared, join(packages, 'usearch', prebuilt, 'usearch.node')]
    const refused = 'child_access_refused'
    expect(await children.run(declare({}), 'loadNative', { paths })).toEqual({
      mayLoad: false,
      found: [refused, refused],
      threads: refused,
    })
    expect(await children.run(declare({ addon: declared }), 'loadNative', { paths })).toEqual({
      mayLoad: true,
      found: ['object', refused],
      threads: refused,
    })
  })

  it('has no network interface to the outside, where the system can do that', async () => {
    const { network } = await children.confinement()
    const listing = await children.run(declare({ read: ['/proc/self/net/dev'] }), 'interfaces', undefined as never)
    const interfaces = [...listing.matchAll(/^\s*(\w+):/gm)].map(([, name]) => name)
    if (network) expect(interfaces).toEqual(['lo'])
    else expect(interfaces).toContain('lo')
  })

  const broken = [
    ['spin', { limits: { cpuMs: 200 } }, 'child_cpu_limit'],
    ['spin', { limits: { wallMs: 200 } }, 'child_timeout'],
    ['sleep', { limits: { wallMs: 100 } }, 'child_timeout'],
    ['fillHeap', { limits: { memoryMb: 128 } }, 'child_out_of_memory'],
    ['fillBuffers', { limits: { memoryMb: 128 } }, 'child_out_of_memory'],
    ['abort', {}, 'child_crashed'],
    ['rejectLater', {}, 'child_crashed'],
    ['flood', { limits: { messages: 500 } }, 'child_output_limit'],
    ['floodQuestions', {}, 'child_output_limit'],
    ['garbage', {}, 'child_protocol_error'],
    ['hugeHead', {}, 'child_protocol_error'],
  ] as const

  it.each(broken)('whose task does "%s" with %j ends as %s, and the next task runs', async (name, definition, code) => {
    const own = declare(definition)
    const onAsk = () => new Promise(() => undefined)
    const running = children.run(own, name, null as never, { onAsk })
    await expect(running).rejects.toMatchObject({ name: 'ChildFailure', code })
    expect(await children.run(own, 'double', { number: 21 })).toBe(42)
  })

  it('that dies half-way is a crash after its progress was told', async () => {
    const seen: unknown[] = []
    const running = children.run(worker, 'exit', { code: 0 }, { onProgress: (message) => void seen.push(message) })
    await expect(running).rejects.toMatchObject({ code: 'child_crashed' })
    expect(seen).toEqual(['half-way'])
  })

  it('that writes more bytes than it may, or bytes nobody reads, is ended', async () => {
    const own = declare({ limits: { outputBytes: 1_000_000 } })
    await expect(children.run(own, 'floodBytes', null, { onBytes: () => undefined })).rejects.toMatchObject({
      code: 'child_output_limit',
    })
    await expect(children.run(own, 'floodBytes', null)).rejects.toMatchObject({ code: 'child_protocol_error' })
  })

  it('waits with its next bytes until the receiver has taken the last', async () => {
    const stop = new AbortController()
    let taken = 0
    const onBytes = () => {
      taken += 1
      return new Promise<void>(() => undefined)
    }
    const own = declare({ limits: { wallMs: 300 }, cancelGraceMs: 50 })
    await expect(children.run(own, 'floodBytes', null, { onBytes, signal: stop.signal })).rejects.toMatchObject({
      code: 'child_timeout',
    })
    expect(taken).toBe(1)
  })

  it('cannot return more than a message holds, nor change the server by what it returns', async () => {
    await expect(children.run(worker, 'tooMuch', null as never)).rejects.toMatchObject({ code: 'child_task_failed' })
    await children.run(worker, 'pollute', undefined as never)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('cancelling', () => {
  it('reaches the task, and a task that ends by itself leaves its process warm', async () => {
    const own = declare({})
    const pid = await children.run(own, 'pid', undefined as never)
    const stop = new AbortController()
    const onProgress = () => stop.abort(new Error('no longer needed'))
    await expect(children.run(own, 'polite', null, { signal: stop.signal, onProgress })).rejects.toThrow(
      'no longer needed',
    )
    expect(await children.run(own, 'pid', undefined as never)).toBe(pid)
  })

  it('kills the process of a task that ignores it', async () => {
    const own = declare({ cancelGraceMs: 50 })
    const pid = await children.run(own, 'pid', undefined as never)
    const stop = new AbortController()
    const onProgress = () => stop.abort(new Error('no longer needed'))
    await expect(children.run(own, 'stubborn', null, { signal: stop.signal, onProgress })).rejects.toThrow(
      'no longer needed',
    )
    expect(await children.run(own, 'pid', undefined as never)).not.toBe(pid)
    expect(isAlive(pid)).toBe(false)
  })

  it('takes a waiting task out of the queue', async () => {
    const own = declare({ maxQueued: 2, cancelGraceMs: 50 })
    const first = new AbortController()
    const begun = Promise.withResolvers<void>()
    const blocking = children.run(own, 'polite', null, { signal: first.signal, onProgress: () => begun.resolve() })
    await begun.promise
    const second = new AbortController()
    const waiting = children.run(own, 'double', { number: 1 }, { signal: second.signal })
    second.abort(new Error('gave up'))
    await expect(waiting).rejects.toThrow('gave up')
    expect(children.state().find(({ worker: name }) => name === own.name)?.waiting).toBe(0)
    first.abort(new Error('over'))
    await expect(blocking).rejects.toThrow('over')
  })
})

describe('the code of a child', () => {
  const folder = fileURLToPath(new URL('../../../../node_modules/.cache/chancery/children', import.meta.url))
  const kept = () => readdirSync(folder).filter((name) => name.startsWith('hostile-'))

  it('is prepared once, so that no child loads the TypeScript parser', async () => {
    expect(await children.run(declare({}), 'parsers', undefined as never)).toEqual([])
    expect(kept()).toHaveLength(1)
  })

  it('is loaded file by file where it is not there any more', async () => {
    for (const name of kept()) renameSync(join(folder, name), join(folder, `moved-${name}`))
    expect(await children.run(declare({}), 'parsers', undefined as never)).not.toEqual([])
    for (const name of readdirSync(folder))
      if (name.startsWith('moved-')) renameSync(join(folder, name), join(folder, name.slice('moved-'.length)))
    expect(await children.run(declare({}), 'parsers', undefined as never)).toEqual([])
  })
})

describe('the pool', () => {
  it('refuses what does not fit into the queue and serves tenants in turn', async () => {
    const own = declare({ maxQueued: 4, maxQueuedPerTenant: 4 })
    const stop = new AbortController()
    const begun = Promise.withResolvers<void>()
    const blocking = children.run(own, 'polite', null, { signal: stop.signal, onProgress: () => begun.resolve() })
    await begun.promise
    const order: string[] = []
    const add = (tenant: string) =>
      children.run(own, 'double', { number: 1 }, { tenant }).then(() => void order.push(tenant))
    const waiting = [add('a'), add('a'), add('a'), add('b')]
    const body = createReadStream(script)
    await expect(children.run(own, 'hash', null, { tenant: 'c', body })).rejects.toMatchObject({
      code: 'child_queue_full',
    })
    // Nobody reads it any more.
    expect(body.destroyed).toBe(true)
    stop.abort(new Error('over'))
    await expect(blocking).rejects.toThrow('over')
    await Promise.all(waiting)
    expect(order).toEqual(['a', 'b', 'a', 'a'])
  })

  it('has a process for another tenant, however long one tenant’s tasks take and however many wait', async () => {
    const own = declare({ processes: 2, processesPerTenant: 1, maxQueuedPerTenant: 2 })
    const stop = new AbortController()
    const begun = Promise.withResolvers<void>()
    const options = { tenant: 'a', signal: stop.signal, onProgress: () => begun.resolve() }
    const slow = [children.run(own, 'polite', null, options)]
    await begun.promise
    for (let more = 0; more < 2; more += 1) slow.push(children.run(own, 'polite', null, options))
    const ended = Promise.allSettled(slow)
    await expect(children.run(own, 'polite', null, options)).rejects.toMatchObject({ code: 'child_queue_full' })
    // What has to wait for its tenant's turn starts no process.
    expect(pidsOf(own)).toHaveLength(1)
    expect(await children.run(own, 'double', { number: 2 }, { tenant: 'b' })).toBe(4)
    expect(children.state().find(({ worker: name }) => name === own.name)?.waiting).toBe(2)
    stop.abort(new Error('over'))
    await ended
  })

  it('has a spare process for who used little time lately, when others have all', async () => {
    const own = declare({ processes: 1, spareProcesses: 1 })
    const begin = async (tenant: string) => {
      const stop = new AbortController()
      const begun = Promise.withResolvers<void>()
      const options = { tenant, signal: stop.signal, onProgress: () => begun.resolve() }
      const ended = children.run(own, 'polite', null, options).catch(() => undefined)
      await begun.promise
      return async () => {
        stop.abort(new Error('over'))
        await ended
      }
    }
    const double = (tenant: string) => children.run(own, 'double', { number: 2 }, { tenant })
    const endGreedy = await begin('greedy')
    const now = vi.spyOn(performance, 'now')
    now.mockReturnValue(performance.now() + 60_000)
    await endGreedy()
    const endOther = await begin('other')
    const ended: string[] = []
    const waiting = ['greedy', 'other'].map((tenant) => double(tenant).then(() => ended.push(tenant)))
    expect(await Promise.all([double('b'), double('c')])).toEqual([4, 4])
    expect(ended).toEqual([])
    now.mockRestore()
    await endOther()
    await Promise.all(waiting)
    expect(pidsOf(own)).toHaveLength(2)
  })

  it('never runs more processes than it may', async () => {
    const own = declare({ processes: 2 })
    const pids = await Promise.all(Array.from({ length: 8 }, () => children.run(own, 'pid', undefined as never)))
    expect(new Set(pids).size).toBeLessThanOrEqual(2)
  })

  it('ends a process after its share of tasks and when it is idle', async () => {
    const recycled = declare({ recycleAfter: 1 })
    const pids = [await children.run(recycled, 'pid', undefined as never)]
    pids.push(await children.run(recycled, 'pid', undefined as never))
    expect(new Set(pids).size).toBe(2)
    const idle = declare({ idleMs: 1 })
    await children.run(idle, 'pid', undefined as never)
    await expect.poll(() => pidsOf(idle)).toEqual([])
  })

  it('says plainly when a script does not load, and does not try for ever', async () => {
    const own = declare({ script: new URL('./broken.worker.ts', import.meta.url) })
    await expect(children.run(own, 'pid', undefined as never)).rejects.toMatchObject({ code: 'child_start_failed' })
    expect(pidsOf(own)).toEqual([])
  })

  it('fails what runs and what waits when the server stops, and leaves no process', async () => {
    const stopping = oneTenant(createChildren({ log, metrics: createMetrics(log) }))
    const own = stopping.declare<Tasks>({ name: 'stopping', script, processes: 1 })
    const begun = Promise.withResolvers<void>()
    const running = stopping.run(own, 'stubborn', null, { onProgress: () => begun.resolve() })
    const waiting = stopping.run(own, 'double', { number: 1 })
    const outcomes = Promise.allSettled([running, waiting])
    await begun.promise
    const pids = stopping.state().flatMap((state) => state.pids)
    await stopping.stop()
    const reasons = (await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason.code)
    expect(reasons).toEqual(['child_stopped', 'child_stopped'])
    expect(pids.map(isAlive)).toEqual([false])
    await expect(stopping.run(own, 'double', { number: 1 })).rejects.toMatchObject({ code: 'child_stopped' })
  })
})

describe('servers of one machine', () => {
  it('together have no more tasks under way than one alone, and who waits gets the place of another server', async () => {
    const begins = new Map<number, () => void>()
    const shared = createSharedPlaces<number>((_server, id) => begins.get(id)?.())
    let lastId = 0
    const serverAt = (slot: number) => {
      const takePlace: Siblings['takePlace'] = (place, begin) => {
        lastId += 1
        const id = lastId
        begins.set(id, begin)
        shared.take(slot, id, place)
        return () => shared.leave(slot, id)
      }
      const machine = { count: 2, slot, siblings: { takePlace } as Siblings }
      const server = oneTenant(createChildren({ log, metrics: createMetrics(log), machine }))
      return { server, own: server.declare<Tasks>({ name: 'worker', script, processes: 1 }) }
    }
    const [one, other] = [serverAt(0), serverAt(1)]
    const stop = new AbortController()
    const begun = Promise.withResolvers<void>()
    const options = { signal: stop.signal, onProgress: () => begun.resolve() }
    const blocking = one.server.run(one.own, 'polite', null, options)
    await begun.promise
    const waiting = other.server.run(other.own, 'pid', undefined as never)
    expect(other.server.state()).toEqual([{ worker: 'worker', waiting: 1, pids: [] }])
    stop.abort(new Error('over'))
    await expect(blocking).rejects.toThrow('over')
    expect(await waiting).not.toBe(process.pid)
    await Promise.all([one.server.stop(), other.server.stop()])
  })
})

describe('another program', () => {
  /** As the system shows it; no other process has it. */
  const marker = '31536417'
  const markedProcesses = () =>
    readdirSync('/proc').filter((name) => {
      try {
        return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(`sleep\0${marker}`)
      } catch {
        return false
      }
    })
  const run = async (script: string, wallMs = 30_000) => {
    const folder = mkdtempSync(join(tmpdir(), 'program-'))
    const program = { file: '/bin/sh', args: ['-c', script], tenant: 'ana', folder, memoryMb: 256, fileMb: 1, wallMs }
    const ended = await children.runProgram(program)
    const wrote = existsSync(join(folder, 'out')) ? readFileSync(join(folder, 'out'), 'utf8') : ''
    rmSync(folder, { recursive: true })
    return { ended, wrote }
  }

  it('writes to its own folder, sees no network, and writes no file beyond its limit', async () => {
    const { ended, wrote } = await run('cat /proc/net/dev > out; head -c 3000000 /dev/zero > big; wc -c < big >> out')
    const { network, limits } = await children.confinement()
    expect(ended.kind).toBe('exited')
    if (network) expect(wrote.match(/^\s*\w+:/gm)?.map((name) => name.trim())).toEqual(['lo:'])
    if (limits) expect(Number(wrote.trim().split('\n').at(-1))).toBe(1024 * 1024)
  })

  it('is killed with everything that it started when its time is up', async () => {
    const { ended } = await run(`sleep ${marker} & setsid sleep ${marker} & sleep ${marker}`, 1000)
    expect(ended).toEqual({ kind: 'timeout' })
    await expect.poll(markedProcesses).toEqual([])
  })

  it('is killed with everything that it started when the server stops, which waits for that', async () => {
    const stopping = oneTenant(createChildren({ log, metrics: createMetrics(log) }))
    const folder = mkdtempSync(join(tmpdir(), 'program-'))
    const program = { file: '/bin/sh', tenant: 'ana', folder, memoryMb: 256, fileMb: 1, wallMs: 600_000 }
    const script = `sleep ${marker} & setsid sleep ${marker} & sleep ${marker}`
    const running = stopping.runProgram({ ...program, args: ['-c', script] })
    await expect.poll(() => markedProcesses().length).toBe(3)
    await stopping.stop()
    expect(await running).toEqual({ kind: 'stopped' })
    await expect.poll(markedProcesses).toEqual([])
    expect(await stopping.runProgram({ ...program, args: ['-c', 'exit 0'] })).toEqual({ kind: 'stopped' })
    rmSync(folder, { recursive: true })
  })

  it('that is not there says so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'program-'))
    const program = {
      file: '/nowhere/soffice',
      args: [],
      tenant: 'ana',
      folder,
      memoryMb: 64,
      fileMb: 1,
      wallMs: 30_000,
    }
    const ended = await children.runProgram(program)
    rmSync(folder, { recursive: true })
    expect(ended).not.toEqual({ kind: 'exited', code: 0 })
  })
})
