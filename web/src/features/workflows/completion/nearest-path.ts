/** The path that someone probably meant: a similar name at the same level, or the same name further inside. Pure. */
import { nameDistance, plainName } from '@chancery/expression/name-distance'
import type { Key } from './complete.ts'

const maxLength = 40
const maxNames = 100

function similar(wanted: string, names: readonly string[]): string | undefined {
  const name = plainName(wanted)
  if (name.length < 3 || name.length > maxLength) return undefined
  const allowed = name.length < 6 ? 1 : 2
  return names
    .slice(0, maxNames)
    .filter((one) => one.length >= 3 && one.length <= maxLength)
    .map((one) => ({ one, plain: plainName(one), far: nameDistance(name, plainName(one)) }))
    .filter(({ plain, far }) => plain.includes(name) || name.includes(plain) || far <= allowed)
    .toSorted((a, b) => a.far - b.far)[0]?.one
}

const maxDepth = 3

/** `missing` is a path that leads nowhere in this value. */
export function nearestPath(value: unknown, missing: readonly Key[], depth = maxDepth): Key[] | undefined {
  const [wanted, ...rest] = missing
  if (wanted === undefined || typeof value !== 'object' || value === null || depth === 0) return undefined
  if (Array.isArray(value)) {
    const inside = nearestPath(value[0], missing, depth - 1)
    return inside && [0, ...inside]
  }
  const entries = Object.entries(value)
  const near = Object.hasOwn(value, wanted)
    ? String(wanted)
    : similar(
        String(wanted),
        entries.map(([name]) => name),
      )
  if (near !== undefined) return [near, ...(leadsOn((value as Record<string, unknown>)[near], rest) ? rest : [])]
  for (const [name, one] of entries) {
    const inside = nearestPath(one, missing, depth - 1)
    if (inside) return [name, ...inside]
  }
  return undefined
}

const leadsOn = (value: unknown, path: readonly Key[]): boolean => {
  let within = value
  for (const key of path) {
    if (typeof within !== 'object' || within === null || !Object.hasOwn(within, key)) return false
    within = (within as Record<Key, unknown>)[key]
  }
  return true
}
