/** A file's status as server-sent events: one frame for each change, until the file is processed or gone. */
import type { FileStatus } from '@chancery/contract/files/files.ts'
import type { Outlet, WriteBody } from '#kernel/http/replies/raw-reply.ts'
import { formatSse } from '#kernel/sse/format-sse.ts'
import type { FilesContext } from './context.ts'
import { isBeingProcessed, presentStatus } from './present.ts'
import type { FileRow } from './queries/files.ts'

interface Request {
  fileId: string
  /** Undefined once the caller may no longer read the file, or it is gone. */
  read(): Promise<FileRow | undefined>
  signal: AbortSignal
}

const maxMs = 2 * 3_600_000

export const streamStatus =
  ({ watch }: Pick<FilesContext, 'watch'>, { fileId, read, signal }: Request): WriteBody =>
  async (outlet) => {
    const untilMs = performance.now() + maxMs
    let sent = ''
    const send = (status: FileStatus): void => {
      const frame = formatSse({ data: JSON.stringify(status) })
      if (frame !== sent) outlet.write(frame)
      sent = frame
    }
    while (outlet.isOpen && !signal.aborted && performance.now() < untilMs) {
      // Asked for before reading, so that a change in between is not missed.
      const change = new AbortController()
      const changed = watch.next(fileId, AbortSignal.any([signal, change.signal]))
      const file = await read()
      send(file ? presentStatus(file) : { status: 'failed', error: 'The file was deleted.' })
      if (!file || !isBeingProcessed(file)) return change.abort()
      await drained(outlet)
      await changed
    }
  }

const drained = (outlet: Outlet): Promise<void> => (outlet.waiting > 65_536 ? outlet.drained() : Promise.resolve())
