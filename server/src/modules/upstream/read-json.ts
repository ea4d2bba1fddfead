/** Reads a small JSON reply of a runtime. */
import { AppError } from '#kernel/errors.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import type { Backend } from '#modules/models/index.ts'

const maxBytes = 16 * 1024 * 1024

export const readJsonOf = async (
  runtime: Backend,
  { path, signal }: { path: string; signal: AbortSignal },
): Promise<unknown> => {
  const { status, body } = await runtime.fetch({ method: 'GET', path, signal })
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece)
    size += piece.length
    if (size > maxBytes) throw new AppError('provider_failed')
  }
  if (status !== 200) throw new AppError('provider_failed')
  return parseForeign(Buffer.concat(pieces).toString('utf8'), { tooLarge: 'provider_failed' })
}
