/** Pure. Values of fields as the audit log and the certificate have them. */
import { createHash } from 'node:crypto'
import type { EvidenceValue } from '@chancery/contract/signing/evidence.ts'
import type { FieldValue } from '@chancery/contract/signing/signing.ts'
import { canonicalJson } from './chain.ts'

type Value = FieldValue | null

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

const beginning = 100

/**
 * Signatures and initials by their kind and hash alone. Texts are whole while they have no more than so many characters
 * together; then long ones are shortened, so that the result stays small.
 */
export const loggedValues = (values: readonly Value[], wholeUpTo = 20_000): (EvidenceValue | null)[] => {
  const characters = values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
  const known = new Map<string, string>()
  return values.map((value) =>
    value === null ? null : loggedValue(value, { isWhole: characters <= wholeUpTo, known }),
  )
}

/** `known`: the hashes of pictures. Somebody's signature is often in many fields. */
interface Logging {
  isWhole: boolean
  known: Map<string, string>
}

const loggedValue = (value: FieldValue, { isWhole, known }: Logging): EvidenceValue => {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') return isWhole || value.length <= beginning ? value : shortened(value)
  if ('typed' in value) return { mark: 'typed', sha256: sha256(value.typed) }
  const hash = known.get(value.png) ?? sha256(Buffer.from(value.png, 'base64'))
  known.set(value.png, hash)
  return { mark: 'drawn', sha256: hash }
}

const shortened = (value: string): EvidenceValue => {
  const characters = [...value]
  return { begins: characters.slice(0, beginning).join(''), characters: characters.length, sha256: sha256(value) }
}

export interface ValueChange {
  fieldId: string
  before: Value
  after: Value
}

/** Characters that an entry may have, by the number of entries before it. */
const roomAfter = (entries: number): number => {
  if (entries < 100) return 16_000
  return entries < 2_000 ? 1_000 : 0
}
const lastLogged = 5_000

/**
 * What an entry says of changed values; undefined where none is written. Somebody who changes values again and again can't
 * make the log too large to be sealed: its entries get shorter, and end. The values at the end are logged with the
 * signature in any case.
 */
export const loggedChanges = (
  changes: readonly ValueChange[],
  { entries }: { entries: number },
): Record<string, unknown> | undefined => {
  if (changes.length === 0 || entries >= lastLogged) return undefined
  const room = roomAfter(entries)
  const values = loggedValues(
    changes.flatMap(({ before, after }) => [before, after]),
    room / 4,
  )
  const logged = changes.map(({ fieldId }, index) => {
    return { fieldId, before: values[2 * index] ?? null, after: values[2 * index + 1] ?? null }
  })
  const json = canonicalJson(logged)
  return json.length <= room ? { changes: logged } : { count: logged.length, changesSha256: sha256(json) }
}
