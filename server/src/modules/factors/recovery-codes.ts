/**
 * Ten codes for the day when everything else is lost. Each works once. They are long enough that their hash tells nothing,
 * and that no key has to be kept for them to work.
 */
import { randomInt } from 'node:crypto'
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { FactorsContext } from './context.ts'
import { countCodesUnscoped, deleteCodesUnscoped, insertCodesUnscoped } from './queries.ts'

const count = 10
/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

const randomPart = (): string => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
const randomCode = (): string => Array.from({ length: 4 }, randomPart).join('-')

/** However it was typed: dashes, spaces and capitals don't matter. */
export const hashOfCode = (principalId: string, code: string): string =>
  hashToken(`${principalId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)

/** The old ones end. */
export const renewCodes = async (
  { clock }: Pick<FactorsContext, 'clock'>,
  tx: Db,
  actor: Pick<Actor, 'id'>,
): Promise<string[]> => {
  const codes = Array.from({ length: count }, randomCode)
  await deleteCodesUnscoped(tx, actor)
  await insertCodesUnscoped(tx, actor, {
    hashes: codes.map((code) => hashOfCode(actor.id, code)),
    createdAt: clock.now(),
  })
  return codes
}

/** With the first factor. */
export const firstCodes = async (context: FactorsContext, tx: Db, actor: Pick<Actor, 'id'>): Promise<string[]> =>
  (await countCodesUnscoped(tx, actor)) > 0 ? [] : renewCodes(context, tx, actor)
