/** One short text for all that the directory says of a company's people, whatever order they are read in. Pure. */
import { createHash } from 'node:crypto'
import type { SeenPerson } from './directory-diff.ts'

export interface DirectoryDigest {
  add(person: SeenPerson): void
  text(): string
}

const wordOf = ({ subject, email, isVerified, name, role, enabled }: SeenPerson): bigint[] => {
  const text = JSON.stringify([subject, email ?? null, isVerified, name ?? null, role ?? null, enabled])
  const hash = createHash('sha256').update(text).digest()
  return [hash.readBigUInt64LE(0), hash.readBigUInt64LE(8)]
}

export const createDirectoryDigest = (): DirectoryDigest => {
  let [count, one, other] = [0, 0n, 0n]
  return {
    add: (person) => {
      const [first = 0n, second = 0n] = wordOf(person)
      count += 1
      one = BigInt.asUintN(64, one + first)
      other = BigInt.asUintN(64, other + second)
    },
    text: () => `${count} ${one.toString(36)} ${other.toString(36)}`,
  }
}

export const digestOf = (people: readonly SeenPerson[]): string => {
  const digest = createDirectoryDigest()
  for (const person of people) digest.add(person)
  return digest.text()
}
