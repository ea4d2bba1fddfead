/** Sealed values in a text, alone or anywhere in JSON, sealed again with the current key. Pure. */
import type { SealContext } from '#kernel/crypto/seal-context.ts'
import { SealError, type Sealer } from '#kernel/crypto/sealer.ts'

/** In PostgreSQL's notation too. */
export const sealedPattern = 'v1\\.[A-Za-z0-9_-]{8}\\.[A-Za-z0-9_-]{16}\\.[A-Za-z0-9_-]+'

export interface Resealed {
  text: string
  resealed: number
  /** Under no key that we have, or changed: they stay as they are. */
  unreadable: number
}

export const resealText = (sealer: Sealer, text: string, context: SealContext): Resealed => {
  let [resealed, unreadable] = [0, 0]
  const reseal = (sealed: string): string => {
    try {
      if (!sealer.needsReseal(sealed)) return sealed
      const again = sealer.seal(sealer.open(sealed, context), context)
      resealed += 1
      return again
    } catch (problem) {
      if (!(problem instanceof SealError)) throw problem
      unreadable += 1
      return sealed
    }
  }
  return { text: text.replaceAll(new RegExp(sealedPattern, 'g'), reseal), resealed, unreadable }
}
