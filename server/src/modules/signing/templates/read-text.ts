/** The text of a small uploaded file. */
import { AppError } from '#kernel/errors.ts'
import type { UploadedFile } from '#kernel/http/bodies/upload.ts'
import { assertStorableText } from '#kernel/json/well-formed-text.ts'
import type { SigningContext } from '../context.ts'

/** Throws `invalid_text` for what is no UTF-8. The file is not kept. */
export const readText = async (
  { kernel }: Pick<SigningContext, 'kernel'>,
  [file]: readonly UploadedFile[],
): Promise<string> => {
  const blob = file && (await kernel.blobs.get(file.key))
  if (!blob) throw new AppError('upload_expired')
  const pieces: Buffer[] = []
  for await (const piece of blob.stream) pieces.push(piece as Buffer)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
    assertStorableText(text)
    return text
  } catch {
    throw new AppError('invalid_text')
  }
}
