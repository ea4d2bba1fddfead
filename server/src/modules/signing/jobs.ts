/** The background work of signing: sealing, and what time brings. */
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { nilId } from '#kernel/ids.ts'
import { defineJob, type JobContext, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { SigningContext } from './context.ts'
import { listDueUnscoped } from './queries/documents.ts'
import { deleteEndedUnscoped } from './queries/links.ts'
import { listAbandonedUnscoped, listUnsealedUnscoped } from './queries/seal-claims.ts'
import { heldSeal } from './sealing/held-seal.ts'
import { sealDocument } from './sealing/seal-document.ts'
import { expireDocument } from './time/expire-documents.ts'
import { remindRecipients } from './time/remind-recipients.ts'

/** A failed attempt shows as SEAL_FAILED and is repeated for about an hour; then the owner can ask for another. */
export const createSealJob = (context: () => SigningContext): JobDefinition<{ documentId: string }> =>
  defineJob({
    name: 'signing.seal',
    data: z.object({ documentId: z.uuid() }),
    retryLimit: 8,
    retryDelaySec: 10,
    expireInSec: 600,
    // However slow one tenant's documents are, another's are sealed meanwhile.
    concurrency: 4,
    perGroup: 1,
    held: heldSeal(context),
    handle: ({ documentId }) => sealDocument(context(), documentId),
  })

/** When a node starts: what a process was sealing when it ended, perhaps this one before its restart, is sealed now. */
export const resumeSeals = async (context: SigningContext): Promise<void> => {
  const { db } = context.kernel
  for (const document of await listAbandonedUnscoped(db)) await context.enqueueSeal(db, document)
}

type Handle = (context: SigningContext, tx: Db, id: string) => Promise<void>

/** Page by page by id, so that one that keeps failing is passed over. */
const handleDue = async (
  context: SigningContext,
  due: 'expiresAt' | 'nextReminderAt',
  { handle, job }: { handle: Handle; job: JobContext },
): Promise<void> => {
  const { db, clock } = context.kernel
  let after = nilId
  while (!job.signal.aborted) {
    const ids = await listDueUnscoped(db, { now: clock.now(), due, after })
    for (const id of ids) {
      try {
        await context.pages.change(id, () => db.transaction().execute((tx) => handle(context, tx, id)))
      } catch (problem) {
        job.log.error({ err: problem, documentId: id }, 'a document that was due could not be handled')
      }
    }
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
  }
}

/** Once a minute across all nodes. Everything it does is conditional, so running it twice changes nothing. */
export const createTimeJob = (context: SigningContext): JobDefinition =>
  defineJob({
    name: 'signing.time',
    data: z.object({}),
    timetable: { cron: '* * * * *', data: {} },
    concurrency: 1,
    handle: async (_data, job) => {
      const { db, clock } = context.kernel
      await handleDue(context, 'expiresAt', { handle: expireDocument, job })
      await handleDue(context, 'nextReminderAt', { handle: remindRecipients, job })
      for (const document of await listUnsealedUnscoped(db)) await context.enqueueSeal(db, document)
      await deleteEndedUnscoped(db, clock.now())
      context.bus.wake()
    },
  })
