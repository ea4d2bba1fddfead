/**
 * Processes one file: its text, then what other modules make of it. Safe to repeat: a worker holds a lease, every write
 * carries its epoch, and a file that outlives four attempts is failed. A crash leaves an expired lease, which the sweep
 * turns into another attempt.
 */
import type { Progress } from '@chancery/contract/files/files.ts'
import { BlobStoreUnavailable } from '#kernel/blobs/index.ts'
import { ClaimedElsewhere } from '#kernel/jobs/jobs.ts'
import { TemporaryLimit } from '#kernel/meter.ts'
import type { FilesContext } from './context.ts'
import { extractText } from './extract-text.ts'
import { ProcessingFailure } from './interface.ts'
import { type FileRow, findFileUnscoped, findTextUnscoped, type StoredText } from './queries/files.ts'
import {
  type Claim,
  claimUnscoped,
  finishUnscoped,
  lockClaimUnscoped,
  releaseUnscoped,
  renewUnscoped,
  saveProgressUnscoped,
  saveTextUnscoped,
} from './queries/processing.ts'

const maxAttempts = 4
const renewEveryMs = 15_000
const progressEveryMs = 500

export class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
}

/** Throws when the attempt should be repeated. */
export const processFile = async (context: FilesContext, fileId: string, stopping: AbortSignal): Promise<void> => {
  const file = await claimUnscoped(context.db, fileId)
  if (!file) return requireUnclaimed(context, fileId)
  if (file.attempts > maxAttempts) return finish(context, file, 'Processing was interrupted several times. Try again.')
  const lost = new AbortController()
  context.running.set(fileId, lost)
  const renewing = setInterval(() => void renew(context, file, lost), renewEveryMs)
  try {
    await work(context, file, AbortSignal.any([stopping, lost.signal]))
    await finish(context, file, null)
  } catch (problem) {
    await settle(context, { file, problem, stopping, isLost: lost.signal.aborted })
  } finally {
    clearInterval(renewing)
    if (context.running.get(fileId) === lost) context.running.delete(fileId)
  }
}

/** Finished, cancelled or deleted: nothing to do. Otherwise its worker finishes it, or the sweep asks again. */
const requireUnclaimed = async ({ db }: FilesContext, fileId: string): Promise<void> => {
  const file = await findFileUnscoped(db, fileId)
  if (file?.state === 'pending') throw new ClaimedElsewhere('Another worker processes this file.', { isEnough: true })
}

const renew = async ({ db, log }: FilesContext, file: Claim, lost: AbortController): Promise<void> => {
  try {
    if (!(await renewUnscoped(db, file))) lost.abort(new ClaimLost())
  } catch (problem) {
    log.warn({ err: problem, file: file.id }, 'The lease on a file could not be renewed.')
  }
}

interface Outcome {
  file: FileRow
  problem: unknown
  stopping: AbortSignal
  isLost: boolean
}

const settle = async (context: FilesContext, { file, problem, stopping, isLost }: Outcome): Promise<void> => {
  if (isLost || problem instanceof ClaimLost) return
  if (problem instanceof ProcessingFailure) return finish(context, file, problem.message)
  // Nothing was tried: the file waits until its owner may ask again, by the job's retries and then by the sweep.
  const isAway = problem instanceof TemporaryLimit || problem instanceof BlobStoreUnavailable
  const isCounted = !stopping.aborted && !isAway
  if (isCounted && file.attempts >= maxAttempts) {
    context.log.error({ err: problem, file: file.id }, 'A file could not be processed.')
    return finish(context, file, 'Something went wrong on our side while processing the file. Try again.')
  }
  await releaseUnscoped(context.db, file, { isCounted })
  throw problem
}

const finish = ({ db, clock, ports, watch }: FilesContext, file: Claim, error: string | null): Promise<void> =>
  db.transaction().execute(async (tx) => {
    if (!(await finishUnscoped(tx, file, { error, at: clock.now() }))) return
    if (error === null) for (const complete of ports.completions) await complete(tx, file)
    await watch.announce(tx, file.id)
  })

const work = async (context: FilesContext, file: FileRow, signal: AbortSignal): Promise<void> => {
  const { db, failpoints, ports } = context
  const report = createReporter(context, file)
  const commit = createCommit(context, file)
  const text = (await findTextUnscoped(db, file.id)) ?? (await readText(context, file, { signal, report }))
  await commit((tx) => saveTextUnscoped(tx, file.id, text))
  await failpoints.hit('file: text stored')
  for (const process of ports.processors) {
    signal.throwIfAborted()
    await process(file, { text, signal, report, commit })
  }
  signal.throwIfAborted()
}

const createCommit =
  ({ db }: FilesContext, file: Claim) =>
  <Result>(run: (tx: FilesContext['db']) => Promise<Result>): Promise<Result> =>
    db.transaction().execute(async (tx) => {
      if (!(await lockClaimUnscoped(tx, file))) throw new ClaimLost()
      return run(tx)
    })

/** At most twice a second into the database; those in between are dropped. */
const createReporter = ({ db, watch }: FilesContext, file: Claim) => {
  let lastMs = 0
  return async (progress: Progress): Promise<void> => {
    const nowMs = performance.now()
    if (nowMs - lastMs < progressEveryMs) return
    lastMs = nowMs
    if (!(await saveProgressUnscoped(db, file, progress))) throw new ClaimLost()
    await watch.announce(db, file.id)
  }
}

interface Attempt {
  signal: AbortSignal
  report(progress: Progress): Promise<void>
}

const readText = async (context: FilesContext, file: FileRow, { signal, report }: Attempt): Promise<StoredText> => {
  if (isRecording(file)) return { content: await transcribe(context, file, { signal, report }), marks: [] }
  const blob = await context.blobs.get(file.blobKey)
  if (!blob) throw new ProcessingFailure("The file's contents are missing.")
  try {
    const { content, marks } = await extractText(context, {
      name: file.name,
      body: blob.stream,
      signal,
      tenant: file.organizationId ?? file.ownerId,
      onProgress: (done, total) => report({ stage: 'extracting', done, total }),
    })
    return { content, marks }
  } finally {
    blob.stream.destroy()
  }
}

const isRecording = ({ contentType }: FileRow): boolean => /^(audio\/|video\/(mp4|webm)$)/.test(contentType)

const transcribe = async ({ ports }: FilesContext, file: FileRow, attempt: Attempt): Promise<string> => {
  if (!ports.transcribe) throw new ProcessingFailure("We can't read text from files of this type.")
  const text = await ports.transcribe({ file, ...attempt })
  if (text.trim() === '') throw new ProcessingFailure('No speech was found in the recording.')
  return text
}
