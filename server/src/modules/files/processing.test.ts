import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { JobDefinition } from '#kernel/jobs/jobs.ts'
import { createAccounts } from '#modules/accounts/index.ts'
import { type Door, startDoor } from '#test/harness/door.ts'
import { createVictim } from '#test/harness/failpoints.ts'
import { enqueueProcessing } from './enqueue-processing.ts'
import { createFiles, type FileProcessor, type Files, ProcessingFailure } from './index.ts'
import { findFileUnscoped, insertFileUnscoped } from './queries/files.ts'

const victim = createVictim()
let door: Door
let files: Files
/** The processor of the module above, in each test. */
let processor: FileProcessor
beforeAll(async () => {
  door = await startDoor({ routes: () => [], failpoints: victim })
  const { kernel } = door
  const findLoginPolicy = async () => ({
    refusesPassword: false,
    requiresOtp: false,
    factors: 'none' as const,
    remembersBrowsers: true,
    isSuspended: false,
  })
  files = createFiles({ kernel, accounts: createAccounts({ kernel, findLoginPolicy }) })
  files.registerProcessor((file, context) => processor(file, context))
  for (const job of files.jobs ?? []) door.kernel.jobs.register(job)
  await door.kernel.jobs.start()
})

const ana = { kind: 'user', id: '0198c0de-0000-7000-8000-000000000001', organizationId: null } as Actor
const jobNamed = (name: string): JobDefinition => {
  const job = files.jobs?.find((one) => one.name === name)
  if (!job) throw new Error(`no job ${name}`)
  return job
}
const run = (name: string, data: object, signal = new AbortController().signal) =>
  jobNamed(name).work(data, { jobId: 'test', attempt: 1, signal, log: door.kernel.log })
const processNow = (fileId: string, signal?: AbortSignal) => run('files.process', { fileId }, signal)

/** A pending file whose job nobody has enqueued. */
const pendingFile = async (text = 'some words', ownerId = ana.id): Promise<string> => {
  const { blobs, db, clock, ids } = door.kernel
  const staged = await blobs.stage(Buffer.from(text), { area: 'files' })
  await blobs.claim(db, staged.key)
  const at = clock.now()
  const facts = { name: 'notes.txt', contentType: 'text/plain', size: staged.size, sha256: staged.sha256 }
  const owner = { ownerKind: 'user' as const, ownerId, organizationId: null }
  const state = { state: 'pending' as const, error: null, progress: null, createdAt: at, updatedAt: at }
  return (await insertFileUnscoped(db, { id: ids.next(), ...facts, ...owner, ...state, blobKey: staged.key })).id
}
const stateOf = async (id: string) => {
  const file = await findFileUnscoped(door.kernel.db, id)
  return file && { state: file.state, error: file.error, attempts: file.attempts }
}
const expireLease = (id: string) =>
  sql`update files set lease_until = now() - interval '1 second' where id = ${id}`.execute(door.kernel.db)

const ignore: FileProcessor = async () => undefined

describe('processing a file', () => {
  it('is done by one worker when two race', async () => {
    let times = 0
    processor = async () => {
      times += 1
    }
    const id = await pendingFile()
    const ends = await Promise.allSettled([processNow(id), processNow(id), processNow(id)])
    const others = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.name] : []))
    expect(others.filter((name) => name !== 'ClaimedElsewhere')).toEqual([])
    expect(times).toBe(1)
    expect(await stateOf(id)).toMatchObject({ state: 'completed', error: null })
  })

  it('continues after a crash between the text and the index, without reading the file again', async () => {
    processor = ignore
    const id = await pendingFile()
    victim.dieAt('file: text stored')
    await expect(processNow(id)).rejects.toThrow('died')
    victim.revive()
    expect(await stateOf(id)).toMatchObject({ state: 'pending' })
    expect((await files.findTextUnscoped(door.kernel.db, id))?.content).toBe('some words')
    await processNow(id)
    expect(await stateOf(id)).toMatchObject({ state: 'completed' })
  })

  it('is taken over when its worker is gone: the sweep finds the expired lease', async () => {
    processor = ignore
    const id = await pendingFile()
    await sql`update files set is_claimed = true, lease_epoch = 1, attempts = 1 where id = ${id}`.execute(
      door.kernel.db,
    )
    await expect(processNow(id)).rejects.toMatchObject({ name: 'ClaimedElsewhere', isEnough: true })
    expect(await stateOf(id)).toMatchObject({ state: 'pending', attempts: 1 })
    await expireLease(id)
    await run('files.sweep', {})
    await expect.poll(async () => (await stateOf(id))?.state, { timeout: 30_000 }).toBe('completed')
  })

  it('writes nothing once another worker has the file', async () => {
    const id = await pendingFile()
    const reached = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    let late: unknown
    processor = async (_file, { commit }) => {
      reached.resolve()
      await held.promise
      late = await commit(async () => 'written').catch((problem) => problem.name)
    }
    const first = processNow(id)
    await reached.promise
    await expireLease(id)
    processor = ignore
    await processNow(id)
    held.resolve()
    await first
    expect(late).toBe('ClaimLost')
    expect(await stateOf(id)).toMatchObject({ state: 'completed' })
  })

  it('fails at once with the reason where another attempt cannot help', async () => {
    processor = async () => {
      throw new ProcessingFailure('It holds only riddles.')
    }
    const id = await pendingFile()
    await processNow(id)
    expect(await stateOf(id)).toEqual({ state: 'failed', error: 'It holds only riddles.', attempts: 1 })
  })

  it('is tried four times when something else fails, then fails', async () => {
    processor = async () => {
      throw new Error('the database of somebody fell over')
    }
    const id = await pendingFile()
    for (let attempt = 1; attempt < 4; attempt += 1) await expect(processNow(id)).rejects.toThrow('fell over')
    expect(await stateOf(id)).toMatchObject({ state: 'pending', attempts: 3 })
    await processNow(id)
    expect(await stateOf(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('our side') })
  })

  it('cannot crash workers for ever: after four lost leases it is failed', async () => {
    processor = ignore
    const id = await pendingFile()
    await sql`update files set attempts = 4, is_claimed = true where id = ${id}`.execute(door.kernel.db)
    await expireLease(id)
    await processNow(id)
    expect(await stateOf(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('interrupted') })
  })

  it('that a stopping server cuts off is given back and not counted', async () => {
    const stopping = new AbortController()
    processor = async (_file, { signal }) => {
      stopping.abort(new Error('stopping'))
      signal.throwIfAborted()
    }
    const id = await pendingFile()
    await expect(processNow(id, stopping.signal)).rejects.toThrow('stopping')
    expect(await stateOf(id)).toMatchObject({ state: 'pending', attempts: 0 })
    processor = ignore
    await processNow(id)
    expect(await stateOf(id)).toMatchObject({ state: 'completed' })
  })

  it('ends when the file is deleted meanwhile, and leaves nothing', async () => {
    const { db } = door.kernel
    const id = await pendingFile()
    processor = async (file, { commit }) => {
      await db.transaction().execute((tx) => files.deleteUnscoped(tx, [file.id]))
      await commit(async () => undefined)
    }
    await processNow(id)
    expect(await stateOf(id)).toBeUndefined()
    expect(await files.findTextUnscoped(db, id)).toBeUndefined()
  })
})

describe('files of many tenants', () => {
  const others = ['b', 'c'].map((last) => `0198c0de-0000-7000-8000-00000000000${last}`)
  const [bob = '', carl = ''] = others
  /** As an upload does. */
  const upload = async (ownerId: string, count = 1): Promise<void> => {
    const { db, jobs } = door.kernel
    const job = jobNamed('files.process') as JobDefinition<{ fileId: string }>
    for (let number = 0; number < count; number += 1) {
      const row = await findFileUnscoped(db, await pendingFile('words', ownerId))
      if (row) await enqueueProcessing({ jobs, job }, db, row)
    }
  }
  /** Whose files were begun, in that order; those of ana and carl end when they are let go. */
  const hold = () => {
    const begun: string[] = []
    const held = Promise.withResolvers<void>()
    processor = async ({ ownerId }) => {
      begun.push(ownerId)
      if (ownerId !== bob) await held.promise
    }
    return { begun, letGo: () => held.resolve() }
  }

  it('are worked on while those of one take long, of which two have a place', async () => {
    const { begun, letGo } = hold()
    await upload(ana.id, 5)
    await expect.poll(() => begun.length).toBe(2)
    await upload(bob)
    await expect.poll(() => begun).toEqual([ana.id, ana.id, bob])
    letGo()
    await expect.poll(() => begun.length).toBe(6)
  })

  it('have turns: the first of one comes before the third of any other', async () => {
    const { begun, letGo } = hold()
    await upload(ana.id, 6)
    await upload(carl, 6)
    await expect.poll(() => begun.length).toBe(4)
    await upload(bob)
    letGo()
    await expect.poll(() => begun.length).toBe(13)
    expect(begun.indexOf(bob)).toBeLessThan(8)
  })
})

describe('a file that the server makes', () => {
  const page = { name: 'page.html', contentType: 'text/html', bytes: Buffer.from('<p>words</p>') }

  it('is deleted with its bytes when a crash keeps it from its purpose, and stays once it is kept', async () => {
    processor = ignore
    const { db } = door.kernel
    const [lost, kept] = [await files.createProcessed(ana, page), await files.createProcessed(ana, page)]
    await run('files.sweep', {})
    expect(await stateOf(lost.id)).toMatchObject({ state: 'completed' })
    await db.transaction().execute((tx) => files.keepUnscoped(tx, kept.id))
    await sql`update files set provisional_until = now() - interval '1 second' where provisional_until is not null`.execute(
      db,
    )
    await run('files.sweep', {})
    expect(await stateOf(lost.id)).toBeUndefined()
    expect(await stateOf(kept.id)).toMatchObject({ state: 'completed' })
    const unowned = db.selectFrom('unownedBlobs').select('key').where('key', '=', lost.blobKey)
    expect(await unowned.execute()).toHaveLength(1)
  })
})

describe('a picture for a model', () => {
  it('whose process is killed is refused with a sentence', async () => {
    const bytes = Buffer.alloc(300_000, 'a')
    const { id } = await files.store(ana, { name: 'a.png', contentType: 'image/png', bytes })
    let isSettled = false
    const reading = files.readImage({ actor: ana, fileId: id, signal: AbortSignal.timeout(60_000) })
    const code = reading
      .then(
        () => 'read',
        (problem: AppError) => problem.code,
      )
      .finally(() => {
        isSettled = true
      })
    const pids = () => door.kernel.children.state().find(({ worker }) => worker === 'image-resizing')?.pids ?? []
    await expect
      .poll(
        () => {
          for (const pid of pids()) process.kill(pid, 'SIGKILL')
          return isSettled
        },
        { interval: 1 },
      )
      .toBe(true)
    // Killed while it works, or while it starts.
    expect(['image_unreadable', 'not_ready']).toContain(await code)
  })
})
