/** Stages the one file that is made of an upload, as it comes from the child. A failure leaves nothing behind. */
import type { Blobs, StagedBlob } from '#kernel/blobs/index.ts'
import type { PdfChild } from '../child/pdf-child.ts'
import type { PdfWork } from '../interface.ts'

interface Needs {
  child: Pick<PdfChild, 'prepare'>
  blobs: Pick<Blobs, 'stage'>
}

export const createPrepare =
  ({ child, blobs }: Needs): PdfWork['prepare'] =>
  async (blobId, tenant, options = {}) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    let staging: Promise<StagedBlob> | undefined
    // The store is asked when the first bytes are there: a file that waits for its turn, or is refused, isn't.
    const onBytes = (bytes: Buffer): Promise<void> => {
      staging ??= blobs.stage(readable, { area: 'signing', contentType: 'application/pdf' })
      // Where the store read nothing, the pieces are refused instead of waiting for it.
      staging.catch(async (problem) => {
        if (!readable.locked) await readable.cancel(problem)
      })
      return writer.write(bytes)
    }
    try {
      const told = await child.prepare(blobId, tenant, { options, onBytes })
      if (!staging) throw new Error('The child wrote nothing.')
      await writer.close()
      return { original: await staging, ...told }
    } catch (problem) {
      await writer.abort(problem)
      await staging
      throw problem
    }
  }
