/** Pages of a text, before a document is made of it. The staged file is deleted when it was sent. */
import type { TextSource } from '@chancery/contract/signing/written.ts'
import { AppError } from '#kernel/errors.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import type { SigningContext } from '../context.ts'
import { toWrite } from './write-pages.ts'

export const previewText = async (
  { kernel: { blobs }, pdfWork }: SigningContext,
  { source, tenant }: { source: TextSource; tenant: string },
): Promise<RawReply> => {
  const { file } = await pdfWork.write(toWrite(source), tenant)
  try {
    const blob = await blobs.get(file.key)
    if (!blob) throw new AppError('not_found')
    const pieces: Uint8Array[] = []
    for await (const piece of blob.stream) pieces.push(piece)
    const headers = { 'content-type': 'application/pdf', 'cache-control': 'no-store' }
    return { headers, body: Buffer.concat(pieces) }
  } finally {
    await blobs.discardUnclaimed([file.key])
  }
}
