/** The progress of an import. Its owner reads it by its id, on any node, while it runs. */
import type { ImportProgress } from '@chancery/contract/chats/chats.ts'
import { unixSeconds } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatsContext } from '../context.ts'
import {
  countInImport,
  endImport,
  findImport,
  type ImportRow,
  insertImport,
  listRunningImports,
} from '../queries/imports.ts'

const dayMs = 86_400_000
const keptMs = 7 * dayMs
/** An import that has counted nothing for so long has ended with its server. */
const silentMs = 15 * 60_000
const interrupted = 'The connection ended before the file did. The chats that were counted are there.'

export interface Progress {
  readonly id: string
  /** Set while the file is read; stored with the next chat. */
  readBytes: number
  /** In the transaction that stores the chat, so that the number is true whatever happens next. */
  countImported(tx: Db): Promise<void>
  /** Stored with the next chat, or with the rest of the piece that was read: a file may have millions that are none. */
  countSkipped(): void
  storeSkipped(): Promise<void>
  finish(): Promise<void>
  fail(problem: unknown): Promise<void>
}

/** Throws `import_exists`. */
export const beginImport = async (
  { db, clock, ids }: Pick<ChatsContext, 'db' | 'clock' | 'ids'>,
  actor: Actor,
  { id = ids.next(), length }: { id: string | undefined; length: number | undefined },
): Promise<Progress> => {
  const at = clock.now()
  const row = { id, totalBytes: length ?? null, at, forgetBefore: new Date(at.getTime() - keptMs) }
  if (!(await insertImport(db, actor, row))) throw new AppError('import_exists')
  let skipped = 0
  const store = async (tx: Db, imported: number): Promise<void> => {
    const before = skipped
    await countInImport(tx, actor, { id, imported, skipped: before, readBytes: progress.readBytes, at: clock.now() })
    skipped -= before
  }
  const end = async (status: 'finished' | 'failed', reason: string | null): Promise<void> => {
    await store(db, 0)
    await endImport(db, actor, { id, status, reason, readBytes: progress.readBytes, at: clock.now() })
  }
  const progress: Progress = {
    id,
    readBytes: 0,
    countImported: (tx) => store(tx, 1),
    countSkipped: () => {
      skipped += 1
    },
    storeSkipped: async () => {
      if (skipped > 0) await store(db, 0)
    },
    finish: () => end('finished', null),
    fail: (problem) => end('failed', problem instanceof AppError ? problem.message : interrupted),
  }
  return progress
}

export const readProgress = async (
  { db, clock }: Pick<ChatsContext, 'db' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<ImportProgress> => {
  const row = await findImport(db, actor, id)
  if (!row) throw new AppError('import_not_found')
  const isSilent = row.status === 'running' && clock.now().getTime() - row.updatedAt.getTime() > silentMs
  return presentProgress(isSilent ? { ...row, status: 'failed', reason: interrupted } : row)
}

export const listRunning = async (
  { db, clock }: Pick<ChatsContext, 'db' | 'clock'>,
  actor: Actor,
): Promise<ImportProgress[]> =>
  (await listRunningImports(db, actor, new Date(clock.now().getTime() - silentMs))).map(presentProgress)

const presentProgress = (row: ImportRow): ImportProgress => ({
  import_id: row.id,
  status: row.status,
  reason: row.reason,
  imported: row.imported,
  skipped_count: row.skippedCount,
  read_bytes: row.readBytes,
  total_bytes: row.totalBytes,
  started_at: unixSeconds(row.startedAt),
  updated_at: unixSeconds(row.updatedAt),
})
