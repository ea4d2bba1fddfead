/** Starts processing again, or stops it. Both leave a file that is in another state as it is. */
import type { Actor } from '#kernel/http/actor.ts'
import type { FilesContext } from './context.ts'
import { cancelTopic } from './delete-file.ts'
import { enqueueProcessing } from './enqueue-processing.ts'
import { getOwnFile } from './get-file.ts'
import type { FileRow } from './queries/files.ts'
import { cancelUnscoped, requeueUnscoped } from './queries/processing.ts'

export const retryProcessing = (context: FilesContext, actor: Actor, id: string): Promise<FileRow> =>
  context.db.transaction().execute(async (tx) => {
    const file = await getOwnFile(tx, actor, id)
    if (file.state === 'completed') return file
    const requeued = await requeueUnscoped(tx, id, context.clock.now())
    if (!requeued) return file
    await enqueueProcessing(context, tx, file)
    await context.watch.announce(tx, id)
    return requeued
  })

export const cancelProcessing = (context: FilesContext, actor: Actor, id: string): Promise<FileRow> =>
  context.db.transaction().execute(async (tx) => {
    const file = await getOwnFile(tx, actor, id)
    const cancelled = await cancelUnscoped(tx, id, { error: 'Processing was cancelled.', at: context.clock.now() })
    if (!cancelled) return file
    await context.signals.send(tx, cancelTopic, id)
    await context.watch.announce(tx, id)
    return cancelled
  })
