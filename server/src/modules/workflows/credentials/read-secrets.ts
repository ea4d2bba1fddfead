/** The secrets of stored credentials as they are now, for hiding them in what runs keep. */
import type { Kernel } from '#kernel/kernel.ts'
import { listCredentialsUnscoped } from '../queries/credentials.ts'
import { sealedAs } from './sealed-as.ts'
import { headerOf } from './sign-request.ts'

export const readSecrets = async (
  { db, sealer }: Pick<Kernel, 'db' | 'sealer'>,
  wanted: { scopeId: string; ids: readonly string[] },
): Promise<string[]> => {
  const rows = await listCredentialsUnscoped(db, wanted)
  return rows.flatMap((row) => {
    const open = (sealed: string) => sealer.open(sealed, sealedAs(row.id))
    try {
      const secret = open(row.sealedSecret)
      const [, value] = headerOf(row, secret)
      return [secret, value, ...(row.sealedToken === null ? [] : [open(row.sealedToken)])]
    } catch {
      // It can't be decrypted, so nothing can be sent with it either.
      return []
    }
  })
}
