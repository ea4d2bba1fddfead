/** A file whose processing ended the server several times: its owner sees it as failed until it is released. */
import type { HeldJob } from '#kernel/jobs/jobs.ts'
import type { FilesContext } from './context.ts'
import { findFileUnscoped } from './queries/files.ts'
import { cancelUnscoped, requeueUnscoped } from './queries/processing.ts'

const error = "This file can't be processed: it made our server fail several times. An administrator can try it again."

interface Work {
  fileId: string
}

export const heldProcessing = (context: () => FilesContext): HeldJob<Work> => ({
  // Without its name, which is the owner's business.
  describe: async (db, { fileId }) => {
    const file = await findFileUnscoped(db, fileId)
    return (
      file && {
        what: `Processing the file ${fileId} (${file.contentType})`,
        scopeId: file.organizationId ?? file.ownerId,
      }
    )
  },
  hold: async (tx, { fileId }) => {
    const { clock, watch } = context()
    if (await cancelUnscoped(tx, fileId, { error, at: clock.now() })) await watch.announce(tx, fileId)
  },
  release: async (tx, { fileId }) => {
    const { clock, watch } = context()
    if (await requeueUnscoped(tx, fileId, clock.now())) await watch.announce(tx, fileId)
  },
})
