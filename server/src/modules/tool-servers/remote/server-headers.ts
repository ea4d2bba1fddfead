/** An administrator's own headers for a tool server. Their values can be keys: stored encrypted, and never shown again. */
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import { AppError } from '#kernel/errors.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { listPlainHeadersUnscoped, sealHeadersUnscoped, type ToolServerRow } from '../queries/tool-servers.ts'

export type Headers = Readonly<Record<string, string>>

const sealedAs = storedSeal({
  purpose: 'tool-server-headers',
  table: 'tool_servers',
  columns: ['sealed_headers'],
  by: ['id'],
})

export const sealHeaders = ({ sealer }: Pick<Kernel, 'sealer'>, id: string, headers: Headers): string | null =>
  Object.keys(headers).length === 0 ? null : sealer.seal(JSON.stringify(headers), sealedAs(id))

export const openHeaders = (
  { sealer }: Pick<Kernel, 'sealer'>,
  { id, sealedHeaders }: Pick<ToolServerRow, 'id' | 'sealedHeaders'>,
): Headers => (sealedHeaders === null ? {} : (parseOwn(sealer.open(sealedHeaders, sealedAs(id))) as Headers))

/** Each name with a blank value: sent back like this, the stored value is kept. */
export const showHeaders = (headers: Headers): Headers =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, '']))

/** The headers as they are to be stored. Throws `validation_failed` for a blank value where none is stored. */
export const mergeHeaders = (given: Headers | undefined, known: Headers): Headers => {
  if (!given) return known
  const stored = new Map(Object.entries(known).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const kept = value === '' ? stored.get(name.toLowerCase()) : value
      if (kept !== undefined) return [name, kept]
      const problem = {
        loc: ['body', 'headers', name],
        msg: 'needs a value: none is stored for this server',
        type: 'custom',
      }
      throw new AppError('validation_failed', { problems: [problem] })
    }),
  )
}

/** Before anything reads them: what an earlier release stored in the clear is sealed. */
export const sealStoredHeaders = async ({ db, sealer }: Pick<Kernel, 'db' | 'sealer'>): Promise<void> => {
  for (const { id, headers } of await listPlainHeadersUnscoped(db))
    await sealHeadersUnscoped(db, { id, headers, sealedHeaders: sealHeaders({ sealer }, id, headers) })
}
