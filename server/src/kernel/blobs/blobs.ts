/**
 * The blob store as modules see it. A blob is written before the row that will own it, so each one starts out unowned:
 * `stage` notes the key before the first byte, `claim` removes the note in the transaction that inserts the owning row,
 * and a sweep deletes whatever is still noted when its time is up. A crash at any point therefore leaves either an
 * owned blob or one that will be swept, on one node or many, in a folder or in S3.
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import type { Failpoints } from '../failpoints.ts'
import type { Ids } from '../ids.ts'
import type { JobDefinition, Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import type { BlobSource, BlobStore, ByteRange, OpenBlob, PutOptions, StoredBlob } from './blob-store.ts'
import {
  claimUnownedUnscoped,
  deleteUnownedUnscoped,
  discardUnclaimedUnscoped,
  insertUnownedUnscoped,
  postponeSweepUnscoped,
  releaseUnscoped,
} from './queries.ts'
import { createSweepJob, unclaimedMs } from './sweep.ts'

export interface Blobs {
  /** Stores bytes under a new key that nobody owns yet. Fails with nothing left behind. */
  stage(source: BlobSource, options: StageOptions): Promise<StagedBlob>
  /**
   * Takes ownership of a staged blob. Call it in the transaction that inserts the row holding the key: both commit or
   * neither does. `upload_expired` when the sweep came first.
   */
  claim(db: Db, key: string): Promise<void>
  /** Gives up ownership, in the transaction that deletes the row: the bytes are deleted soon after it commits. */
  release(db: Db, keys: readonly string[]): Promise<void>
  /** Deletes those of the staged blobs that nobody has claimed. Never throws: the sweep deletes what is left. */
  discardUnclaimed(keys: readonly string[]): Promise<void>
  /** Undefined when there is no such blob. A range that starts beyond the end → `range_not_satisfiable`. */
  get(key: string, range?: ByteRange): Promise<OpenBlob | undefined>
  exists(key: string): Promise<boolean>
  /** Rejects when the store does not answer. */
  ping(): Promise<unknown>
  readonly jobs: readonly JobDefinition[]
  close(): Promise<void>
}

export interface StageOptions extends PutOptions {
  /** The first part of the key, as a rule the module's name. */
  area: string
}

export interface StagedBlob extends StoredBlob {
  key: string
}

interface Options {
  store: BlobStore
  db: Db
  clock: Clock
  ids: Ids
  jobs: Pick<Jobs, 'enqueue'>
  log: Log
  failpoints: Failpoints
}

const postponeEveryMs = unclaimedMs / 6

export const createBlobs = (options: Options): Blobs => {
  const { store, db, clock, ids, jobs, log, failpoints } = options
  const sweepJob = createSweepJob(options)
  const sweepAfter = (): Date => new Date(clock.now().getTime() + unclaimedMs)

  /** Only for a blob that can no longer be claimed. */
  const remove = async (key: string): Promise<void> => {
    try {
      await failpoints.hit('blob: discarding')
      await store.delete(key)
      await deleteUnownedUnscoped(db, key)
    } catch (problem) {
      log.warn({ err: problem, key }, 'a discarded blob is left to the sweep')
    }
  }

  /** A slow upload may take longer than a staged blob is kept, so its time starts again while bytes come. */
  const postponing = async function* (key: string, source: AsyncIterable<Uint8Array>) {
    let postponedMs = clock.now().getTime()
    for await (const chunk of source) {
      const nowMs = clock.now().getTime()
      if (nowMs - postponedMs > postponeEveryMs) {
        postponedMs = nowMs
        await requireUnswept(key)
      }
      yield chunk
    }
  }
  const requireUnswept = async (key: string): Promise<void> => {
    if (!(await postponeSweepUnscoped(db, key, sweepAfter()))) throw new AppError('upload_expired')
  }

  return {
    jobs: [sweepJob],

    async stage(source, { area, ...putOptions }) {
      const key = `${area}/${ids.next()}`
      await insertUnownedUnscoped(db, key, sweepAfter())
      try {
        await failpoints.hit('blob: noted')
        const stored = await store.put(key, source instanceof Uint8Array ? source : postponing(key, source), putOptions)
        await failpoints.hit('blob: stored')
        // A node that stood still for an hour may find its blob swept before it was whole.
        await requireUnswept(key)
        return { key, ...stored }
      } catch (problem) {
        await remove(key)
        throw problem
      }
    },

    async claim(tx, key) {
      if (!(await claimUnownedUnscoped(tx, key))) throw new AppError('upload_expired')
    },

    async release(tx, keys) {
      if (keys.length === 0) return
      await releaseUnscoped(tx, keys, clock.now())
      await jobs.enqueue(tx, sweepJob, {})
    },

    async discardUnclaimed(keys) {
      if (keys.length === 0) return
      try {
        await failpoints.hit('blob: checking claims')
        for (const key of await discardUnclaimedUnscoped(db, keys)) await remove(key)
      } catch (problem) {
        log.warn({ err: problem }, 'staged blobs are left to the sweep')
      }
    },

    get: (key, range) => store.get(key, range),
    exists: (key) => store.exists(key),
    ping: () => store.ping(),
    close: () => store.close(),
  }
}
