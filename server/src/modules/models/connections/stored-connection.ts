/** Reads a connection row. Its key is sealed to its id, so that it cannot be opened from another row. */
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { ConnectionSettings } from './connection.ts'
import type { ConnectionRow } from './queries.ts'

export const sealedAs = storedSeal({ purpose: 'connection', table: 'connections', columns: ['sealed_key'], by: ['id'] })

export const settingsOf = (
  { sealer, log }: Pick<Kernel, 'sealer' | 'log'>,
  { sealedKey, ...row }: ConnectionRow,
): ConnectionSettings => {
  const openKey = (): string | null => {
    if (sealedKey === null) return null
    try {
      return sealer.open(sealedKey, sealedAs(row.id))
    } catch (problem) {
      // A key that cannot be opened must not affect the other connections.
      log.error({ err: problem, connection: row.id }, 'The key of a connection cannot be opened. Enter it again.')
      return null
    }
  }
  return { ...row, key: openKey(), source: 'database' }
}
